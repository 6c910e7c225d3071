public import BoardCore

/// A line of the directory.
public struct LineEntry: Hashable, Sendable, Codable {
    /// The line, `feed:line`: "tfl:northern".
    public var line: String
    /// What riders call it.
    public var name: String
    /// The operator's word for what runs on it.
    public var mode: String?

    /// A line of `feed`.
    public init(_ line: ListedLine, of feed: FeedName) {
        self.line = "\(feed):\(line.line.id)"
        name = line.line.name
        mode = line.mode
    }
}

/// Where a line runs: the answer to `GET /v1/lines/{line}`.
public struct RouteEntry: Hashable, Sendable, Codable {
    /// One direction of travel.
    public struct Direction: Hashable, Sendable, Codable {
        /// The operator's word for it: "inbound".
        public var name: String
        /// The stretches between forks.
        public var branches: [Branch]
    }

    /// A stretch without a fork. Its last stop is also the first of those that follow it.
    public struct Branch: Hashable, Sendable, Codable {
        /// The stops in the order of travel; a loop names a stop twice.
        public var stops: [Call]
        /// Where it goes on: places in the direction's `branches`, from 0; none where the line ends.
        public var next: [Int]
    }

    /// A stop on the way.
    public struct Call: Hashable, Sendable, Codable {
        /// The stop.
        public var stop: String
        /// The operator's name of it.
        public var name: String
        /// The letter on the pole.
        public var letter: String?
        /// Degrees north.
        public var latitude: Double?
        /// Degrees east.
        public var longitude: Double?
        /// Whether it is a favourite.
        public var isFavourite: Bool
    }

    /// The line, `feed:line`.
    public var line: String
    /// What riders call it.
    public var name: String
    /// The operator's word for what runs on it.
    public var mode: String?
    /// The directions; a line that runs one way has one.
    public var directions: [Direction]

    /// A route of `feed`.
    public init(_ route: LineRoute, of feed: FeedName, isFavourite: (StopID) -> Bool) {
        line = "\(feed):\(route.line.id)"
        name = route.line.name
        mode = route.mode
        directions = route.directions.map { direction in
            let branches = direction.branches.map { branch in
                let calls = branch.stops.map { stop in
                    Call(
                        stop: stop.id.description, name: stop.name, letter: stop.letter,
                        latitude: stop.coordinates?.latitude, longitude: stop.coordinates?.longitude,
                        isFavourite: isFavourite(stop.id))
                }
                return Branch(stops: calls, next: branch.next)
            }
            return Direction(name: direction.name, branches: branches)
        }
    }
}
