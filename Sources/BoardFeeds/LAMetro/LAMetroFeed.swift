public import BoardCore

/// Los Angeles' buses and rail from LA Metro's old API of the NextBus era, which some proxies still offer.
///
/// A stop takes one request. What predictions lack (names of stops and lines, destinations of runs) is fetched every
/// twelve hours; a departure with an unknown run has no destination. Runs have no times and predictions no vehicles, so
/// there are no trip details.
public struct LAMetroFeed: DepartureFeed {
    private static let nameTTL: Duration = .seconds(12 * 3_600)
    private static let messageTTL: Duration = .seconds(300)
    /// The most routes with cached runs; a busy stop has twenty routes.
    private static let maximumRoutes = 256

    public let profile: FeedProfile
    /// Nil if no URL is configured.
    private let api: LAMetroAPI?
    private let zone: Zone
    private let places: ResponseCache<LAMetroStopInfo>
    private let routes: ResponseCache<[Line]>
    private let runs: ResponseCache<[LAMetroRun]>
    private let messages: ResponseCache<[String]>
    private let cancellations: ResponseCache<[LAMetroCancellation]>

    public init(_ context: FeedContext) throws(FeedSettingError) {
        profile = Self.profile(interval: context.settings[duration: "interval"])
        api = try LAMetroAPI(context)
        zone = try context.zone(Self.zoneName)
        places = ResponseCache(ttl: Self.nameTTL, clock: context.clock)
        routes = ResponseCache(ttl: Self.nameTTL, clock: context.clock)
        runs = ResponseCache(ttl: Self.nameTTL, capacity: Self.maximumRoutes, clock: context.clock)
        messages = ResponseCache(ttl: Self.messageTTL, backOff: Self.messageTTL, clock: context.clock)
        cancellations = ResponseCache(ttl: Self.messageTTL, backOff: Self.messageTTL, clock: context.clock)
    }

    /// Fetches a stop's predictions, uncached names and, every five minutes, rider messages and cancellations.
    public func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        let (api, stop) = try connected(request.stop)
        async let place = places.value(stop.code) { try await api.stopInfo(stop) }
        async let lines = routes.value(stop.agency.rawValue) { try await api.routes(of: stop.agency) }
        async let messageLookup = messages.value(stop.code) { try await api.messages(at: stop) }
        let board = try await api.board(at: stop)
        let runsByID = await runs(on: board, stop.agency, api)
        let names = await lines
        let routesByID = Dictionary((names.value ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let departures = board.departures(at: request.stop, names: routesByID, runs: runsByID)
        let wanted = Set(request.lines.map { $0.lowercased() })
        let interest = routesByID.values.filter { wanted.contains($0.name.lowercased()) }.map { $0.id.lowercased() }
        let cancelled = await cancelledTrips(of: wanted.union(interest), at: stop, board, api)
        let (stopInfo, riderMessages) = (await place, await messageLookup)
        return FeedResponse(
            stop: Stop(id: request.stop, name: stopInfo.value?.name, zone: zone), departures: departures,
            alerts: (riderMessages.value ?? []).map { Alert($0) } + cancelled.alerts,
            partialFailure: riderMessages.failure ?? cancelled.partialFailure, badRows: board.badRows)
    }

    public func check(_ stop: StopID) async throws(FeedError) -> StopCheck {
        let (api, stop) = try connected(stop)
        return StopCheck(lines: try await api.routes(at: stop), zone: zone)
    }

    private func connected(_ id: StopID) throws(FeedError) -> (api: LAMetroAPI, stop: LAMetroStopCode) {
        guard let api else {
            throw FeedError(
                .unknownStop,
                detail: "LA Metro's own server for this API, api.metro.net, was retired: set url in boardd.toml, "
                    + "[feed.lametro], to a server with that API, or use LA Metro's GTFS ([feed.gtfs.lametro], see "
                    + "docs/cities.md)")
        }
        guard let stop = LAMetroStopCode(id.code) else {
            throw FeedError(.unknownStop, detail: "LA Metro has no stop \(id.code): check the code in favourites.toml")
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
            } fetch: {
                try await api.runs(of: route, agency)
            }
        }
        let found = lookups.flatMap { $0.value ?? [] }
        return Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The cancelled trips of these lines; if there are none, of all lines that call at the stop.
    private func cancelledTrips(
        of lines: Set<String>, at stop: LAMetroStopCode, _ board: LAMetroPredictions, _ api: LAMetroAPI
    ) async -> (alerts: [Alert], partialFailure: FeedError?) {
        guard let url = api.cancelled else { return ([], nil) }
        let lookup = await cancellations.value("") { try await api.cancellations(at: url, in: zone) }
        var lines = lines
        if lines.isEmpty {
            let calling = await routes.value(stop.code + "/routes") { try await api.routes(at: stop) }
            lines = Set(board.routes.union((calling.value ?? []).map(\.id)).map { $0.lowercased() })
        }
        let alerts = (lookup.value ?? []).filter { lines.contains($0.route.lowercased()) }.map(\.alert)
        return (alerts, lookup.failure)
    }
}

extension LAMetroFeed {
    public static let name = FeedName("lametro")

