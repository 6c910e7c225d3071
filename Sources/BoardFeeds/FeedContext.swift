public import BoardCore
public import BoardFormats

/// The dependencies of a feed: its settings, transport, clocks, storage and time zones.
public struct FeedContext: Sendable {
    /// Loads a zone by its name, such as "Europe/London".
    public typealias ZoneSource = @Sendable (String) throws(FeedSettingFailure) -> Zone

    /// The feed's settings, complete and validated.
    public let settings: FeedSettings
    public let transport: any HTTPTransport
    /// The clocks that expire the feed's caches.
    public let clock: any MachineClock
    /// Loads the operator's zone. Called while the feed is made, so that a missing zone is reported at the start; later only
    /// for an operator whose own data names its zone.
    public let zone: ZoneSource
    /// Where the feed may store files; nil: nowhere, as without write permission or for a recording.
    public let storage: FeedStorage?
    /// The current favourites' stop codes of this feed; nil: unavailable.
    public let favourites: @Sendable () -> [String]?
    public let names: NameChoice

    public init(
        settings: FeedSettings, transport: any HTTPTransport, clock: any MachineClock, storage: FeedStorage? = nil,
        favourites: @escaping @Sendable () -> [String]? = { nil }, names: NameChoice = NameChoice(),
        zone: @escaping ZoneSource
    ) {
        self.settings = settings
        self.transport = CountingTransport(wrapping: transport)
        self.clock = clock
        self.storage = storage
        self.favourites = favourites
        self.names = names
        self.zone = zone
    }

    /// The URL of a setting: https, or http for loopback, without a query, since requests add their own.
    ///
    /// - Parameter usual: the URL if the setting is absent.
    /// - Throws: ``FeedSettingFailure`` for any other URL.
    func address(_ setting: String, default usual: String) throws(FeedSettingFailure) -> HTTPURL {
        try address(setting, settings.url(setting) ?? usual, rule: Self.rule(usual))
    }

    /// The URL of a setting without a default; nil: none is configured.
    ///
    /// - Throws: ``FeedSettingFailure`` for a disallowed URL.
    func optionalAddress(_ setting: String) throws(FeedSettingFailure) -> HTTPURL? {
        guard let text = settings.nonEmptyText(setting) else { return nil }
        return try address(setting, text, rule: Self.rule("http://127.0.0.1:8080"))
    }

    private static func rule(_ example: String) -> String {
        "must be an https address, or one of http to this machine, such as \(example)"
    }

    /// - Parameter rule: the requirement, for the failure's message.
    func address(_ setting: String, _ text: String, rule: String) throws(FeedSettingFailure) -> HTTPURL {
        // A query, a name or a password may be a key: the message must not repeat it.
        guard !text.contains(where: { $0 == "?" || $0 == "@" }) else {
            throw FeedSettingFailure(
                setting: setting, detail: "found a URL with user name, password or query; \(rule)")
        }
        guard let url = HTTPURL(text), url.scheme == .https || url.isLoopback else {
            throw FeedSettingFailure(setting: setting, detail: "\"\(text)\" \(rule)")
        }
        return url
    }
}

/// The file storage of a feed.
public struct FeedStorage: Sendable {
    /// A persistent folder, shared with other feeds: file names begin with the feed's name.
    public let folder: String
    /// A folder that survives a restart of the program; it need not survive a reboot.
    public let runtimeFolder: String
    /// Makes the transport for large files, on a thread of its own that may wait for the disk. Called at first use.
    public let download: @Sendable () -> any HTTPTransport
    /// The codes of the stops to prepare for, as far as they are configured: one pass over a large file serves all.
    public let stops: [String]
    public let log: @Sendable (LogEntry) -> Void

    public enum LogEntry: Hashable, Sendable {
        /// Completed work of interest to a user.
        case completed(String)
        /// An unexpected state that is not an error.
        case info(String)
        /// The start of a problem; requests may still succeed.
        case warning(String)
        /// The end of a problem.
        case recovered(String)
    }

    /// - Parameter runtimeFolder: nil: `folder`.
    public init(
        folder: String, runtimeFolder: String? = nil, stops: [String] = [],
        download: @escaping @Sendable () -> any HTTPTransport,
        log: @escaping @Sendable (LogEntry) -> Void = { _ in }
    ) {
        self.folder = folder
        self.runtimeFolder = runtimeFolder ?? folder
        self.stops = stops
        self.download = download
        self.log = log
    }
}
