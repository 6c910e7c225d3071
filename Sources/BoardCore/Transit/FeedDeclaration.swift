/// A feed's declaration of its configuration: its table of boardd.toml, its keys in keys.env and its stop identifiers.
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
    /// Whether the operator searches its stops itself, because its list is too large for this machine; its feed then has
    /// a ``StopFinder``.
    public let searchesStops: Bool

    private let usesSecret: @Sendable (FeedSettings, String) -> Bool
    private let check: @Sendable (String) -> String?
    private let secretWarning: @Sendable (String, Secret) -> String?

    /// - Parameter usesSecret: whether a feed with these settings uses the key of this name.
    public init(
        name: FeedName, title: String, settings: [SettingDeclaration] = [], secrets: [String] = [],
        usesSecret: @escaping @Sendable (FeedSettings, String) -> Bool = { _, _ in true },
        takesTowards: Bool = false, searchesStops: Bool = false,
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
        self.check = check
        self.secretWarning = secretWarning
    }

    /// The names of the keys that a feed with these settings uses, or that are configured.
    public func secrets(of settings: FeedSettings) -> [String] {
        secrets.filter { usesSecret(settings, $0) || settings.secret($0) != nil }
    }

    /// The fault of a stop's code, as the end of a sentence that begins with the code ("must be letters and digits, such
    /// as 490008660N"); nil when the format is valid. Sends no request.
    public func problem(aboutStop code: String) -> String? {
        check(code)
    }

    /// The problem with the format of a key: a sentence without a full stop that contains the remedy and not the key; nil
    /// when there is none. Only the operator can verify the key.
    public func warning(about secret: Secret, named name: String) -> String? {
        secretWarning(name, secret)
    }
}
