public import BoardCore

/// Los Angeles' buses and rail by the API that LA Metro had in NextBus's days, which old proxies still speak.
///
/// A stop is one request. What predictions do not tell (names of stops and lines, and where a run goes) is asked for once
/// in twelve hours; a departure whose run nobody names has no destination.
public struct LAMetroFeed: DepartureFeed {
    private static let nameTTL: Duration = .seconds(12 * 3_600)
    private static let noticeTTL: Duration = .seconds(300)
    /// A route's list of runs; a busy stop has twenty routes.
    private static let mostRoutes = 256

    /// The constants of LA Metro.
    public let profile: FeedProfile
    /// Nil: nothing is configured.
    private let api: LAMetroAPI?
    private let cancelled: HTTPURL?
    private let transport: any HTTPTransport
    private let zone: Zone
    private let places: ResponseCache<LAMetroStopInfo>
    private let routes: ResponseCache<[LAMetroRoute]>
    private let runs: ResponseCache<[LAMetroRun]>
    private let messages: ResponseCache<[LAMetroMessage]>
    private let cancellations: ResponseCache<[LAMetroCancellation]>

    /// A feed of what it is given; the settings are those of ``declaration``.
    ///
    /// - Throws: ``FeedSettingFailure`` where an address may not be asked, or Los Angeles' zone cannot be had.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        profile = Self.profile(interval: context.settings.duration("interval") ?? Self.defaultInterval)
        api = try LAMetroAPI(context)
        cancelled = try Self.address("cancelled", context)
        transport = context.transport
        zone = try context.zone(Self.zoneName)
        places = ResponseCache(ttl: Self.nameTTL, clock: context.clock)
        routes = ResponseCache(ttl: Self.nameTTL, clock: context.clock)
        runs = ResponseCache(ttl: Self.nameTTL, capacity: Self.mostRoutes, clock: context.clock)
        messages = ResponseCache(ttl: Self.noticeTTL, backOff: Self.noticeTTL, clock: context.clock)
        cancellations = ResponseCache(ttl: Self.noticeTTL, backOff: Self.noticeTTL, clock: context.clock)
    }

    private static func address(_ setting: String, _ context: FeedContext) throws(FeedSettingFailure) -> HTTPURL? {
        guard let text = context.settings.nonEmptyText(setting) else { return nil }
        return try context.address(setting, text, rule: addressRule)
    }

    /// Asks for what is predicted at a stop, for names that are not known yet, and every five minutes for what riders are told.
    public func departures(_ question: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let (api, stop) = try connected(question.stop)
        async let place = places.value(stop.code) { () throws(FeedFailure) in try await api.place(stop) }
        async let lines = routes.value(stop.agency.rawValue) { () throws(FeedFailure) in
            try await api.routes(of: stop.agency)
        }
        async let told = messages.value(stop.code) { () throws(FeedFailure) in try await api.messages(at: stop) }
        let board = try await api.board(at: stop)
        let named = await runs(on: board, stop.agency, api)
        let names = await lines
        let called = Dictionary(
            (names.value ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let departures = board.departures(at: question.stop, names: called, runs: named.runs)
        let wanted = Set(question.lines.map { $0.lowercased() })
        let interest = called.values.filter { wanted.contains($0.name.lowercased()) }.map { $0.id.lowercased() }
        let cancelled = await cancelledTrips(of: wanted.union(interest), at: stop, board, api)
        let (known, notices) = (await place, await told)
        return FeedResponse(
            stop: Stop(id: question.stop, name: known.value?.name, zone: zone), departures: departures,
            alerts: (notices.value ?? []).map { Alert($0.text) } + cancelled.alerts,
            partialFailure: notices.failure ?? cancelled.partialFailure, badRows: board.badRows,
            requests: 1 + known.requests + names.requests + named.requests + notices.requests + cancelled.requests)
    }

    /// Nothing: the API tells the stops of a run without times, and of no vehicle which prediction is its own.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? { nil }

    /// Asks for the routes of a stop.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        let (api, stop) = try connected(stop)
        return try await api.routes(at: stop).map(\.line)
    }

    private func connected(_ id: StopID) throws(FeedFailure) -> (api: LAMetroAPI, stop: LAMetroStopCode) {
        guard let api else { throw LAMetroStatusPolicy.noAddress }
        guard let stop = LAMetroStopCode(id.code) else {
            throw FeedFailure(
                .unknownStop, detail: "LA Metro has no stop \(id.code): check the code in favourites.toml", requests: 0)
        }
        return (api, stop)
    }

    /// The runs that a board names, by their identifiers: the lists of all its routes at once.
    private func runs(
        on board: LAMetroPredictions, _ agency: LAMetroAgency, _ api: LAMetroAPI
    ) async -> (runs: [String: LAMetroRun], requests: Int) {
        await withTaskGroup(of: ResponseCache<[LAMetroRun]>.Lookup.self) { group in
            for route in board.routes.sorted().prefix(ResponseLimits.lookups) {
                let wanted = board.runs(of: route)
                group.addTask { [runs] in
                    await runs.value("\(agency.rawValue)/\(route)") { list in
                        wanted.isSubset(of: list.map(\.id))
                    } fetch: { () throws(FeedFailure) in
                        try await api.runs(of: route, agency)
                    }
                }
            }
            var found: [String: LAMetroRun] = [:]
            var requests = 0
            for await known in group {
                for run in known.value ?? [] { found[run.id] = run }
                requests += known.requests
            }
            return (found, requests)
        }
    }

    /// The cancelled trips of these lines; of all that call at the stop, where there are none.
    private func cancelledTrips(
        of lines: Set<String>, at stop: LAMetroStopCode, _ board: LAMetroPredictions, _ api: LAMetroAPI
    ) async -> (alerts: [Alert], partialFailure: FeedFailure?, requests: Int) {
        guard let cancelled else { return ([], nil, 0) }
        let told = await cancellations.value("") { [zone, transport] () throws(FeedFailure) in
            try await LAMetroAPI.cancellations(at: cancelled, in: zone, over: transport)
        }
        var requests = told.requests
        var lines = lines
        if lines.isEmpty {
            let calling = await routes.value(stop.code + "/routes") { () throws(FeedFailure) in
                try await api.routes(at: stop)
            }
            requests += calling.requests
            lines = Set(board.routes.union((calling.value ?? []).map(\.id)).map { $0.lowercased() })
        }
        let alerts = (told.value ?? []).filter { lines.contains($0.route.lowercased()) }.map(\.alert)
        return (alerts, told.failure, requests)
    }
}
