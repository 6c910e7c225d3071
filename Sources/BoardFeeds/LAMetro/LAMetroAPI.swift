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
    /// The separate URL of cancelled trips; nil: none is configured.
    let cancelled: HTTPURL?
    private let transport: any HTTPTransport

    /// Nil if no URL is configured.
    ///
    /// - Throws: ``FeedSettingFailure`` for a disallowed `url` or `cancelled`.
    init?(_ context: FeedContext) throws(FeedSettingFailure) {
        cancelled = try context.optionalAddress("cancelled")
        guard let base = try context.optionalAddress("url") else { return nil }
        self.base = base
        transport = context.transport
    }

    func board(at stop: LAMetroStopCode) async throws(FeedFailure) -> LAMetroPredictions {
        try await fetch(path(of: stop) + ["predictions"], about: stop) { body, response throws(JSONFault) in
            try LAMetroPredictions(body, response)
        }
    }

    func routes(at stop: LAMetroStopCode) async throws(FeedFailure) -> [LAMetroRoute] {
        try await list(path(of: stop) + ["routes"], about: stop, limit: Self.namesLimit, LAMetroRoute.init).good
    }

    /// The distinct rider messages at a stop; empty if the server has no such list.
    func messages(at stop: LAMetroStopCode) async throws(FeedFailure) -> [LAMetroMessage] {
        do {
            return try await list(
                path(of: stop) + ["messages"], about: stop, limit: Self.namesLimit, LAMetroMessage.init
            ).good.uniqued(by: \.text)
        } catch {
            guard error.kind == .unknownStop else { throw error }
            return []
        }
    }

    func stopInfo(_ stop: LAMetroStopCode) async throws(FeedFailure) -> LAMetroStopInfo {
        try await fetch(path(of: stop), about: stop, limit: Self.namesLimit) { body, _ throws(JSONFault) in
            guard let info = LAMetroStopInfo(try JSONDocument(body).row()) else { throw .unexpectedStructure }
            return info
        }
    }

    func agencies() async throws(FeedFailure) -> [LAMetroAgency] {
        let names = try await list(["agencies"]) { $0.text("id") }.good
        return LAMetroAgency.allCases.filter { names.contains($0.rawValue) }
    }

    func routes(of agency: LAMetroAgency) async throws(FeedFailure) -> [LAMetroRoute] {
        try await list(["agencies", agency.rawValue, "routes"], limit: Self.namesLimit, LAMetroRoute.init).good
    }

    func runs(of route: String, _ agency: LAMetroAgency) async throws(FeedFailure) -> [LAMetroRun] {
        try await list(path(of: route, agency) + ["runs"], limit: Self.namesLimit, LAMetroRun.init).good
    }

    func sequence(of route: String, _ agency: LAMetroAgency) async throws(FeedFailure) -> (
        good: [LAMetroStopInfo], bad: Int
    ) {
        try await list(path(of: route, agency) + ["sequence"], LAMetroStopInfo.init)
    }

    func stops(of run: String, _ route: String, _ agency: LAMetroAgency) async throws(FeedFailure) -> [LAMetroStopInfo]
    {
        try await list(path(of: route, agency) + ["runs", run, "stops"], LAMetroStopInfo.init).good
    }

    func cancellations(at url: HTTPURL, in zone: Zone) async throws(FeedFailure) -> [LAMetroCancellation] {
        try await policy("cancelled").read(HTTPRequest(url, limit: Self.cancelledLimit), over: transport) {
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

    /// The rows of `{"items":[…]}`, or for agencies of a plain array.
    private func list<Row>(
        _ path: [String], about stop: LAMetroStopCode? = nil, limit: Int = responseLimit, _ read: (JSONRow) -> Row?
    ) async throws(FeedFailure) -> (good: [Row], bad: Int) {
        try await fetch(path, about: stop, limit: limit) { body, _ throws(JSONFault) in
            try JSONDocument(body).items("items").validRows(read)
        }
    }

    private func fetch<Value>(
        _ path: [String], about stop: LAMetroStopCode?, limit: Int = responseLimit,
        _ decode: ([UInt8], HTTPResponse) throws(JSONFault) -> Value
    ) async throws(FeedFailure) -> Value {
        // The last, empty segment makes the final slash.
        let request = HTTPRequest(base.appending(path + [""]), limit: limit)
        return try await policy("url", about: stop?.code).read(request, over: transport, decode)
    }

    private func policy(_ setting: String, about stop: String? = nil) -> ResponseStatusPolicy {
        let settings = "\(setting) in boardd.toml, [feed.lametro]"
        return ResponseStatusPolicy(
            settings: settings, stop: stop,
            advice: [
                .unknownStop:
                    "unknown stop \(stop ?? ""), or not LA Metro's old API: check the code in favourites.toml, "
                    + "and \(settings)"
            ])
    }
}
