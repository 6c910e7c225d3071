import BoardCore

struct TfLAPI: Sendable {
    /// The largest responses, in bytes. A busy stop's arrivals have 58 kB, a whole line's 320 kB; all Underground
    /// statuses 30 kB, and the disruptions of a large interchange slightly more.
    private static let usualLimit = 1_000_000
    /// The largest interchanges, with entrances and facilities, have about 1 MB, a tube line with all branches 600 kB.
    private static let structureLimit = 2_000_000
    /// A vehicle's predictions have 15 kB.
    private static let vehicleLimit = 500_000
    /// A page of a thousand stations, with entrances and facilities, has 6 MB; one of poles a third of that.
    private static let listLimit = 12_000_000
    /// Short, since the departures wait for the alerts that are fetched with them.
    private static let alertsTimeout: Duration = .seconds(5)
    /// A page of stops may arrive over a slow line.
    private static let listTimeout: Duration = .seconds(900)

    let key: APIKeyPlacement
    let base: HTTPURL
    private let transport: any HTTPTransport

    init(_ context: FeedContext) throws(FeedSettingError) {
        base = try context.address("url", default: TfLFeed.defaultURL)
        key = APIKeyPlacement(TfLFeed.keyName, context.settings, parameter: "app_key", from: "api-portal.tfl.gov.uk")
        transport = context.transport
    }

    /// Sends one request of a plan: `/StopPoint/{code}/Arrivals`, all predictions at a bus stop or a station, or
    /// `/StopPoint/{code}/ArrivalDepartures?lineIds=`, the departures of one Elizabeth line or Overground line. The
    /// latter's rows do not name their line, so each line takes its own request.
    func departures(_ request: TfLRequestPlan.Request, for stop: StopID) async throws(FeedError) -> TfLDepartures {
        var departures =
            switch request {
            case .arrivals(let code):
                try await get(["StopPoint", code, "Arrivals"], about: code) { body, response in
                    try TfLDepartures(arrivals: body, at: code, for: stop, response)
                }
            case .rail(let code, let line):
                try await get(["StopPoint", code, "ArrivalDepartures"], query: [("lineIds", line.id)], about: code) {
                    body, response in try TfLDepartures(trains: body, of: line, from: code, for: stop, response)
                }
            }
        // An interchange has dozens of requests, and the departures of each are cached.
        departures.departures = departures.departures.soonest()
        return departures
    }

    /// `/StopPoint/{code}`: a station with its parts.
    func stopPoint(_ code: String) async throws(FeedError) -> TfLStopPoint {
        try await get(["StopPoint", code], about: code, limit: Self.structureLimit) { body, _ in
            try TfLStopPoint(body)
        }
    }

    /// `/Line/{ids}/Status`: the status of lines.
    func status(of lines: [String]) async throws(FeedError) -> TfLLineStatus {
        let ids = lines.joined(separator: ",")
        return try await get(["Line", ids, "Status"], about: ids, timeout: Self.alertsTimeout) { body, response in
            try TfLLineStatus(body, at: response.madeAt)
        }
    }

    /// `/StopPoint/{code}/Disruption`: the disruptions of a stop, for a station including its parts.
    func disruptions(at code: String, isFamily: Bool) async throws(FeedError) -> [TfLDisruption] {
        try await get(
            ["StopPoint", code, "Disruption"], query: isFamily ? [("getFamily", "true")] : [], about: code,
            timeout: Self.alertsTimeout
        ) { body, _ in try TfLDisruption.list(body) }
    }

    /// `/Vehicle/{id}/Arrivals`: the next calls of a departure's vehicle; nil if there are none or no such vehicle.
    func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails? {
        let vehicle = departure.vehicle
        return try await get(["Vehicle", vehicle, "Arrivals"], about: vehicle, limit: Self.vehicleLimit) {
            body, response in try TripDetails(tfl: body, of: departure, response)
        }
    }

