import BoardCore
import BoardService
import Testing

/// Invented stops of a town for maps.
enum MapSample {
    static let feed = FeedName("tfl")
    static let attributions = ["Powered by TfL Open Data"]

    static func place(_ north: Double, _ east: Double) throws -> Coordinates {
        try #require(Coordinates(latitude: north, longitude: east))
    }

    static func stop(
        _ code: String, _ name: String, _ north: Double?, _ east: Double = -0.1, kind: ListedStop.Kind = .pole,
        letter: String? = nil, lines: [String] = [], parent: String? = nil, isFavourite: Bool = false
    ) -> StopEntry {
        let listed = ListedStop(
            id: StopID(feed: feed, code: code), kind: kind, name: name, letter: letter,
            lines: lines.map { ListedLine(Line(id: $0, name: $0)) },
            coordinates: north.flatMap { Coordinates(latitude: $0, longitude: east) },
            parent: parent.map { StopID(feed: feed, code: $0) })
        return StopEntry(listed, isFavourite: isFavourite)
    }

    static let town: [StopEntry] = [
        stop("HUBTWN", "Town", 51.5009, -0.1, kind: .interchange),
        stop(
            "940TWN", "Town Hall Underground Station", 51.5009, -0.1004, kind: .station, lines: ["Ring"],
            parent: "HUBTWN"),
        stop("1A", "High Street", 51.5002, -0.1011, letter: "A", lines: ["7", "N7", "88"]),
        stop("1B", "High Street", 51.5003, -0.1005, letter: "B", lines: ["7"], isFavourite: true),
        stop("2", "St James's Park", 51.4985, -0.0985, letter: "HX", lines: ["88"]),
        stop("3", "Old Bridge", 51.4972, -0.1022, letter: "QRS", lines: ["7"]),
        stop("4", "Mill Lane", 51.5031, -0.0969, lines: ["7"]),
        stop("far", "Elsewhere", 51.6), stop("nowhere", "Nowhere", nil),
    ]

    /// A line with a fork, of which one end is out of the picture; it calls at a stop that the town's list lacks.
    static let route: RouteEntry = {
        func call(_ code: String, _ name: String, _ north: Double?, _ east: Double = 0) -> LineRoute.RouteStop {
            LineRoute.RouteStop(
                id: StopID(feed: feed, code: code), name: name,
                coordinates: north.flatMap { Coordinates(latitude: $0, longitude: east) })
        }
        let start = [
            call("3", "Old Bridge", 51.4972, -0.1022), call("unplaced", "Unplaced", nil),
            call("new", "New Quay", 51.4988, -0.1015), call("1B", "High Street", 51.5003, -0.1005),
        ]
        let fork = start.suffix(1)
        let route = LineRoute(
            line: Line(id: "7", name: "7"),
            directions: [
                .init(
                    name: "outbound",
                    branches: [
                        .init(stops: start, next: [1, 2]),
                        .init(stops: fork + [call("4", "Mill Lane", 51.5031, -0.0969)]),
                        .init(stops: fork + [call("x", "Harbour", 51.52, -0.2), call("y", "Pier", 51.53, -0.21)]),
                    ])
            ])
        return RouteEntry(route, of: feed) { $0.code == "1B" }
    }()

    /// A map around a place, by default the middle of the town.
    static func request(
        _ north: Double = 51.5, _ east: Double = -0.1, _ scale: MapRequest.Scale = .two
    ) throws -> MapRequest {
        var request = MapRequest(centre: try place(north, east))
        request.scale = scale
        return request
    }

    static func map(
        _ stops: [StopEntry], total: Int? = nil, _ request: MapRequest? = nil, marked: StopEntry? = nil,
        route: RouteEntry? = nil, attributions: [String] = attributions
    ) throws -> String {
        let found = StopsInBox(stops, total: total ?? stops.count, attributions: attributions)
        return MapPicture(
            try request ?? self.request(), of: found, marked: marked, route: route, words: Language.english.words
        )
        .svg
    }
}
