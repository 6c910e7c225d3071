internal import BoardCore

/// The questions of LA Metro's old API, whose addresses end with a slash.
struct LAMetroAPI: Sendable {
    /// A busy stop's predictions have 20 kB, the stops of a route 30.
    private static let answerLimit = 1_000_000
    /// What is remembered for hours (names, routes, runs, messages), of many stops and routes at once: up to 20 kB.
    private static let namesLimit = 131_072
    /// A day's cancelled trips had 315 kB.
    private static let cancelledLimit = 2_000_000

    let base: HTTPURL
    let transport: any HTTPTransport

    /// What is configured; nil: nothing is.
    ///
    /// - Throws: ``FeedSettingFailure`` where `url` is no address that may be asked.
    init?(_ context: FeedContext) throws(FeedSettingFailure) {
        guard let text = context.settings.nonEmptyText("url") else { return nil }
        base = try context.address("url", text, rule: LAMetroFeed.addressRule)
        transport = context.transport
    }

    /// What is predicted at a stop.
    func board(at stop: LAMetroStopCode) async throws(FeedFailure) -> LAMetroPredictions {
        try await fetch(path(of: stop) + ["predictions"], about: stop) { body, response throws(JSONFault) in
            try LAMetroPredictions(body, response)
        }
    }

    /// The routes that call at a stop.
    func routes(at stop: LAMetroStopCode) async throws(FeedFailure) -> [LAMetroRoute] {
        try await list(path(of: stop) + ["routes"], about: stop, limit: Self.namesLimit, LAMetroRoute.init).rows
    }

    /// What riders at a stop are told, each once; nothing where nobody knows of such a list.
    func messages(at stop: LAMetroStopCode) async throws(FeedFailure) -> [LAMetroMessage] {
        do {
            var seen: Set<String> = []
            return try await list(
                path(of: stop) + ["messages"], about: stop, limit: Self.namesLimit, LAMetroMessage.init
            ).rows.filter { seen.insert($0.text).inserted }
        } catch {
            guard error.kind == .unknownStop else { throw error }
            return []
        }
    }

    /// A stop's own page.
    func place(_ stop: LAMetroStopCode) async throws(FeedFailure) -> LAMetroStopInfo {
        try await fetch(path(of: stop), about: stop, limit: Self.namesLimit) { body, _ throws(JSONFault) in
            guard let place = LAMetroStopInfo(try JSONDocument(body).row()) else { throw .unexpectedStructure }
            return place
        }
    }

    /// The agencies that are told of.
    func agencies() async throws(FeedFailure) -> [LAMetroAgency] {
        let names = try await list(["agencies"]) { $0.text("id") }.rows
        return LAMetroAgency.allCases.filter { names.contains($0.rawValue) }
    }

    /// The routes of an agency.
    func routes(of agency: LAMetroAgency) async throws(FeedFailure) -> [LAMetroRoute] {
        try await list(["agencies", agency.rawValue, "routes"], limit: Self.namesLimit, LAMetroRoute.init).rows
    }

    /// The runs of a route.
    func runs(of route: String, _ agency: LAMetroAgency) async throws(FeedFailure) -> [LAMetroRun] {
        try await list(path(of: route, agency) + ["runs"], limit: Self.namesLimit, LAMetroRun.init).rows
    }

    /// The stops of a route.
    func sequence(of route: String, _ agency: LAMetroAgency) async throws(FeedFailure) -> LAMetroItems<LAMetroStopInfo>
    {
        try await list(path(of: route, agency) + ["sequence"], LAMetroStopInfo.init)
    }

    /// The stops of a run in sequence.
    func stops(of run: String, _ route: String, _ agency: LAMetroAgency) async throws(FeedFailure) -> [LAMetroStopInfo]
    {
        try await list(path(of: route, agency) + ["runs", run, "stops"], LAMetroStopInfo.init).rows
    }

    /// Trips that do not run, from wherever that is told.
    static func cancellations(
        at url: HTTPURL, in zone: Zone, over transport: any HTTPTransport
    ) async throws(FeedFailure) -> [LAMetroCancellation] {
        try await read(HTTPRequest(url, limit: cancelledLimit), over: transport, setting: "cancelled", about: nil) {
            body, _ throws(JSONFault) in
            try LAMetroCancellation.list(body, in: zone).trips
        }
    }

    private func path(of stop: LAMetroStopCode) -> [String] {
        ["agencies", stop.agency.rawValue, "stops", stop.number]
    }

    private func path(of route: String, _ agency: LAMetroAgency) -> [String] {
        ["agencies", agency.rawValue, "routes", route]
    }

    private func list<Row: Sendable>(
        _ path: [String], about stop: LAMetroStopCode? = nil, limit: Int = answerLimit,
        _ read: @Sendable (JSONRow) -> Row?
    ) async throws(FeedFailure) -> LAMetroItems<Row> {
        try await fetch(path, about: stop, limit: limit) { body, _ throws(JSONFault) in try LAMetroItems(body, read) }
    }

    private func fetch<Value>(
        _ path: [String], about stop: LAMetroStopCode?, limit: Int = answerLimit,
        _ decode: ([UInt8], HTTPResponse) throws(JSONFault) -> Value
    ) async throws(FeedFailure) -> Value {
        // The last, empty segment is the slash at the end.
        let request = HTTPRequest(base.appending(path + [""]), limit: limit)
        return try await Self.read(request, over: transport, setting: "url", about: stop, decode)
    }

    private static func read<Value>(
        _ request: HTTPRequest, over transport: any HTTPTransport, setting: String, about stop: LAMetroStopCode?,
        _ decode: ([UInt8], HTTPResponse) throws(JSONFault) -> Value
    ) async throws(FeedFailure) -> Value {
        let (response, body) = try await transport.fetch(to: request)
        guard response.status == 200 else {
            throw FeedFailure(laMetroStatusOf: request, response, body, setting: setting, stop: stop)
        }
        do {
            return try decode(body, response)
        } catch {
            throw FeedFailure(laMetroUnreadable: error, in: body, of: request, response, setting: setting)
        }
    }
}
