public import BoardCore
public import BoardStore

/// The fleet as a board sees it: the response to `GET /v1/fleet`. Absent data is omitted.
public struct FleetReport: Hashable, Sendable, Codable {
    /// A board of the fleet.
    public struct BoardEntry: Hashable, Sendable, Codable {
        public var name: FleetName
        /// Whether the broker has a connection to it.
        public var isOnline: Bool
        /// Whether it sends the requests of all boards.
        public var isHub: Bool
        /// The value of `patience` in its boardd.toml.
        public var patience: String
        /// That of its boardd.
        public var version: String

        public init(name: FleetName, isOnline: Bool, isHub: Bool, patience: String, version: String) {
            self.name = name
            self.isOnline = isOnline
            self.isHub = isHub
            self.patience = patience
            self.version = version
        }
    }

    /// The last response to a query of this board.
    public struct Response: Hashable, Sendable, Codable {
        public var stop: StopID
        /// The lines of the query; empty: all.
        public var lines: [String]
        /// The stops at one of which the departures also call; empty: all.
        public var towards: [String]
        /// The board that received it from the operator; nil: there is none yet.
        public var by: FleetName?
        /// How long ago the request was sent.
        public var ageSeconds: Double?
        /// Why the last request failed, and of which board.
        public var error: String?

        public init(
            stop: StopID, lines: [String], towards: [String], by: FleetName?, ageSeconds: Double?, error: String?
        ) {
            self.stop = stop
            self.lines = lines
            self.towards = towards
            self.by = by
            self.ageSeconds = ageSeconds
            self.error = error
        }
    }

    /// The list of favourites that the board shares.
    public struct List: Hashable, Sendable, Codable {
        public var name: FleetName
        /// Whether the favourites of the board are those of the list.
        public var isJoined: Bool
        /// The number of favourites of the list.
        public var favourites: Int
        /// What is wrong with the list, or what to do.
        public var fault: String?

        public init(name: FleetName, isJoined: Bool, favourites: Int, fault: String? = nil) {
            self.name = name
            self.isJoined = isJoined
            self.favourites = favourites
            self.fault = fault
        }
    }

    /// The name of this board.
    public var board: FleetName
    /// The address of the broker.
    public var broker: String
    /// Whether the board is connected to it.
    public var isConnected: Bool
    /// The value of `patience` in boardd.toml.
    public var patience: String
    /// Why there is no connection.
    public var error: String?
    /// All boards whose status the broker has, this one included.
    public var boards: [BoardEntry]
    /// The last response to each query of this board.
    public var responses: [Response]
    /// Nil: the board shares none.
    public var list: List?
    /// What a person should change: missing permissions, clocks that differ.
    public var faults: [String]

    public init(
        board: FleetName, broker: String, isConnected: Bool, patience: String, error: String?, boards: [BoardEntry],
        responses: [Response], list: List?, faults: [String]
    ) {
        self.board = board
        self.broker = broker
        self.isConnected = isConnected
        self.patience = patience
        self.error = error
        self.boards = boards
        self.responses = responses
        self.list = list
        self.faults = faults
    }
}