    static let title = "LA Metro"
    static let zoneName = "America/Los_Angeles"
    static let expiry = ExpiryPolicy()

    public static let declaration = FeedDeclaration(
        name: name, title: title,
        settings: [
            .init("url", .source, "base URL of a server with LA Metro's old API (api.metro.net is retired)"),
            .init("cancelled", .source, "URL of CanceledService; \"\": none"),
            .init(
                "interval", .duration(.seconds(15)...(.seconds(3_600)), default: .seconds(30)),
                "between two polls of a stop"),
        ],
        check: { code in
            LAMetroStopCode(code) == nil
                ? "must be the number on the stop's pole, such as 30005, or rail/80122 for rail" : nil
        })

    /// The rail lines' names at the time of this API, by their numbers.
    static let shortLines = ["801": "Blue", "802": "Red", "803": "Grn", "804": "Gold", "805": "Purp", "806": "Expo"]

    /// A prediction is relative to its response, so it is as old as the last poll: stale after 180 s, when several have
    /// failed. No quota was ever published; this one is a safeguard.
    static func profile(interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, shortTitle: "Metro", attribution: "Data of LA Metro", expiry: expiry,
            suffixes: [" Station"], shortLines: shortLines, interval: interval,
            quota: .init(requests: 60, per: .seconds(60)))
    }
}

/// A cancelled passenger trip, from `{"CanceledService":[…]}`, whose members are all texts with leading blanks.
struct LAMetroCancellation: Hashable, Sendable {
    /// Types of trips to, from and between depots. All other types carry passengers.
    private static let empty: Set = ["OUT", "IN", "DH"]
    /// How long before a trip's start the alert begins.
    private static let lead: Duration = .seconds(3_600)
    /// Hours continue after midnight; a service day has at most 48.
    private static let hours = 0..<48

    let route: String
    let alert: Alert

    /// Decodes a response: the object, or its array alone. Trips without passengers are skipped, not bad rows.
    ///
    /// - Returns: the distinct trips, and the number of malformed ones.
    static func list(_ body: [UInt8], in zone: Zone) throws(FormatError) -> (trips: [LAMetroCancellation], bad: Int) {
        let rows = try JSONDocument(body).items("CanceledService").validRows { row -> [LAMetroCancellation]? in
            if let kind = row.text("trp_type"), empty.contains(kind.uppercased()) { return [] }
            return LAMetroCancellation(row, in: zone).map { [$0] }
        }
        return (rows.good.flatMap(\.self).uniqued(), rows.bad)
    }

    private init?(_ row: JSONRow, in zone: Zone) {
        guard let route = row.text("trp_route"), let date = row.text("dpce_date").flatMap(Self.date),
            let start = row.text("trp_time_start").flatMap(Self.minutes), let from = Self.moment(date, start, in: zone)
        else { return nil }
        // A trip without a readable end lasts an hour.
        let end = row.text("trp_time_end").flatMap(Self.minutes).flatMap { end in
            Self.moment(end < start ? CivilDate(daysSince1970: date.daysSince1970 + 1) : date, end, in: zone)
        }
        self.route = route
        let ends = [row.text("stop_description_first"), row.text("stop_description_last")].compactMap(\.self)
        let direction = row.text("trp_direction").map { " " + $0.prefix(1) + $0.dropFirst().lowercased() } ?? ""
        let places = ends.isEmpty ? "" : ", " + ends.joined(separator: " - ")
        alert = Alert(
            "Line \(route)\(direction): the \(start / 60 % 24):\((start % 60).padded(to: 2))\(places) is cancelled",
            lines: [route], from: from - Self.lead, until: end ?? from + Self.lead)
    }

    /// The minutes of "1153", "753" or "2413" since the midnight at which the service day begins.
    private static func minutes(_ text: String) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit), let number = Int(text),
            hours.contains(number / 100), number % 100 < 60
        else { return nil }
        return number / 100 * 60 + number % 100
    }

    /// "2022-10-04".
    private static func date(_ text: String) -> CivilDate? {
        Timestamp(rfc3339: text + "T00:00:00Z").map { Zone.utc.localTime(at: $0).date }
    }

    private static func moment(_ date: CivilDate, _ minutes: Int, in zone: Zone) -> Timestamp? {
        let day = CivilDate(daysSince1970: date.daysSince1970 + Int64(minutes / 1_440))
        let local = LocalTime(day, hour: minutes / 60 % 24, minute: minutes % 60)
        return local.map { zone.timestamp(of: $0, nearest: Timestamp(seconds: 0)) }
    }
}
