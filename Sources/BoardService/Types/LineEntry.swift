public import BoardCore

public struct LineEntry: Hashable, Sendable, Codable {
    /// The line, `feed:line`: "tfl:northern".
    public var line: String
    /// The name for passengers.
    public var name: String
    /// The operator's name of the mode.
    public var mode: String?

    public init(_ line: ListedLine, of feed: FeedName) {
        self.line = "\(feed):\(line.line.id)"
        name = line.line.name
        mode = line.mode
    }
}

/// The stops of a line: the response to `GET /v1/lines/{line}`.
public struct RouteEntry: Hashable, Sendable, Codable {
    /// One direction of travel.
    public struct Direction: Hashable, Sendable, Codable {
        /// The operator's name: "inbound".
        public var name: String
        /// The sections between forks.
        public var branches: [Branch]
    }

    /// A section without a fork. Its last stop is also the first stop of the sections that follow it.
    public struct Branch: Hashable, Sendable, Codable {
        /// The stops in the order of travel; a loop lists a stop twice.
        public var stops: [Call]
        /// The sections that follow: indices into the direction's `branches`, from 0; empty at a terminus.
        public var next: [Int]
    }

    /// A calling point.
    public struct Call: Hashable, Sendable, Codable {
        public var stop: String
        /// The operator's name of the stop.
        public var name: String
        /// The stop letter on the pole.
        public var letter: String?
        /// Degrees north (WGS 84).
        public var latitude: Double?
        /// Degrees east (WGS 84).
        public var longitude: Double?
        public var isFavourite: Bool
    }

    /// The line, `feed:line`.
    public var line: String
    /// The name for passengers.
    public var name: String
    /// The operator's name of the mode.
    public var mode: String?
    /// The directions; a one-way line has one.
    public var directions: [Direction]

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
