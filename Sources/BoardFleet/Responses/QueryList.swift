internal import BoardCore

/// The payload of `board/NAME/wants`: the queries of a board, and how often it polls each.
struct QueryList: Hashable, Sendable, Codable {
    /// One query.
    struct Entry: Hashable, Sendable, Codable {
        var stop: StopID
        var lines: [String]?
        var towards: [String]?
        /// The name and the place of the stop, with which some operators find it again.
        var name: String?
        var latitude: Double?
        var longitude: Double?
        /// Seconds between two polls: 30, in quiet hours 300.
        var everySeconds: Double
    }

    /// More favourites than a board can show.
    private static let longest = 100

    var queries: [Entry]

    init(_ queries: [PollQuery]) {
        self.queries = queries.prefix(Self.longest).map { Entry($0) }
    }

    /// The valid queries, without duplicates.
    var polls: [PollQuery] {
        var seen: Set<DepartureQuery> = []
        return queries.prefix(Self.longest).compactMap(\.poll).filter { seen.insert($0.request.query).inserted }
    }
}

extension QueryList.Entry {
    fileprivate init(_ poll: PollQuery) {
        let request = poll.request
        self.init(
            stop: request.stop, lines: request.lines.isEmpty ? nil : request.lines,
            towards: request.towards.isEmpty ? nil : request.towards,
            name: request.name, latitude: request.location?.latitude, longitude: request.location?.longitude,
            everySeconds: poll.interval / .seconds(1))
    }

    /// Nil: no board polls so often or so seldom.
    fileprivate var poll: PollQuery? {
        guard (1...86_400).contains(everySeconds) else { return nil }
        let place = latitude.flatMap { latitude in
            longitude.flatMap { Coordinates(latitude: latitude, longitude: $0) }
        }
        return PollQuery(
            FeedRequest(stop: stop, lines: lines ?? [], towards: towards ?? [], name: name, location: place),
            every: .seconds(everySeconds))
    }
}
