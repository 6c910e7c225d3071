internal import BoardCore
internal import BoardFormats

struct LAMetroRoute: Hashable, Sendable {
    let id: String
    /// The name for riders.
    let name: String

    init?(_ row: JSONRow) {
        guard let id = row.text("id") else { return nil }
        self.id = id
        // "4 Downtown LA - Santa Monica Via Santa", which is truncated; for rail "Metro Blue Line".
        let title = row.text("display_name") ?? id
        let first = title.split(separator: " ").first.map(String.init) ?? title
        name = first.contains(where: \.isNumber) ? first : title
    }

    var line: Line { Line(id: id, name: name) }
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

/// A message to riders at a stop. No response was ever recorded; the first of these members with a text is used.
struct LAMetroMessage: Sendable {
    private static let members = ["text", "message", "body", "display_name"]

    let text: String

    init?(_ row: JSONRow) {
        let texts = Self.members.lazy.compactMap { row.text($0).map { AlertText.joined($0, "") } }
        guard let text = texts.first(where: { !$0.isEmpty }) else { return nil }
        self.text = text
    }
}

/// The response of `/agencies/{agency}/stops/{stop}/predictions/`: unordered predictions with relative times, which the
/// response's timestamp makes absolute.
struct LAMetroPredictions: Sendable {
    let madeAt: Timestamp
    let predictions: [LAMetroPrediction]
    let badRows: Int

    init(_ body: [UInt8], _ response: HTTPResponse) throws(JSONFault) {
        let items = try JSONDocument(body).items("items").validRows(LAMetroPrediction.init)
        predictions = items.good.filter(\.isPlausible)
        badRows = items.bad
        madeAt = response.madeAt
    }

    var routes: Set<String> { Set(predictions.map(\.route)) }

    func runs(of route: String) -> Set<String> {
        Set(predictions.lazy.filter { $0.route == route }.compactMap(\.run))
    }

    /// - Parameter runs: the runs by their identifiers; a departure with an unknown run has no destination.
    func departures(
        at stop: StopID, names: [String: LAMetroRoute], runs: [String: LAMetroRun]
    ) -> [Departure] {
        predictions.map { prediction in
            let run = prediction.run.flatMap { runs[$0] }
            let due = madeAt + prediction.wait
            return Departure(
                stop: stop,
                line: names[prediction.route]?.line ?? Line(id: prediction.route, name: prediction.route),
                destination: run?.destination ?? "", direction: run?.direction, status: .expected(due),
                attributes: prediction.block.map { TripAttributes(id: "\(prediction.run ?? "")/\($0)") },
                madeAt: madeAt,
                expiresAt: due + LAMetroFeed.expiry.liveGrace)
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

    private static func number(_ row: JSONRow, _ key: String) -> Double? {
        row.text(key).flatMap { Double($0) }
    }
}
