/// The settings and keys of one feed, complete and validated.
///
/// Contains every setting that the feed declares; those that are not configured have their defaults.
public struct FeedSettings: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        case text(String)
        case texts([String])
        case url(String)
        case duration(Duration)
    }

    private var values: [String: Value]
    private var secrets: [String: Secret]

    /// The declared defaults, without keys.
    public init(defaultsOf declaration: FeedDeclaration) {
        values = [:]
        secrets = [:]
        for setting in declaration.settings {
            switch setting.kind {
            case .text(let text): values[setting.name] = .text(text)
            case .url(let address): values[setting.name] = .url(address)
            case .source, .location: values[setting.name] = .text("")
            case .sources: values[setting.name] = .texts([])
            case .duration(_, let duration): values[setting.name] = .duration(duration)
            }
        }
    }

    /// The value of a text setting, or the location of a list; nil when the feed declares neither under this name.
    public func text(_ name: String) -> String? {
        guard case .text(let text)? = values[name] else { return nil }
        return text
    }

    /// The locations of the lists of a setting; empty when the feed declares no such setting.
    public func texts(_ name: String) -> [String] {
        guard case .texts(let texts)? = values[name] else { return [] }
        return texts
    }

    /// The address without a trailing slash; nil when the feed declares no address under this name.
    public func url(_ name: String) -> String? {
        guard case .url(let address)? = values[name] else { return nil }
        return address
    }

    /// The duration; nil when the feed declares no duration under this name.
    public func duration(_ name: String) -> Duration? {
        guard case .duration(let duration)? = values[name] else { return nil }
        return duration
    }

    /// The key of this name ("NAME_APP_KEY"); nil when it is not configured.
    public func secret(_ name: String) -> Secret? {
        secrets[name]
    }

    /// Resets a setting to its default; returns whether the value changed.
    public mutating func reset(_ name: String, of declaration: FeedDeclaration) -> Bool {
        let standard = FeedSettings(defaultsOf: declaration).values[name]
        guard let standard, values[name] != standard else { return false }
        values[name] = standard
        return true
    }

    public mutating func set(_ name: String, to value: Value) {
        values[name] = value
    }

    /// Sets or, with nil, removes a key.
    public mutating func setSecret(_ name: String, to secret: Secret?) {
        secrets[name] = secret
    }
}
