internal import BoardCore
internal import BoardFeeds

/// Makes the feeds of a configuration over the transport that was asked for.
struct FeedFactory: Sendable {
    /// Where answers come from.
    enum Source: Sendable {
        /// From the operators; every exchange is kept in a folder if one is given.
        case live(record: String?)
        /// From a folder of recorded exchanges, which become the present.
        case replay(String)

        /// Whether the answers are of now.
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
    private let favourites = FavouriteStops()

    /// Opens the transport.
    ///
    /// - Parameters:
    ///   - folder: where feeds that keep files do so; but not those of a recording.
    ///   - note: takes what feeds have to say beside their answers.
    ///   - dates: takes the `Date` of every response to a question of the feeds.
    /// - Throws: ``RecordingFailure`` when a recording cannot be read or written.
    init(
        source: Source, clock: any MachineClock, zones: ZoneDirectory = ZoneDirectory(),
        folder: String = Folders(environment: Environment.current).state,
        runtimeFolder: String = Folders(environment: Environment.current).runtime,
        note: @escaping @Sendable (FeedStorage.LogEntry) -> Void = { _ in },
        dates: @escaping @Sendable (DateSample) -> Void = { _ in },
        onFailure: @escaping @Sendable (RecordingFailure) -> Void = { _ in }
    ) throws(RecordingFailure) {
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

    /// The operators of a configuration: those that are there once, in their order, then the cities by their names.
    static func operators(of settings: [FeedName: FeedSettings]) -> [FeedOperator] {
        let single = FeedRegistry.operators.map(\.declaration.name)
        let members = settings.keys.filter { !single.contains($0) }.map(\.description).sorted().map { FeedName($0) }
        return (single + members).compactMap(FeedRegistry.feedOperator)
    }

    /// The feeds of which a list of stops is kept: where the operator has one, and it is configured; of cities, which may be
    /// configured by the dozen, those in use.
    static func listed(of settings: [FeedName: FeedSettings], using used: Set<FeedName>) -> [FeedName] {
        let single = FeedRegistry.operators.map(\.declaration.name)
        return operators(of: settings).filter { known in
            let name = known.declaration.name
            guard single.contains(name) || used.contains(name) else { return false }
            let own = settings[name] ?? FeedSettings(defaultsOf: known.declaration)
            // One that cannot be made says so where it is asked for.
            return (try? known.catalogue(offlineContext(own)) == nil) != true
        }.map(\.declaration.name)
    }

    /// Why a feed's list of stops or lines cannot be had, now or ever; nil: it has one.
    static func missingListReason(aboutListOf feed: FeedName) -> String? {
        guard let known = FeedRegistry.feedOperator(feed), !known.hasCatalogue else { return nil }
        let way =
            known.declaration.searchesStops
            ? ": boardd stops search NAME --online asks \(known.declaration.title) itself" : ""
        return "\(feed) has no list of stops and lines that could be taken\(way)"
    }

    /// The feeds of every operator.
    ///
    /// - Parameters:
    ///   - stops: those that will be asked about, as far as they are known.
    ///   - saved: the favourites; nil: nobody says which there are, as where one stop is looked at.
    /// - Throws: ``FeedSettingFailure`` when one cannot be made, also for want of its zone's file.
    func feeds(
        _ settings: [FeedName: FeedSettings], asking stops: [StopID] = [], favourites saved: [StopID]? = nil
    ) throws(FeedSettingFailure) -> [FeedName: any DepartureFeed] {
        favourites.replace(saved)
        var feeds: [FeedName: any DepartureFeed] = [:]
        for known in Self.operators(of: settings) {
            feeds[known.declaration.name] = try feed(known, settings, asking: stops)
        }
        return feeds
    }

    /// The feed of one operator.
    ///
    /// - Parameter stops: those that will be asked about, as far as they are known.
    /// - Throws: ``FeedSettingFailure`` when it cannot be made, also for want of its zone's file.
    func feed(
        _ known: FeedOperator, _ settings: [FeedName: FeedSettings], asking stops: [StopID] = []
    ) throws(FeedSettingFailure) -> any DepartureFeed {
        let name = known.declaration.name
        let context = FeedContext(
            settings: settings[name] ?? FeedSettings(defaultsOf: known.declaration), transport: transport,
            clock: clock, storage: storage(of: name, stops),
            favourites: { [favourites] in favourites.codes(of: name) }, zone: zone)
        return try known.feed(context, replaying: replay)
    }

    /// Tells all feeds which stops are the favourites from now on.
    func setFavourites(_ stops: [StopID]) { favourites.replace(stops) }

    /// One operator's own list of its stops; nil where it has none. Its transport is its own, so that a list that comes is
    /// never in the way of departures, and goes with it.
    ///
    /// - Parameter stops: those that somebody looks at: what is taken for the list must do for them as well.
    /// - Throws: ``FeedSettingFailure`` when it cannot be made.
    func catalogue(
        of feed: FeedName, _ settings: [FeedName: FeedSettings], asking stops: [StopID]
    ) throws(FeedSettingFailure) -> (any StopCatalogue)? {
        guard let known = FeedRegistry.feedOperator(feed) else { return nil }
        let own: any HTTPTransport =
            switch source {
            case .live: CurlTransport(userAgent: Version.userAgent, clock: clock, concurrency: 1)
            case .replay: transport
            }
        return try known.catalogue(
            FeedContext(
                settings: settings[feed] ?? FeedSettings(defaultsOf: known.declaration), transport: own, clock: clock,
                storage: storage(of: feed, stops, over: own), zone: zone))
    }

    /// Where a feed keeps files. What is large has a transport of its own, so that it is never in the way of departures.
    private func storage(
        of feed: FeedName, _ stops: [StopID], over own: (any HTTPTransport)? = nil
    ) -> FeedStorage? {
        guard source.isLive else { return nil }
        let clock = clock
        return FeedStorage(
            folder: folder, runtimeFolder: runtimeFolder, stops: stops.filter { $0.feed == feed }.map(\.code),
            download: { own ?? CurlTransport(userAgent: Version.userAgent, clock: clock, concurrency: 1) }, log: note)
    }

    /// Why no feed can be made of these settings; nil where one can. Nobody is asked.
    static func failure(of feed: FeedName, _ settings: FeedSettings) -> FeedSettingFailure? {
        guard let known = FeedRegistry.feedOperator(feed) else { return nil }
        let context = offlineContext(settings)
        do {
            _ = try known.feed(context)
            _ = try known.catalogue(context)
            return nil
        } catch {
            return error
        }
    }

    /// A context of these settings in which nobody is asked.
    private static func offlineContext(_ settings: FeedSettings) -> FeedContext {
        let zones = ZoneDirectory()
        return FeedContext(settings: settings, transport: Nobody(), clock: SystemClock()) {
            name throws(FeedSettingFailure) in try zone(name, in: zones)
        }
    }

    /// A zone of this machine's files.
    @Sendable private func zone(_ name: String) throws(FeedSettingFailure) -> Zone { try Self.zone(name, in: zones) }

    private static func zone(_ name: String, in zones: ZoneDirectory) throws(FeedSettingFailure) -> Zone {
        do {
            return try zones.zone(named: name)
        } catch {
            throw FeedSettingFailure(setting: "zone", detail: "\(error)")
        }
    }
}

/// What carries no question.
private struct Nobody: HTTPTransport {
    func get(_ request: HTTPRequest, body sink: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        throw HTTPFailure(.cancelled, of: request.url, detail: "nobody is asked")
    }
}
