/// A stop in an operator's list of stops: an entry of the stop directory, passed between feeds and store.
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

    public init(_ line: Line, mode: String? = nil) {
        self.line = line
        self.mode = mode
    }
}
