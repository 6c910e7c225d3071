import BoardCore

/// The requests of LA Metro's old API, whose URLs end with a slash.
struct LAMetroAPI: Sendable {
    /// In bytes. A busy stop's predictions have 20 kB, the stops of a route 30 kB.
    private static let responseLimit = 1_000_000
    /// For what is cached for hours (names, routes, runs, messages), for many stops and routes at once: up to 20 kB.
    private static let namesLimit = 131_072
    /// A day's cancelled trips had 315 kB.
    private static let cancelledLimit = 2_000_000

    let base: HTTPURL
    /// The separate URL of cancelled trips; nil: none is configured.
    let cancelled: HTTPURL?
    private let transport: any HTTPTransport

    /// Nil if no URL is configured.
    init?(_ context: FeedContext) throws(FeedSettingError) {
        cancelled = try context.optionalAddress("cancelled")
        guard let base = try context.optionalAddress("url") else { return nil }
        self.base = base
        transport = context.transport
    }

    func board(at stop: LAMetroStopCode) async throws(FeedError) -> LAMetroPredictions {
        try await fetch(path(of: stop) + ["predictions"], about: stop) { body, response in
            try LAMetroPredictions(body, response)
        }
    }

    func routes(at stop: LAMetroStopCode) async throws(FeedError) -> [Line] {
        try await list(path(of: stop) + ["routes"], about: stop, limit: Self.namesLimit, Line.init(lametro:)).good
    }

    /// The distinct rider messages at a stop; empty if the server has no such list.
    func messages(at stop: LAMetroStopCode) async throws(FeedError) -> [String] {
        try await FeedError.nilIfUnknown { () throws(FeedError) in
            try await list(
                path(of: stop) + ["messages"], about: stop, limit: Self.namesLimit, LAMetroPredictions.message
            ).good.uniqued()
        } ?? []
    }

    func stopInfo(_ stop: LAMetroStopCode) async throws(FeedError) -> LAMetroStopInfo {
        try await fetch(path(of: stop), about: stop, limit: Self.namesLimit) { body, _ in
            guard let info = LAMetroStopInfo(try JSONDocument(body).row()) else {
                throw FormatError.unexpectedStructure
            }
            return info
        }
    }

    func agencies() async throws(FeedError) -> [LAMetroAgency] {
        let names = try await list(["agencies"]) { $0.text("id") }.good
        return LAMetroAgency.allCases.filter { names.contains($0.rawValue) }
    }

    func routes(of agency: LAMetroAgency) async throws(FeedError) -> [Line] {
        try await list(["agencies", agency.rawValue, "routes"], limit: Self.namesLimit, Line.init(lametro:)).good
    }

    func runs(of route: String, _ agency: LAMetroAgency) async throws(FeedError) -> [LAMetroRun] {
        try await list(path(of: route, agency) + ["runs"], limit: Self.namesLimit, LAMetroRun.init).good
    }

    func sequence(of route: String, _ agency: LAMetroAgency) async throws(FeedError) -> (
        good: [LAMetroStopInfo], bad: Int
    ) { try await list(path(of: route, agency) + ["sequence"], LAMetroStopInfo.init) }

    func stops(of run: String, _ route: String, _ agency: LAMetroAgency) async throws(FeedError) -> [LAMetroStopInfo] {
        try await list(path(of: route, agency) + ["runs", run, "stops"], LAMetroStopInfo.init).good
    }

    func cancellations(at url: HTTPURL, in zone: Zone) async throws(FeedError) -> [LAMetroCancellation] {
        try await policy("cancelled").read(HTTPRequest(url, limit: Self.cancelledLimit), over: transport) { body, _ in
            try LAMetroCancellation.list(body, in: zone).trips
        }
    }

    private func path(of stop: LAMetroStopCode) -> [String] {
        ["agencies", stop.agency.rawValue, "stops", stop.number]
    }

    private func path(of route: String, _ agency: LAMetroAgency) -> [String] {
        ["agencies", agency.rawValue, "routes", route]
    }

    /// The rows of `{"items":[…]}` or, for agencies, of a plain array.
    private func list<Row>(
        _ path: [String], about stop: LAMetroStopCode? = nil, limit: Int = responseLimit, _ read: (JSONRow) -> Row?
    ) async throws(FeedError) -> (good: [Row], bad: Int) {
        try await fetch(path, about: stop, limit: limit) { body, _ in
            try JSONDocument(body).items("items").validRows(read)
        }
    }

