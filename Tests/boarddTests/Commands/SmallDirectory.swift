import BoardCore
import BoardStore

/// A stop directory of a few stops, like a city's.
enum SmallDirectory {
    static let feed = FeedName("tfl")

    static let stops: [ListedStop] = [
        pole("490000001A", "High Street", "A", lines: ["7", "N7"], at: (51.5010, -0.1010), short: "50001"),
        pole("490000001B", "High Street", "B", lines: ["7", "88"], at: (51.5011, -0.1012), short: "50002"),
        pole("490000002A", "St James's Park", "A", lines: ["88"], at: (51.6, -0.2), short: "50003"),
        ListedStop(
            id: StopID(feed: feed, code: "940GZZLUTWN"), kind: .station, name: "Town Hall Underground Station",
            modes: ["tube"], lines: [ListedLine(Line(id: "ring", name: "Ring"), mode: "tube")],
            coordinates: Coordinates(latitude: 51.5030, longitude: -0.1)),
    ]

    static func id(_ code: String) -> StopID { StopID(feed: feed, code: code) }

    static let rail = FeedName("rail")

    /// Stations, like a railway's.
    static let stations: [ListedStop] = [("PAD", "London Paddington"), ("RDG", "Reading"), ("OXF", "Oxford")].map {
        ListedStop(id: StopID(feed: rail, code: $0), kind: .station, name: $1)
    }

    /// A favourite of the railway with every setting.
    static let commuter = Favourite(
        stop: StopID(feed: rail, code: "RDG"), label: "Work", sort: .line, walk: .seconds(420), uncatchable: .mark,
        towards: "PAD", platforms: ["3", "4"], directions: ["up"],
        when: [
            WeeklyWindow(from: 390, to: 570, days: [.mon, .tue, .wed, .thu, .fri]),
            WeeklyWindow(from: 0, to: 0, days: [.sat, .sun]),
        ])

    /// Writes the file of `feed` to a folder, completed at `now`.
    static func make(in folder: String, feed: FeedName = feed, _ stops: [ListedStop] = stops, at now: Timestamp) throws
    {
        let builder = try DirectoryBuilder(folder: folder, feed: feed, at: now)
        try builder.begin(page: 1)
        for stop in stops { try builder.add(stop) }
        try builder.commit(page: 1)
        try builder.finish(at: now)
    }

    private static func pole(
        _ code: String, _ name: String, _ letter: String, lines: [String], at place: (Double, Double), short: String
    ) -> ListedStop {
        ListedStop(
            id: id(code), kind: .pole, name: name, letter: letter, modes: ["bus"],
            lines: lines.map { ListedLine(Line(id: $0.lowercased(), name: $0), mode: "bus") },
            coordinates: Coordinates(latitude: place.0, longitude: place.1), shortCode: short)
    }
}
