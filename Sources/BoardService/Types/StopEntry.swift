public import BoardCore

/// A stop of the directory, as searches return it.
public struct StopEntry: Hashable, Sendable, Codable {
    /// A line that calls at a stop.
    public struct CallingLine: Hashable, Sendable, Codable {
        /// The operator's identifier for the line: "northern".
        public var id: String
        /// The name for passengers.
        public var name: String
        /// The operator's name for the mode: "bus".
        public var mode: String?
        /// The line's colour as the operator gives it, six hexadecimal digits (RRGGBB); nil: none is known.
        public var colour: String?
    }

    /// The stop, `feed:code`: the identifier in requests for departures and in favourites.
    public var stop: String
    public var kind: ListedStop.Kind
    /// The operator's name for the stop.
    public var name: String
    /// The stop letter on the pole.
    public var letter: String?
    /// Where its vehicles go next.
    public var towards: String?
    /// The operator's names for the modes that call: "bus", "tube".
    public var modes: [String]
    /// The lines that call.
    public var lines: [CallingLine]
    /// Degrees north (WGS 84).
    public var latitude: Double?
    /// Degrees east (WGS 84).
    public var longitude: Double?
    /// The area, station or interchange that contains the stop.
    public var parent: String?
    /// The short number on the pole.
    public var shortCode: String?
    /// The distance from the coordinates of the search.
    public var distanceMetres: Double?
    /// Whether it is one of the board.
    public var isFavourite: Bool

    public init(_ stop: ListedStop, distance: Metres? = nil, isFavourite: Bool) {
        self.stop = stop.id.description
        kind = stop.kind
        name = stop.name
        letter = stop.letter
        towards = stop.towards
        modes = stop.modes
        lines = stop.lines.map { CallingLine(id: $0.line.id, name: $0.line.name, mode: $0.mode, colour: $0.colour) }
        latitude = stop.coordinates?.latitude
        longitude = stop.coordinates?.longitude
        parent = stop.parent?.description
        shortCode = stop.shortCode
        distanceMetres = distance?.count
        self.isFavourite = isFavourite
    }
}

/// One stop with its parts: the response to `GET /v1/stops/{stop}`.
public struct StopDetail: Hashable, Sendable, Codable {
    public var stop: StopEntry
    /// The poles of an area, the platforms of a station, the members of an interchange; empty for a pole.
    public var parts: [StopEntry]

    public init(_ stop: StopEntry, parts: [StopEntry] = []) {
        self.stop = stop
        self.parts = parts
    }
}

/// A line of the stop directory.
public struct LineEntry: Hashable, Sendable, Codable {
    /// The line, `feed:line`: "tfl:northern".
    public var line: String
    /// The name for passengers.
    public var name: String
    /// The operator's name for the mode.
    public var mode: String?
    /// The line's colour as the operator gives it, six hexadecimal digits (RRGGBB); nil: none is known.
    public var colour: String?

    public init(_ line: ListedLine, of feed: FeedName) {
        self.line = "\(feed):\(line.line.id)"
        name = line.line.name
        mode = line.mode
        colour = line.colour
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
        /// The stop, `feed:code`.
        public var stop: String
        /// The operator's name for the stop.
        public var name: String
        /// The stop letter on the pole.
        public var letter: String?
        /// Degrees north (WGS 84).
        public var latitude: Double?
        /// Degrees east (WGS 84).
        public var longitude: Double?
        /// Whether it is one of the board.
        public var isFavourite: Bool
    }

    /// The line, `feed:line`.
    public var line: String
    /// The name for passengers.
    public var name: String
    /// The operator's name for the mode.
    public var mode: String?
    /// The line's colour as the operator gives it, six hexadecimal digits (RRGGBB); nil: none is known.
    public var colour: String?
    /// The directions; a one-way line has one.
    public var directions: [Direction]

    public init(_ route: LineRoute, of feed: FeedName, isFavourite: (StopID) -> Bool) {
        line = "\(feed):\(route.line.id)"
        name = route.line.name
        mode = route.mode
        colour = route.colour
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

/// The stops of the stop directory in a box on the map: the response to `GET /v1/stops?box=`.
public struct StopsInBox: Hashable, Sendable, Codable {
    /// Interchanges, stations and poles, in this order.
    public var stops: [StopEntry]
    /// The number of such stops in the box; ``stops`` may be only some of them.
    public var total: Int
    /// The attributions that the operators of ``stops`` require.
    public var attributions: [String]

    public init(_ stops: [StopEntry], total: Int, attributions: [String]) {
        self.stops = stops
        self.total = total
        self.attributions = attributions
    }
}
