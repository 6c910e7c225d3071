public import BoardCore

/// All that a feed is given of the world: what a person configured, and the edges it may use.
public struct FeedContext: Sendable {
    /// Where a zone comes from, by its name, such as "Europe/London".
    public typealias ZoneSource = @Sendable (String) throws(FeedSettingFailure) -> Zone

    /// What a person configured, complete and checked.
    public let settings: FeedSettings
    /// What carries its questions.
    public let transport: any HTTPTransport
    /// The clocks by which it forgets what it keeps.
    public let clock: any MachineClock
    /// Where an operator's zone comes from. Asked while the feed is made, so that a zone that cannot be had is known
    /// at the start and not in the middle of a night; but for an operator whose own data names its zone.
    public let zone: ZoneSource
    /// What the feed may keep; nil: nothing, as when nobody may write, or for a recording.
    public let storage: FeedStorage?
    /// The codes of the favourites of the feed as they are now; nil: nobody says which there are.
    public let favourites: @Sendable () -> [String]?

    /// What a feed is given.
    public init(
        settings: FeedSettings, transport: any HTTPTransport, clock: any MachineClock, storage: FeedStorage? = nil,
        favourites: @escaping @Sendable () -> [String]? = { nil }, zone: @escaping ZoneSource
    ) {
        self.settings = settings
        self.transport = transport
        self.clock = clock
        self.storage = storage
        self.favourites = favourites
        self.zone = zone
    }

    /// The address of a setting: https, or http to this machine, without a query, since questions are added to it.
    ///
    /// - Parameter usual: what is asked where nothing is configured.
    /// - Throws: ``FeedSettingFailure`` where it is something else.
    func address(_ setting: String, default usual: String) throws(FeedSettingFailure) -> HTTPURL {
        try address(
            setting, settings.url(setting) ?? usual,
            rule: "must be an https address, or one of http to this machine, such as \(usual)")
    }

    /// An address that may be asked.
    ///
    /// - Parameter rule: what it must be, for the failure.
    func address(_ setting: String, _ text: String, rule: String) throws(FeedSettingFailure) -> HTTPURL {
        // A query, a name or a password may be a key: it is not repeated.
        guard !text.contains(where: { $0 == "?" || $0 == "@" }) else {
            throw FeedSettingFailure(
                setting: setting, detail: "found an address with a name, a password or a query in it; \(rule)")
        }
        guard let url = HTTPURL(text), url.scheme == .https || url.isLoopback else {
            throw FeedSettingFailure(setting: setting, detail: "\"\(text)\" \(rule)")
        }
        return url
    }
}

/// Where a feed that works from files of its own keeps them.
public struct FeedStorage: Sendable {
    /// A folder that survives everything, shared with others: names begin with the feed's.
    public let folder: String
    /// A folder that survives a restart of the program and need not survive one of the machine.
    public let runtimeFolder: String
    /// What carries large files, on a thread of its own that may wait for the disk; made when it is first wanted.
    public let download: @Sendable () -> any HTTPTransport
    /// The codes of the stops that will be asked about, as far as they are known: one pass over a large file serves all.
    public let stops: [String]
    /// Takes a sentence for the log.
    public let log: @Sendable (LogEntry) -> Void

    /// What a feed has to say beside its answers.
    public enum LogEntry: Hashable, Sendable {
        /// Something was done that a person may want to know.
        case completed(String)
        /// Something is otherwise than a person may think, and nothing is wrong.
        case info(String)
        /// Something is wrong from now on, though questions may still be answered.
        case warning(String)
        /// What was wrong is so no more.
        case recovered(String)
    }

    /// A place to keep files.
    ///
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
