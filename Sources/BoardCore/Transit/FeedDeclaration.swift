/// A feed's declaration of its configuration: its table in boardd.toml, its keys in keys.env and its stop identifiers.
/// No other file contains the feed's name.
public struct FeedDeclaration: Sendable {
    /// The name in configuration and stop identifiers: `[feed.NAME]`, `NAME:code`.
    public let name: FeedName
    /// The operator's name in messages.
    public let title: String
    public let settings: [SettingDeclaration]
    /// The names of its keys in keys.env and in the environment.
    public let secrets: [String]
    /// Whether the feed can filter by calling point: a favourite's `towards`.
    public let takesTowards: Bool
    /// Whether the operator searches its stops itself, because its list is too large for this machine; its feed then
    /// has a ``StopFinder``.
    public let searchesStops: Bool
    /// The code of a stop that there will always be: its check shows whether a key is right before there is a favourite.
    /// Nil: the operator's list of stops shows it.
    public let sampleStop: String?

    private let usesSecret: @Sendable (FeedSettings, String) -> Bool
    private let check: @Sendable (String) -> String?
    private let secretWarning: @Sendable (String, Secret) -> String?

    /// - Parameter usesSecret: whether a feed with these settings uses the key of this name.
    public init(
        name: FeedName, title: String, settings: [SettingDeclaration] = [], secrets: [String] = [],
        usesSecret: @escaping @Sendable (FeedSettings, String) -> Bool = { _, _ in true },
        takesTowards: Bool = false, searchesStops: Bool = false, sampleStop: String? = nil,
        check: @escaping @Sendable (String) -> String? = { _ in nil },
        secretWarning: @escaping @Sendable (String, Secret) -> String? = { _, _ in nil }
    ) {
        self.name = name
        self.title = title
        self.settings = settings
        self.secrets = secrets
        self.usesSecret = usesSecret
        self.takesTowards = takesTowards
        self.searchesStops = searchesStops
        self.sampleStop = sampleStop
        self.check = check
        self.secretWarning = secretWarning
    }

    /// The names of the keys that a feed with these settings uses, or that are configured.
    public func secrets(of settings: FeedSettings) -> [String] {
        secrets.filter { usesSecret(settings, $0) || settings.secret($0) != nil }
    }

    /// What is wrong with a stop's code, as the end of a sentence that begins with the code ("must be letters and
    /// digits, such as 490008660N"); nil when the format is valid. Sends no request.
    public func problem(aboutStop code: String) -> String? { check(code) }

    /// The problem with the format of a key: a sentence without a full stop that contains the remedy but not the key;
    /// nil when there is none. Only the operator can verify the key.
    public func warning(about secret: Secret, named name: String) -> String? { secretWarning(name, secret) }
}

/// The declarations of all feeds, for code that reads or writes configuration.
public struct FeedDeclarations: Sendable {
    /// The feeds with one instance each, in listing order.
    public let feeds: [FeedDeclaration]
    /// The kinds of feed with an instance for each configured table.
    public let families: [FeedFamily]

    public init(_ feeds: [FeedDeclaration], families: [FeedFamily] = []) {
        self.feeds = feeds
        self.families = families
    }

    /// The declaration of a feed; nil when there is neither a feed nor a family for the name.
    public subscript(name: FeedName) -> FeedDeclaration? {
        feeds.first { $0.name == name } ?? families.lazy.compactMap { $0.member(name) }.first
    }

    /// The only possible feed; nil when there are several.
    public var only: FeedDeclaration? { families.isEmpty && feeds.count == 1 ? feeds.first : nil }

    /// The names as configured: `tfl`, and `gtfs.NAME` for a family.
    public var names: [String] { feeds.map(\.name.description) + families.map(\.placeholder) }
}

/// Feeds of one kind, with one instance for each table `[feed.FAMILY.NAME]`: one per city.
public struct FeedFamily: Sendable {
    private static let maximumNameLength = 32

