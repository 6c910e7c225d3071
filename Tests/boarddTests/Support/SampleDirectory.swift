import BoardCore
import BoardIO

@testable import BoardStore
@testable import boardd

/// Stop directories with a few stops.
enum SampleDirectory {
    static let feed = FeedName("tfl")
    static let rail = FeedName("rail")

    static let stops: [ListedStop] = [
        pole("490000001A", letter: "A", lines: ["7", "N7"], at: (51.5010, -0.1010), shortCode: "50001"),
        pole("490000001B", letter: "B", lines: ["7", "88"], at: (51.5011, -0.1012), shortCode: "50002"),
        pole("490000002A", "St James's Park", letter: "A", lines: ["88"], at: (51.6, -0.2), shortCode: "50003"),
        pole(
            "940GZZLUTWN", "Town Hall Underground Station", lines: ["Ring"], at: (51.5030, -0.1), kind: .station,
            mode: "tube"),
    ]

    static let stations: [ListedStop] = [("PAD", "London Paddington"), ("RDG", "Reading"), ("OXF", "Oxford")].map {
        ListedStop(id: StopID(feed: rail, code: $0), kind: .station, name: $1)
    }

    /// A favourite of National Rail with every setting.
    static let commuter = Favourite(
        stop: StopID(feed: rail, code: "RDG"), label: "Work", sort: .line, walk: .seconds(420),
        towards: ["PAD"], platforms: ["3", "4"], directions: ["up"],
        when: [
            WeeklyWindow(from: 390, to: 570, days: [.mon, .tue, .wed, .thu, .fri]),
            WeeklyWindow(from: 0, to: 0, days: [.sat, .sun]),
        ])

    static func id(_ code: String) -> StopID { StopID(feed: feed, code: code) }

    /// A pole on the High Street.
    static func pole(
        _ code: String, _ name: String = "High Street", letter: String? = nil, towards: String? = nil,
        lines: [String] = ["7"], at place: (Double, Double)? = (51.5, -0.1), parent: String? = nil,
        shortCode: String? = nil, kind: ListedStop.Kind = .pole, mode: String = "bus"
    ) -> ListedStop {
        ListedStop(
            id: id(code), kind: kind, name: name, letter: letter, towards: towards, modes: [mode],
            lines: lines.map { ListedLine(Line(id: $0.lowercased(), name: $0), mode: mode) },
            coordinates: place.flatMap { Coordinates(latitude: $0.0, longitude: $0.1) }, parent: parent.map(id),
            shortCode: shortCode)
    }

    /// Poles with the numbers of a range as codes.
    static func poles(_ numbers: ClosedRange<Int>, lines: [String] = ["7"]) -> [ListedStop] {
        numbers.map { pole("490\($0)", "Stop \($0)", lines: lines) }
    }

    /// Writes the file of the stops' feed to a folder, completed at `now`.
    static func write(
        _ stops: [ListedStop] = stops, in folder: String, at now: Timestamp = SystemClock().reading().wall
    ) throws {
        let builder = try DirectoryBuilder(folder: folder, feed: stops.first?.id.feed ?? feed, at: now)
        try builder.begin(page: 1)
        for stop in stops { try builder.add(stop) }
        try builder.commit(page: 1)
        try builder.finish(at: now)
    }

    /// The codes of all stops in a folder.
    static func codes(in folder: String) throws -> Set<String> {
        let file = try SQLiteConnection("\(folder)/stops-\(feed).sqlite", .immutable)
        return Set(try file.statement("SELECT code FROM stop").all { $0.text(0) ?? "" })
    }
}
