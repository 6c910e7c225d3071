/// One operator's list of stops and line routes, live or recorded.
public protocol StopCatalogue: Sendable {
    /// Receives one stop of the list; throwing ends the page.
    ///
    /// Called on the thread that receives the list and has no other work, so that it may write to a disk.
    typealias StopReceiver = @Sendable (ListedStop) throws -> Void

    /// Streams one page of the list, so that a list of any length needs little memory.
    ///
    /// A stop may occur more than once with different fields: the last value of a field counts, and an absent field
    /// (nil or empty) does not clear an earlier one. Cancelling the task cancels the request at once.
    ///
    /// - Parameter page: from 1.
    /// - Throws: ``FeedError``; of kind `cancelled` when `take` threw.
    func stops(page: Int, take: @escaping StopReceiver) async throws(FeedError) -> StopPage

    /// Whether the list is one file that is validated before use: an invalid file is not fetched again at once, and an
    /// interrupted update starts over.
    var isOneFile: Bool { get }

    /// Fetches the route of a line by the operator's identifier ("northern"), ignoring case; nil if there is none.
    func route(of line: String) async throws(FeedError) -> LineRoute?
}

extension StopCatalogue {
    /// False: the list is paged.
    public var isOneFile: Bool { false }

    /// Nil: the operator's lines have no stops in sequence.
    public func route(of line: String) async throws(FeedError) -> LineRoute? { nil }
}

/// The counts of one page of an operator's list.
public struct StopPage: Hashable, Sendable {
    /// The number of entries, valid or not; 0: the list ended before this page.
    public let entries: Int
    /// The number of malformed entries.
    public let badRows: Int
    /// The number of entries in the whole list, if reported: for a progress bar.
    public let total: Int?

    public init(entries: Int, badRows: Int = 0, total: Int? = nil) {
        self.entries = entries
        self.badRows = badRows
        self.total = total
    }
}

/// The stop search of an operator whose list is too large for this machine.
///
/// Used only for searches by people, and never with a recording. Responds within a few seconds or fails.
public protocol StopFinder: Sendable {
    /// Searches stops by name, best first.
    func stops(matching text: String, limit: Int) async throws(FeedError) -> [ListedStop]

    /// The largest radius of ``stops(near:within:limit:)``.
    var maximumRadius: Metres { get }

    /// Searches the stops around a place, nearest first.
    func stops(near place: Coordinates, within radius: Metres, limit: Int) async throws(FeedError) -> [NearStop]

    /// Fetches the name and location of a stop; nil if the operator does not report them.
    ///
    /// - Throws: ``FeedError``; of kind `unknownStop` if there is no such stop.
    func stop(_ id: StopID) async throws(FeedError) -> ListedStop?

    /// Finds the stop that replaced an identifier that the operator no longer has: one with the same name at the same
    /// place. Nil if there is none, if the operator still lists the identifier, or if the request has no name and
    /// location.
    func successor(of request: FeedRequest) async throws(FeedError) -> ListedStop?
}

/// A stop and its distance in a straight line.
public typealias NearStop = (stop: ListedStop, distance: Metres)

/// A stop in an operator's list: an entry in the stop directory, passed between feeds and store.
public struct ListedStop: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable, Codable {
        /// One pole or berth, on one side of a road.
        case pole
        case station
        /// Poles with the same name: both sides of a road.
        case area
        /// Stations and areas connected for changing.
        case interchange
    }

    public let id: StopID
    public let kind: Kind
    /// The operator's name, as received.
    public let name: String
    /// Its names in other languages, for a search.
    public let otherNames: [String]
    /// The letter on the pole ("N"), if any.
    public let letter: String?
    /// The next destinations, as the operator writes them ("Oxford Circus, Marble Arch").
    public let towards: String?
    /// The operator's modes: "bus", "tube".
    public let modes: [String]
    public let lines: [ListedLine]
    public let coordinates: Coordinates?
    /// The area, station or interchange that contains the stop.
    public let parent: StopID?
    /// The short number on the pole (TfL: five digits, introduced for text messages).
    public let shortCode: String?

    public init(
        id: StopID, kind: Kind, name: String, otherNames: [String] = [], letter: String? = nil, towards: String? = nil,
        modes: [String] = [],
        lines: [ListedLine] = [], coordinates: Coordinates? = nil, parent: StopID? = nil, shortCode: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.otherNames = otherNames
        self.letter = letter
        self.towards = towards
        self.modes = modes
        self.lines = lines
        self.coordinates = coordinates
        self.parent = parent
        self.shortCode = shortCode
    }
}

public struct ListedLine: Hashable, Sendable {
    public let line: Line
    /// The operator's mode: "bus", "tube"; nil when not reported.
    public let mode: String?
    /// See ``Line/colour(_:)``; nil when the operator reports none.
    public let colour: String?

    public init(_ line: Line, mode: String? = nil, colour: String? = nil) {
        self.line = line
        self.mode = mode
        self.colour = colour.flatMap(Line.colour)
    }
}

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
    /// See ``Line/colour(_:)``; nil when the operator reports none.
    public let colour: String?
    /// The directions; a one-way line has one.
    public let directions: [Direction]

    public init(line: Line, mode: String? = nil, colour: String? = nil, directions: [Direction]) {
        self.line = line
        self.mode = mode
        self.colour = colour.flatMap(Line.colour)
        self.directions = directions
    }
}
