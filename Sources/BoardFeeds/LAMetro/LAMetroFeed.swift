public import BoardCore
internal import BoardFormats

/// Los Angeles' buses and rail from LA Metro's old API of the NextBus era, which some proxies still offer.
///
/// A stop takes one request. What predictions lack (names of stops and lines, destinations of runs) is fetched every twelve
/// hours; a departure with an unknown run has no destination. Runs have no times and predictions no vehicles, so that there are
/// no details of a trip.
public struct LAMetroFeed: DepartureFeed {
    private static let nameTTL: Duration = .seconds(12 * 3_600)
    private static let messageTTL: Duration = .seconds(300)
    /// The most routes with cached runs; a busy stop has twenty routes.
    private static let maxRoutes = 256

    public let profile: FeedProfile
    /// Nil if no URL is configured.
    private let api: LAMetroAPI?
    private let zone: Zone
    private let places: ResponseCache<LAMetroStopInfo>
    private let routes: ResponseCache<[LAMetroRoute]>
    private let runs: ResponseCache<[LAMetroRun]>
    private let messages: ResponseCache<[LAMetroMessage]>
    private let cancellations: ResponseCache<[LAMetroCancellation]>

    /// - Throws: ``FeedSettingFailure`` for a disallowed URL, or if Los Angeles' zone cannot be loaded.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        profile = Self.profile(interval: context.settings.duration("interval") ?? Self.defaultInterval)
        api = try LAMetroAPI(context)
        zone = try context.zone(Self.zoneName)
        places = ResponseCache(ttl: Self.nameTTL, clock: context.clock)
        routes = ResponseCache(ttl: Self.nameTTL, clock: context.clock)
        runs = ResponseCache(ttl: Self.nameTTL, capacity: Self.maxRoutes, clock: context.clock)
        messages = ResponseCache(ttl: Self.messageTTL, backOff: Self.messageTTL, clock: context.clock)
        cancellations = ResponseCache(ttl: Self.messageTTL, backOff: Self.messageTTL, clock: context.clock)
    }

    /// Fetches the predictions at a stop, names that are not cached, and every five minutes rider messages and cancellations.
    public func departures(_ request: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let (api, stop) = try connected(request.stop)
        async let place = places.value(stop.code) { () throws(FeedFailure) in try await api.stopInfo(stop) }
        async let lines = routes.value(stop.agency.rawValue) { () throws(FeedFailure) in
            try await api.routes(of: stop.agency)
        }
        async let messageLookup = messages.value(stop.code) { () throws(FeedFailure) in try await api.messages(at: stop)
        }
        let board = try await api.board(at: stop)
        let runsByID = await runs(on: board, stop.agency, api)
        let names = await lines
        let routesByID = Dictionary(
            (names.value ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let departures = board.departures(at: request.stop, names: routesByID, runs: runsByID)
        let wanted = Set(request.lines.map { $0.lowercased() })
        let interest = routesByID.values.filter { wanted.contains($0.name.lowercased()) }.map { $0.id.lowercased() }
        let cancelled = await cancelledTrips(of: wanted.union(interest), at: stop, board, api)
        let (stopInfo, riderMessages) = (await place, await messageLookup)
        return FeedResponse(
            stop: Stop(id: request.stop, name: stopInfo.value?.name, zone: zone), departures: departures,
            alerts: (riderMessages.value ?? []).map { Alert($0.text) } + cancelled.alerts,
            partialFailure: riderMessages.failure ?? cancelled.partialFailure, badRows: board.badRows)
    }

    public func check(_ stop: StopID) async throws(FeedFailure) -> StopCheck {
        let (api, stop) = try connected(stop)
        return StopCheck(lines: try await api.routes(at: stop).map(\.line), zone: zone)
    }

    private func connected(_ id: StopID) throws(FeedFailure) -> (api: LAMetroAPI, stop: LAMetroStopCode) {
        guard let api else {
            throw FeedFailure(
                .unknownStop,
                detail: "LA Metro's own address of this API, api.metro.net, was retired: set url in boardd.toml, "
                    + "[feed.lametro], to a server with that API, or use LA Metro's GTFS ([feed.gtfs.lametro], see "
                    + "docs/cities.md)")
        }
        guard let stop = LAMetroStopCode(id.code) else {
            throw FeedFailure(
                .unknownStop, detail: "LA Metro has no stop \(id.code): check the code in favourites.toml")
        }
        return (api, stop)
    }

    /// The runs in the predictions, by their identifiers; the lists of all routes are fetched at once.
    private func runs(
        on board: LAMetroPredictions, _ agency: LAMetroAgency, _ api: LAMetroAPI
    ) async -> [String: LAMetroRun] {
        let routes = board.routes.sorted().prefix(ResponseLimits.lookups)
        let lookups = await routes.concurrentMap { [runs] route in
            let wanted = board.runs(of: route)
            return await runs.value("\(agency.rawValue)/\(route)") { list in
                wanted.isSubset(of: list.map(\.id))
            } fetch: { () throws(FeedFailure) in
                try await api.runs(of: route, agency)
            }
        }
        let found = lookups.flatMap { $0.value ?? [] }
        return Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The cancelled trips of these lines; if empty, of all that call at the stop.
    private func cancelledTrips(
        of lines: Set<String>, at stop: LAMetroStopCode, _ board: LAMetroPredictions, _ api: LAMetroAPI
    ) async -> (alerts: [Alert], partialFailure: FeedFailure?) {
        guard let url = api.cancelled else { return ([], nil) }
        let lookup = await cancellations.value("") { () throws(FeedFailure) in
            try await api.cancellations(at: url, in: zone)
        }
        var lines = lines
        if lines.isEmpty {
            let calling = await routes.value(stop.code + "/routes") { () throws(FeedFailure) in
                try await api.routes(at: stop)
            }
            lines = Set(board.routes.union((calling.value ?? []).map(\.id)).map { $0.lowercased() })
        }
        let alerts = (lookup.value ?? []).filter { lines.contains($0.route.lowercased()) }.map(\.alert)
        return (alerts, lookup.failure)
    }
}
