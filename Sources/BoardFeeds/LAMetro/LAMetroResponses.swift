internal import BoardCore

/// The rows of an answer: `{"items":[…]}`, or of agencies an array alone.
struct LAMetroItems<Row: Sendable>: Sendable {
    let rows: [Row]
    /// Rows that could not be read.
    let bad: Int

    /// Reads an answer.
    ///
    /// - Throws: ``JSONFault`` also where there are rows and none can be read: it is the answer to something else.
    init(_ body: [UInt8], _ read: (JSONRow) -> Row?) throws(JSONFault) {
        let root = try JSONDocument(body).root
        guard let elements = root.elements ?? root.row?["items"]?.elements else { throw .unexpectedStructure }
        (rows, bad) = elements.rows(read)
        if rows.isEmpty, bad > 0 { throw .unexpectedStructure }
    }
}

/// A route, as lists name it.
struct LAMetroRoute: Hashable, Sendable {
    let id: String
    /// What riders call it.
    let name: String

    init?(_ row: JSONRow) {
        guard let id = row.text("id") else { return nil }
        self.id = id
        // "4 Downtown LA - Santa Monica Via Santa", which is cut; of rail "Metro Blue Line".
        let title = row.text("display_name") ?? id
        let first = title.split(separator: " ").first.map(String.init) ?? title
        name = first.contains(where: \.isNumber) ? first : title
    }

    var line: Line { Line(id: id, name: name) }
}

/// A run, which is a way that vehicles of a route go.
struct LAMetroRun: Hashable, Sendable {
    let id: String
    /// "East".
    let direction: String?
    /// Where it goes: "Downtown LA - Broadway-Venice".
    let destination: String
    /// Whether riders are told of it.
    let isShown: Bool

    init?(_ row: JSONRow) {
        // What lists of runs call `route_id` is the run's.
        guard let id = row.text("id") ?? row.text("route_id") else { return nil }
        self.id = id
        direction = row.text("direction_name")
        let title = row.text("display_name") ?? ""
        let start = direction.map { $0 + " to " } ?? ""
        destination = title.hasPrefix(start) ? String(title.dropFirst(start.count)) : title
        isShown = row.truth("display_in_ui") ?? true
    }
}

/// A stop, as sequences and a stop's own page name it; layovers have no number.
struct LAMetroStopInfo: Hashable, Sendable {
    let number: String?
    let name: String
    let coordinates: Coordinates?

    init?(_ row: JSONRow) {
        number = row.text("id")
        guard let name = row.text("display_name") ?? number else { return nil }
        self.name = name
        // 0,0 is no place.
        let (latitude, longitude) = (row.number("latitude") ?? 0, row.number("longitude") ?? 0)
        coordinates =
            latitude == 0 && longitude == 0 ? nil : Coordinates(latitude: latitude, longitude: longitude)
    }
}

/// What riders at a stop are told. No recorded answer is known; whichever of these members holds words is taken.
struct LAMetroMessage: Sendable {
    private static let members = ["text", "message", "body", "display_name"]

    let text: String

    init?(_ row: JSONRow) {
        let texts = Self.members.lazy.compactMap { row.text($0).map { AlertText.joined($0, "") } }
        guard let text = texts.first(where: { !$0.isEmpty }) else { return nil }
        self.text = text
    }
}

/// A prediction, relative to the moment of its answer.
struct LAMetroPrediction: Sendable {
    /// Farther from now no prediction is that anybody means.
    private static let plausible = -3_600.0...172_800.0
    /// No clock counts so many seconds: what is outside is no number of them.
    private static let representable = -1e9...1e9

    let route: String
    /// The way that it goes; nil when not told.
    let run: String?
    /// The day's work of one vehicle; nil when not told.
    let block: String?
    let wait: Duration

    init?(_ row: JSONRow) {
        guard let route = row.text("route_id") else { return nil }
        // Whole numbers and fractions, whichever the server feels like.
        let seconds = Self.number(row, "seconds") ?? Self.number(row, "minutes").map { $0 * 60 }
        guard let seconds, Self.representable.contains(seconds) else { return nil }
        self.route = route
        run = row.text("run_id")
        block = row.text("block_id")
        wait = .milliseconds(Int64((seconds * 1_000).rounded()))
    }

    /// Whether anybody waits for it.
    var isPlausible: Bool { Self.plausible.contains(Double(wait.wholeSeconds)) }

    private static func number(_ row: JSONRow, _ key: String) -> Double? {
        row.text(key).flatMap { Double($0) }
    }
}
