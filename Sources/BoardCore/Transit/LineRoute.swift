/// The stops of a line in sequence, for each direction.
public struct LineRoute: Hashable, Sendable {
    public struct Direction: Hashable, Sendable {
        /// The operator's name: "inbound", "outbound".
        public let name: String
        /// The branches, each after its predecessors as far as loops allow.
        public let branches: [Branch]

        public init(name: String, branches: [Branch]) {
            self.name = name
            self.branches = branches
        }
    }

    /// A stretch without a fork. The last stop of a branch is also the first of its successors.
    public struct Branch: Hashable, Sendable {
        /// The stops in the order of travel; a loop contains a stop twice.
        public let stops: [RouteStop]
        /// The successors: indices into the direction's branches; empty at the end of the line.
        public let next: [Int]

        public init(stops: [RouteStop], next: [Int] = []) {
            self.stops = stops
            self.next = next
        }
    }

    public struct RouteStop: Hashable, Sendable {
        public let id: StopID
        public let name: String
        /// The letter on the pole, if any.
        public let letter: String?
        public let coordinates: Coordinates?

        public init(id: StopID, name: String, letter: String? = nil, coordinates: Coordinates? = nil) {
            self.id = id
            self.name = name
            self.letter = letter
            self.coordinates = coordinates
        }
    }

    public let line: Line
    /// The mode: "bus", "tube"; nil when not reported.
    public let mode: String?
    /// The directions; a one-way line has one.
    public let directions: [Direction]

    public init(line: Line, mode: String? = nil, directions: [Direction]) {
        self.line = line
        self.mode = mode
        self.directions = directions
    }
}
