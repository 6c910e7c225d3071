import BoardCore
import BoardDisplays
import BoardFeeds
import BoardIO
import BoardStore

/// Makes the feeds of a configuration over a live or a recorded transport.
struct FeedFactory: Sendable {
    /// Where responses come from.
    enum Source: Sendable {
        /// The operators; a folder records every response.
        case live(record: String?)
        /// A folder of recorded responses, whose times are moved to the present.
        case replay(String)

        var isLive: Bool {
            if case .live = self { true } else { false }
        }
    }

    private let source: Source
    private let transport: any HTTPTransport
    private let replay: ReplayTransport?
    private let clock: any MachineClock
    private let zones: ZoneDirectory
    private let folder: String
    private let runtimeFolder: String
    private let note: @Sendable (FeedStorage.LogEntry) -> Void
    /// The current favourites: a feed outlives many changes to them. Nil: not set.
    let favourites = Locked<[StopID]?>(nil)

    /// Opens the transport.
    ///
    /// - Parameters:
    ///   - folder: where feeds store files; not used in a replay.
    ///   - note: receives log entries of the feeds.
    ///   - dates: receives the `Date` of every response to a feed's request.
    /// - Throws: ``FileError`` of the kind `recording` when a recording cannot be read or written.
    init(
        source: Source, clock: any MachineClock, zones: ZoneDirectory = ZoneDirectory(),
        folder: String = Folders(environment: Environment.current).state,
        runtimeFolder: String = Folders(environment: Environment.current).runtime,
        note: @escaping @Sendable (FeedStorage.LogEntry) -> Void = { _ in },
        dates: @escaping @Sendable (DateSample) -> Void = { _ in },
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        self.source = source
        self.clock = clock
        self.zones = zones
        self.folder = folder
        self.runtimeFolder = runtimeFolder
        self.note = note
        switch source {
        case .live(let directory):
            let curl = DateSamplingTransport(
                wrapping: CurlTransport(userAgent: Version.userAgent, clock: clock), report: dates)
            replay = nil
            guard let directory else {
                transport = curl
                return
            }
            transport = try RecordingTransport(wrapping: curl, directory: directory, onFailure: onFailure)
        case .replay(let directory):
            let recorded = try ReplayTransport(directory: directory, clock: clock)
            replay = recorded
            transport = recorded
        }
    }

    /// The operators of a configuration: single ones in the order of the registry, then cities by name.
    static func operators(of settings: [FeedName: FeedSettings]) -> [FeedOperator] {
        let single = FeedRegistry.operators.map(\.declaration.name)
        let members = settings.keys.filter { !single.contains($0) }.map(\.description).sorted().map { FeedName($0) }
        return (single + members).compactMap(FeedRegistry.feedOperator)
    }

    /// The feeds with a stop list to download: those in use, and operators whose list was configured. Operators that
    /// are always configured, and cities, of which there may be dozens, count only if they are in use.
    static func listed(of settings: [FeedName: FeedSettings], using used: Set<FeedName>) -> [FeedName] {
        let single = FeedRegistry.operators.map(\.declaration.name)
        return operators(of: settings).filter { feedOperator in
            let name = feedOperator.declaration.name
            let defaults = FeedSettings(defaultsOf: feedOperator.declaration)
            if !used.contains(name) {
                let needsNoSetting = (try? feedOperator.catalogue(offlineContext(defaults))) != nil
                guard single.contains(name), !needsNoSetting else { return false }
            }
            let own = settings[name] ?? defaults
            // A feed that cannot be made reports that when it is used.
            return (try? feedOperator.catalogue(offlineContext(own)) == nil) != true
        }.map(\.declaration.name)
    }

    /// The feeds of every operator.
    ///
    /// - Parameter stops: those that will be polled; nil: the favourites.
    /// - Throws: ``FeedSettingError`` when one cannot be made, also when the file of its zone is missing.
    func feeds(
        _ configuration: Configuration, stops: [StopID]? = nil
    ) throws(FeedSettingError) -> [FeedName: any DepartureFeed] {
        favourites.value = configuration.favourites.map(\.stop)
        var feeds: [FeedName: any DepartureFeed] = [:]
        for feedOperator in Self.operators(of: configuration.feeds) {
            feeds[feedOperator.declaration.name] = try feed(feedOperator, configuration, stops: stops)
        }
        return feeds
    }

