internal import BoardCore
internal import BoardFormats

/// The requests of LA Metro's old API, whose URLs end with a slash.
struct LAMetroAPI: Sendable {
    /// A busy stop's predictions have 20 kB, the stops of a route 30.
    private static let responseLimit = 1_000_000
    /// What is cached for hours (names, routes, runs, messages), for many stops and routes at once: up to 20 kB.
    private static let namesLimit = 131_072
    /// A day's cancelled trips had 315 kB.
    private static let cancelledLimit = 2_000_000

    let base: HTTPURL
    let transport: any HTTPTransport

    /// Nil if no URL is configured.
    ///
    /// - Throws: ``FeedSettingFailure`` for a disallowed `url`.
    init?(_ context: FeedContext) throws(FeedSettingFailure) {
        guard let text = context.settings.nonEmptyText("url") else { return nil }
        base = try context.address("url", text, rule: LAMetroFeed.addressRule)
        transport = context.transport
    }

    /// The predictions at a stop.
    func board(at stop: LAMetroStopCode) async throws(FeedFailure) -> LAMetroPredictions {
        try await fetch(path(of: stop) + ["predictions"], about: stop) { body, response throws(JSONFault) in
            try LAMetroPredictions(body, response)
        }
    }

    /// The routes that call at a stop.
    func routes(at stop: LAMetroStopCode) async throws(FeedFailure) -> [LAMetroRoute] {
        try await list(path(of: stop) + ["routes"], about: stop, limit: Self.namesLimit, LAMetroRoute.init).rows
    }

    /// The distinct rider messages at a stop; empty if the server has no such list.
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

    /// A stop's details.
    func stopInfo(_ stop: LAMetroStopCode) async throws(FeedFailure) -> LAMetroStopInfo {
        try await fetch(path(of: stop), about: stop, limit: Self.namesLimit) { body, _ throws(JSONFault) in
            guard let info = LAMetroStopInfo(try JSONDocument(body).row()) else { throw .unexpectedStructure }
            return info
        }
    }

    /// The listed agencies.
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

    /// The cancelled trips from a separate URL.
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
        _ path: [String], about stop: LAMetroStopCode? = nil, limit: Int = responseLimit,
        _ read: @Sendable (JSONRow) -> Row?
    ) async throws(FeedFailure) -> LAMetroItems<Row> {
        try await fetch(path, about: stop, limit: limit) { body, _ throws(JSONFault) in try LAMetroItems(body, read) }
    }

    private func fetch<Value>(
        _ path: [String], about stop: LAMetroStopCode?, limit: Int = responseLimit,
        _ decode: ([UInt8], HTTPResponse) throws(JSONFault) -> Value
    ) async throws(FeedFailure) -> Value {
        // The last, empty segment makes the final slash.
        let request = HTTPRequest(base.appending(path + [""]), limit: limit)
        return try await Self.read(request, over: transport, setting: "url", about: stop, decode)
    }

    private static func read<Value>(
        _ request: HTTPRequest, over transport: any HTTPTransport, setting: String, about stop: LAMetroStopCode?,
        _ decode: ([UInt8], HTTPResponse) throws(JSONFault) -> Value
    ) async throws(FeedFailure) -> Value {
        let (response, body) = try await transport.fetch(request)
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
