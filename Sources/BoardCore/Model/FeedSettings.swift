/// What a person configured of one feed: its table of boardd.toml and its keys, complete and checked.
///
/// Every setting that the feed declares is there, at its default where a person wrote nothing.
public struct FeedSettings: Hashable, Sendable {
    /// The value of one setting.
    public enum Value: Hashable, Sendable {
        case text(String)
        case texts([String])
        case url(String)
        case duration(Duration)
    }

    private var values: [String: Value]
    private var secrets: [String: Secret]

    /// The declared defaults, with no keys.
    public init(defaultsOf declaration: FeedDeclaration) {
        values = [:]
        secrets = [:]
        for setting in declaration.settings {
            switch setting.kind {
            case .text(let text): values[setting.name] = .text(text)
            case .url(let address): values[setting.name] = .url(address)
            case .source: values[setting.name] = .text("")
            case .sources: values[setting.name] = .texts([])
            case .duration(_, let duration): values[setting.name] = .duration(duration)
            }
        }
    }

    /// The text of a setting, or where a list is kept; nil when the feed declares neither of this name.
    public func text(_ name: String) -> String? {
        guard case .text(let text)? = values[name] else { return nil }
        return text
    }

    /// Where the lists of a setting are kept; none when the feed declares no such setting.
    public func texts(_ name: String) -> [String] {
        guard case .texts(let texts)? = values[name] else { return [] }
        return texts
    }

    /// The address of a setting, without a slash at its end; nil when the feed declares no address of this name.
    public func url(_ name: String) -> String? {
        guard case .url(let address)? = values[name] else { return nil }
        return address
    }

    /// The duration of a setting; nil when the feed declares no duration of this name.
    public func duration(_ name: String) -> Duration? {
        guard case .duration(let duration)? = values[name] else { return nil }
        return duration
    }

    /// The key of this name ("NAME_APP_KEY"); nil when a person configured none.
    public func secret(_ name: String) -> Secret? {
        secrets[name]
    }

    /// Gives a setting its default.
    ///
    /// - Returns: whether it had another value.
    public mutating func reset(_ name: String, of declaration: FeedDeclaration) -> Bool {
        let standard = FeedSettings(defaultsOf: declaration).values[name]
        guard let standard, values[name] != standard else { return false }
        values[name] = standard
        return true
    }

    /// Gives a setting another value.
    public mutating func set(_ name: String, to value: Value) {
        values[name] = value
    }

    /// Gives a key; nil: none.
    public mutating func setSecret(_ name: String, to secret: Secret?) {
        secrets[name] = secret
    }
}