    /// The feed of one operator, as in ``feeds(_:stops:)``.
    func feed(
        _ feedOperator: FeedOperator, _ configuration: Configuration, stops: [StopID]? = nil
    ) throws(FeedSettingError) -> any DepartureFeed {
        let name = feedOperator.declaration.name
        let context = FeedContext(
            settings: configuration.feeds[name] ?? FeedSettings(defaultsOf: feedOperator.declaration),
            transport: transport, clock: clock,
            storage: storage(of: name, stops ?? configuration.favourites.map(\.stop)),
            favourites: { [favourites] in favourites.value?.filter { $0.feed == name }.map(\.code) },
            names: configuration.names, zone: zones.ofFeed)
        return try feedOperator.feed(context, replaying: replay)
    }

    /// The stop list of one operator; nil if it has none. It has a transport of its own, so that a download never
    /// delays departures, and both are released together.
    ///
    /// - Parameter stops: those that a downloaded list must serve as well; nil: the favourites.
    /// - Throws: ``FeedSettingError`` when it cannot be made.
    func catalogue(
        of feed: FeedName, _ configuration: Configuration, stops: [StopID]? = nil
    ) throws(FeedSettingError) -> (any StopCatalogue)? {
        guard let feedOperator = FeedRegistry.feedOperator(feed) else { return nil }
        let own: any HTTPTransport =
            switch source {
            case .live: CurlTransport(userAgent: Version.userAgent, clock: clock, concurrency: 1)
            case .replay: transport
            }
        return try feedOperator.catalogue(
            FeedContext(
                settings: configuration.feeds[feed] ?? FeedSettings(defaultsOf: feedOperator.declaration),
                transport: own, clock: clock,
                storage: storage(of: feed, stops ?? configuration.favourites.map(\.stop), over: own),
                names: configuration.names, zone: zones.ofFeed))
    }

    /// Where a feed stores files. Large downloads have a transport of their own, so that they never delay departures.
    private func storage(of feed: FeedName, _ stops: [StopID], over own: (any HTTPTransport)? = nil) -> FeedStorage? {
        guard source.isLive else { return nil }
        let clock = clock
        return FeedStorage(
            folder: folder, runtimeFolder: runtimeFolder, stops: stops.filter { $0.feed == feed }.map(\.code),
            download: { own ?? CurlTransport(userAgent: Version.userAgent, clock: clock, concurrency: 1) }, log: note)
    }

    /// Why no feed can be made from these settings; nil if one can. Sends no request.
    static func failure(of feed: FeedName, _ settings: FeedSettings) -> FeedSettingError? {
        guard let feedOperator = FeedRegistry.feedOperator(feed) else { return nil }
        let context = offlineContext(settings)
        do {
            _ = try feedOperator.feed(context)
            _ = try feedOperator.catalogue(context)
            return nil
        } catch {
            return error
        }
    }

    /// A context with these settings that sends no request.
    private static func offlineContext(_ settings: FeedSettings) -> FeedContext {
        FeedContext(
            settings: settings, transport: OfflineTransport(), clock: SystemClock(), zone: ZoneDirectory().ofFeed)
    }
}

extension Configuration {
    /// Whether the feeds of another configuration serve this one, too.
    func hasFeeds(of other: Configuration) -> Bool {
        feeds == other.feeds && board.language == other.board.language && display.drawnText == other.display.drawnText
    }

    fileprivate var names: NameChoice { NameChoice(language: board.language, drawn: display.drawnText.text) }
}

extension ZoneDirectory {
    /// The zone named in a feed's setting.
    @Sendable fileprivate func ofFeed(_ name: String) throws(FeedSettingError) -> Zone {
        do {
            return try zone(named: name)
        } catch {
            throw FeedSettingError(setting: "zone", detail: "\(error)")
        }
    }
}

private struct OfflineTransport: HTTPTransport {
    func get(_ request: HTTPRequest, body sink: @escaping HTTPBodySink) async throws(HTTPError) -> HTTPResponse {
        throw HTTPError(.cancelled, of: request.url, detail: "offline: no request sent")
    }
}