    private func fetch<Value>(
        _ path: [String], about stop: LAMetroStopCode?, limit: Int = responseLimit,
        _ decode: ([UInt8], HTTPResponse) throws -> Value
    ) async throws(FeedError) -> Value {
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

extension Line {
    /// A route, with its name for riders.
    init?(lametro row: JSONRow) {
        guard let id = row.text("id") else { return nil }
        // "4 Downtown LA - Santa Monica Via Santa", which is truncated; for rail "Metro Blue Line".
        let title = row.text("display_name") ?? id
        let first = title.split(separator: " ").first.map(String.init) ?? title
        self.init(id: id, name: first.contains(where: \.isNumber) ? first : title)
    }
}

/// A run: a route pattern in the API's terms.
struct LAMetroRun: Hashable, Sendable {
    let id: String
    /// "East".
    let direction: String?
    /// The destination: "Downtown LA - Broadway-Venice".
    let destination: String
    let isShown: Bool

    init?(_ row: JSONRow) {
        // In lists of runs `route_id` is the run's identifier.
        guard let id = row.text("id") ?? row.text("route_id") else { return nil }
        self.id = id
        direction = row.text("direction_name")
        let title = row.text("display_name") ?? ""
        let start = direction.map { $0 + " to " } ?? ""
        destination = title.hasPrefix(start) ? String(title.dropFirst(start.count)) : title
        isShown = row.truth("display_in_ui") ?? true
    }
}

/// A stop, in sequences and on its own; layovers have no number.
struct LAMetroStopInfo: Hashable, Sendable {
    let number: String?
    let name: String
    let coordinates: Coordinates?

    init?(_ row: JSONRow) {
        number = row.text("id")
        guard let name = row.text("display_name") ?? number else { return nil }
        self.name = name
        coordinates = row.coordinates("latitude", "longitude")
    }
}

/// The response of `/agencies/{agency}/stops/{stop}/predictions/`: unordered predictions with relative times, which the
/// response's timestamp makes absolute.
struct LAMetroPredictions: Sendable {
    let madeAt: Timestamp
    let predictions: [LAMetroPrediction]
    let badRows: Int

    init(_ body: [UInt8], _ response: HTTPResponse) throws(FormatError) {
        let items = try JSONDocument(body).items("items").validRows(LAMetroPrediction.init)
        predictions = items.good.filter(\.isPlausible)
        badRows = items.bad
        madeAt = response.madeAt
    }

    /// The text of a message to riders. No response was ever recorded; the first of these members with a text is used.
    static func message(_ row: JSONRow) -> String? {
        ["text", "message", "body", "display_name"].lazy.compactMap { row.text($0).map { AlertText.joined($0) } }
            .first { !$0.isEmpty }
    }

    var routes: Set<String> { Set(predictions.map(\.route)) }

    func runs(of route: String) -> Set<String> {
        Set(predictions.lazy.filter { $0.route == route }.compactMap(\.run))
    }

    /// - Parameter runs: the runs by their identifiers; a departure with an unknown run has no destination.
    func departures(at stop: StopID, names: [String: Line], runs: [String: LAMetroRun]) -> [Departure] {
        let mode = LAMetroStopCode(stop.code).map { $0.agency == .rail ? TransitMode.metro : .bus }
        return predictions.map { prediction in
            let run = prediction.run.flatMap { runs[$0] }
            let due = madeAt + prediction.wait
            return Departure(
                stop: stop, line: names[prediction.route] ?? Line(id: prediction.route, name: prediction.route),
                mode: mode, destination: run?.destination ?? "", direction: run?.direction, status: .expected(due),
                attributes: prediction.block.map { TripAttributes(id: "\(prediction.run ?? "")/\($0)") },
                madeAt: madeAt, expiresAt: due + LAMetroFeed.expiry.liveGrace)
        }
    }
}

/// A prediction, relative to the time of its response.
struct LAMetroPrediction: Sendable {
    /// The plausible range in seconds.
    private static let plausible = -3_600.0...172_800.0
    /// The range that fits into a `Duration`, in seconds.
    private static let representable = -1e9...1e9

    let route: String
    let run: String?
    /// The day's work of one vehicle; nil if absent.
    let block: String?
    let wait: Duration

    init?(_ row: JSONRow) {
        guard let route = row.text("route_id") else { return nil }
        // The server sends whole numbers and fractions.
        let seconds = Self.number(row, "seconds") ?? Self.number(row, "minutes").map { $0 * 60 }
        guard let seconds, Self.representable.contains(seconds) else { return nil }
        self.route = route
        run = row.text("run_id")
        block = row.text("block_id")
        wait = .milliseconds(Int64((seconds * 1_000).rounded()))
    }

    var isPlausible: Bool { Self.plausible.contains(Double(wait.wholeSeconds)) }

    private static func number(_ row: JSONRow, _ key: String) -> Double? { row.text(key).flatMap { Double($0) } }
}

/// The agency of a stop or line: buses and rail are separate, and their numbers may coincide.
enum LAMetroAgency: String, CaseIterable, Sendable {
    case bus = "lametro"
    case rail = "lametro-rail"

    fileprivate var prefix: String { self == .rail ? "rail/" : "" }

    /// The mode in riders' words.
    var mode: String { self == .rail ? "rail" : "bus" }
}

/// A configured stop: `30005` for buses, `rail/80122` for rail.
struct LAMetroStopCode: Hashable, Sendable {
    /// Real ones have at most 8 characters.
    private static let maximumNumberLength = 16

    let agency: LAMetroAgency
    /// The operator's identifier, with its leading zeros.
    let number: String

    init(_ agency: LAMetroAgency, _ number: String) {
        self.agency = agency
        self.number = number
    }

    init?(_ code: String) {
        let agency: LAMetroAgency = code.hasPrefix(LAMetroAgency.rail.prefix) ? .rail : .bus
        let number = String(code.dropFirst(agency.prefix.count))
        guard (1...Self.maximumNumberLength).contains(number.utf8.count), number.utf8.allSatisfy(\.isAlphanumeric)
        else { return nil }
        self.init(agency, number)
    }

    var code: String { agency.prefix + number }

    /// The identifier in the configuration; nil if the number is not valid in a request.
    var id: StopID? { Self(code) == self ? StopID(feed: LAMetroFeed.name, code: code) : nil }
}