    /// The prefix of its feeds' names: `gtfs` of `gtfs.lametro`.
    public let name: String
    private let declare: @Sendable (FeedName) -> FeedDeclaration

    public init(_ name: String, declare: @escaping @Sendable (FeedName) -> FeedDeclaration) {
        self.name = name
        self.declare = declare
    }

    /// The names of its feeds, for messages.
    public var placeholder: String { "\(name).NAME" }

    /// The declaration of a member; nil when the name is not in the family.
    public func member(_ feed: FeedName) -> FeedDeclaration? {
        let prefix = name + "."
        let rest = feed.description.dropFirst(prefix.count)
        guard feed.description.hasPrefix(prefix), Self.isName(rest) else { return nil }
        return declare(feed)
    }

    /// Whether the text is a valid member name: lower-case letters, digits and hyphens. The name becomes part of file
    /// names and, in capitals, of key names.
    public static func isName(_ text: some StringProtocol) -> Bool {
        (1...maximumNameLength).contains(text.utf8.count) && text.first != "-"
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}

/// One setting of a feed's table in boardd.toml.
public struct SettingDeclaration: Hashable, Sendable {
    /// The type of the value and its default.
    public enum Kind: Hashable, Sendable {
        /// One line of text that is not empty.
        case text(default: String = "")
        /// The address of an API: https, or http when the host is this machine. Without a trailing slash.
        case url(default: String)
        /// The location of a list: an https address (http to this machine), an absolute path, or "" (the default) for
        /// none.
        case source
        /// The location of a file: an address with no key in its query, or an absolute path; "" (the default): not set.
        case location
        /// Locations, each an https address (http to this machine) as in ``location``, or a path; none by default.
        case sources
        /// A duration in a range, written "30s", "4m" or "1h".
        case duration(ClosedRange<Duration>, default: Duration)
    }

    /// The key, in lower case with underscores.
    public let name: String
    public let kind: Kind
    /// A few words for the comment in boardd.toml.
    public let comment: String

    public init(_ name: String, _ kind: Kind, _ comment: String) {
        self.name = name
        self.kind = kind
        self.comment = comment
    }
}

/// The settings and keys of one feed, complete and validated.
///
/// Contains every setting that the feed declares; those that are not configured have their defaults.
public struct FeedSettings: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        case text(String)
        case texts([String])
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
            case .text(let text), .url(let text): values[setting.name] = .text(text)
            case .source, .location: values[setting.name] = .text("")
            case .sources: values[setting.name] = .texts([])
            case .duration(_, let duration): values[setting.name] = .duration(duration)
            }
        }
    }

    /// The text, address (without a trailing slash) or location; nil when the feed declares none under this name.
    public func text(_ name: String) -> String? {
        guard case .text(let text)? = values[name] else { return nil }
        return text
    }

    /// The locations of the lists of a setting; empty when the feed declares no such setting.
    public func texts(_ name: String) -> [String] {
        guard case .texts(let texts)? = values[name] else { return [] }
        return texts
    }

    /// The duration; nil when the feed declares no duration under this name.
    public func duration(_ name: String) -> Duration? {
        guard case .duration(let duration)? = values[name] else { return nil }
        return duration
    }

    /// The key of this name ("NAME_APP_KEY"); nil when it is not configured.
    public func secret(_ name: String) -> Secret? { secrets[name] }

    /// Resets a setting to its default; returns whether the value changed.
    public mutating func reset(_ name: String, of declaration: FeedDeclaration) -> Bool {
        let standard = FeedSettings(defaultsOf: declaration).values[name]
        guard let standard, values[name] != standard else { return false }
        values[name] = standard
        return true
    }

    public mutating func set(_ name: String, to value: Value) { values[name] = value }

    /// Sets or, with nil, removes a key.
    public mutating func setSecret(_ name: String, to secret: Secret?) { secrets[name] = secret }
}
