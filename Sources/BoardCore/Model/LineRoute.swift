/// Where a line runs: its stops in sequence, in each direction.
public struct LineRoute: Hashable, Sendable {
    /// One direction of travel.
    public struct Direction: Hashable, Sendable {
        /// The operator's word for it: "inbound", "outbound".
        public let name: String
        /// The branches, each after those that lead into it as far as a loop allows.
        public let branches: [Branch]

        /// A direction.
        public init(name: String, branches: [Branch]) {
            self.name = name
            self.branches = branches
        }
    }

    /// A stretch without a fork. The last stop of a branch is also the first of those that follow it.
    public struct Branch: Hashable, Sendable {
        /// The stops in the order of travel; a loop names a stop twice.
        public let stops: [RouteStop]
        /// Where it goes on: indices into the direction's branches; none where the line ends.
        public let next: [Int]

        /// A branch.
        public init(stops: [RouteStop], next: [Int] = []) {
            self.stops = stops
            self.next = next
        }
    }

    /// A stop on the way.
    public struct RouteStop: Hashable, Sendable {
        /// The stop.
        public let id: StopID
        /// Its name as the operator writes it.
        public let name: String
        /// The letter on the pole, where there is one.
        public let letter: String?
        /// Where it is; nil when not told.
        public let coordinates: Coordinates?

        /// A stop on the way.
        public init(id: StopID, name: String, letter: String? = nil, coordinates: Coordinates? = nil) {
            self.id = id
            self.name = name
            self.letter = letter
            self.coordinates = coordinates
        }
    }

    /// The line.
    public let line: Line
    /// What runs on it: "bus", "tube"; nil when not told.
    public let mode: String?
    /// The directions; a line that runs one way has one.
    public let directions: [Direction]

    /// A route.
    public init(line: Line, mode: String? = nil, directions: [Direction]) {
        self.line = line
        self.mode = mode
        self.directions = directions
    }
}