    /// `/Line/{id}/Route/Sequence/all`: the route of a line in both directions.
    func routeSequence(of line: String) async throws(FeedError) -> LineRoute {
        try await get(
            ["Line", line, "Route", "Sequence", "all"],
            query: [("serviceTypes", "Regular,Night"), ("excludeCrowding", "true")], about: line,
            limit: Self.structureLimit
        ) { body, _ in try LineRoute(tfl: body) }
    }

    /// `/StopPoint/Mode/{modes}?page=`: a page of all stops.
    func stopList(of modes: [String], page: Int) async throws(FeedError) -> (page: StopPage, stops: [ListedStop]) {
        try await get(
            ["StopPoint", "Mode", modes.joined(separator: ",")], query: [("page", String(page))], about: nil,
            limit: Self.listLimit, timeout: Self.listTimeout
        ) { body, _ in try StopPage.tfl(body) }
    }

    /// - Parameter subject: the stop, line or vehicle of the request; nil: none.
    private func policy(about subject: String? = nil) -> ResponseStatusPolicy {
        ResponseStatusPolicy(
            settings: "url in boardd.toml, [feed.tfl]", stop: subject, authentication: key.rejection,
            advice: key.secret == nil
                ? [.rateLimited: "too many requests: \(key.name) in keys.env allows ten times as many"] : [:])
    }

    private func get<Value>(
        _ path: [String], query: [(name: String, value: String)] = [], about subject: String?, limit: Int = usualLimit,
        timeout: Duration = .seconds(20), _ decode: ([UInt8], HTTPResponse) throws -> Value
    ) async throws(FeedError) -> Value {
        try await policy(about: subject).read(
            HTTPRequest(base.appending(path, query: query), secrets: key.items, limit: limit, timeout: timeout),
            over: transport, decode)
    }
}

struct TfLDepartures: Hashable, Sendable {
    /// The stop's name, as received.
    var name: String?
    /// The letter on the bus stop.
    var letter: String?
    var departures: [Departure] = []
    var badRows = 0
    /// The operator's clock.
    var date: Timestamp?
}

/// Cleans up TfL's texts.
enum TfLText {
    /// Letters of bus stops are "N", "LF", "KX1"; longer texts are names ("entrance").
    static let maximumLetterLength = 3

    /// The letter on a bus stop; nil for names and for arrows ("->SE"), the direction of a stop without a letter.
    static func letter(_ text: String) -> String? {
        (1...maximumLetterLength).contains(text.utf8.count) && text.utf8.allSatisfy(\.isAlphanumeric) ? text : nil
    }
}

extension TfLText {
    /// The longest heading before a colon ("BARONS COURT STATION:"), in characters.
    private static let maximumHeadingLength = 48
    /// How many words at the beginning may contain the line's name if there is no heading.
    private static let openingWords = 4

    /// An alert of a line, with the line's name once at its beginning, whether the text has it twice or not at all.
    static func alertText(_ text: String, of line: String) -> String {
        var text = AlertText.joined(text)
        while let heading = heading(of: text) {
            let rest = text[heading.endIndex...].dropFirst().drop { $0 == " " }
            guard let second = self.heading(of: String(rest)), words(of: second) == words(of: heading) else { break }
            text = String(rest)
        }
        if text.isEmpty { return text }
        let opening =
            heading(of: text).map(words) ?? Array(words(of: text.prefix(maximumHeadingLength)).prefix(openingWords))
        let name = words(of: line[...])
        let isNamed = opening.indices.contains { opening[$0...].starts(with: name) }
        return isNamed ? text : "\(line): \(text)"
    }

    /// The text before the first colon, if that is near the beginning and not part of a time of day.
    private static func heading(of text: String) -> Substring? {
        let start = text.prefix(maximumHeadingLength)
        guard let colon = start.firstIndex(of: ":"), text[text.index(after: colon)...].first.isNilOr({ $0 == " " })
        else { return nil }
        return start[..<colon]
    }

    /// The normalised words of a name: "Hammersmith & City" equals "HAMMERSMITH AND CITY LINE".
    private static func words(of text: Substring) -> [Substring] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "&" }
            .map { $0 == "&" ? "and" : $0 }
            .filter { $0 != "line" }
    }
}
