/// What a feed declares of its configuration, so that no other file learns its name: its table of boardd.toml, its
/// keys in keys.env, and what its stops are called.
public struct FeedDeclaration: Sendable {
    /// The name in configuration and stop identifiers: `[feed.NAME]`, `NAME:code`.
    public let name: FeedName
    /// The operator's name for people.
    public let title: String
    /// The keys of its table.
    public let settings: [SettingDeclaration]
    /// The names of its keys in keys.env and in the environment.
    public let secrets: [String]
    /// Whether the feed can leave out what does not call at another stop: a favourite's `towards`.
    public let takesTowards: Bool
    /// Whether its operator searches its stops itself, since its list is too large to be kept on this machine.
    public let searchesStops: Bool

    private let usesSecret: @Sendable (FeedSettings, String) -> Bool
    private let check: @Sendable (String) -> String?
    private let secretWarning: @Sendable (String, Secret) -> String?

    /// A declaration.
    ///
    /// - Parameters:
    ///   - name: the name in configuration and stop identifiers.
    ///   - title: the operator's name for people.
    ///   - settings: the keys of its table.
    ///   - secrets: the names of its keys in keys.env.
    ///   - usesSecret: whether a feed of these settings makes use of the key of a name.
    ///   - takesTowards: whether the feed can leave out what does not call at another stop.
    ///   - searchesStops: whether its operator searches its stops itself; its feed has a ``StopFinder`` then.
    ///   - check: what is wrong with a stop's code, as the end of a sentence that begins with the code
    ///     ("must be letters and digits, such as 490008660N"); nil when it may be one. It asks nobody.
    ///   - secretWarning: what the look of a key says against it, given its name, as a sentence without an end that says what to do
    ///     and does not repeat the key; nil when nothing does. It asks nobody.
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

    /// The names of the keys that a feed of these settings makes use of, or was given.
    public func secrets(of settings: FeedSettings) -> [String] {
        secrets.filter { usesSecret(settings, $0) || settings.secret($0) != nil }
    }

    /// What is wrong with a stop's code, as the end of a sentence that begins with the code; nil when it may be one.
    public func problem(aboutStop code: String) -> String? {
        check(code)
    }

    /// What the look of a key says against it, as a sentence without an end; nil when nothing does. It is no proof: only
    /// the operator knows its keys.
    public func warning(about secret: Secret, named name: String) -> String? {
        secretWarning(name, secret)
    }
}
