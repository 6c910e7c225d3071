/// A stop as an operator's own list describes it: what the stop directory keeps, and what passes between feeds and store.
public struct ListedStop: Hashable, Sendable {
    /// What kind of place a stop is.
    public enum Kind: String, CaseIterable, Sendable {
        /// One pole or berth, where one side of a road is served.
        case pole
        /// A station.
        case station
        /// Poles that share a name: both sides of a road.
        case area
        /// Stations and areas between which people change.
        case interchange
    }

    /// The identifier by which its departures are asked for.
    public let id: StopID
    /// What it is.
    public let kind: Kind
    /// The operator's name of it, as received.
    public let name: String
    /// The letter on the pole ("N"), where there is one.
    public let letter: String?
    /// Where its vehicles go next, as the operator writes it ("Oxford Circus, Marble Arch").
    public let towards: String?
    /// The operator's words for what calls: "bus", "tube".
    public let modes: [String]
    /// The lines that call.
    public let lines: [ListedLine]
    /// Where it is; nil when not told.
    public let coordinates: Coordinates?
    /// The area, station or interchange of which it is a part.
    public let parent: StopID?
    /// The short number on the pole by which people ask for it (TfL: five digits, once for text messages).
    public let shortCode: String?

    /// A stop.
    public init(
        id: StopID, kind: Kind, name: String, letter: String? = nil, towards: String? = nil, modes: [String] = [],
        lines: [ListedLine] = [], coordinates: Coordinates? = nil, parent: StopID? = nil, shortCode: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.letter = letter
        self.towards = towards
        self.modes = modes
        self.lines = lines
        self.coordinates = coordinates
        self.parent = parent
        self.shortCode = shortCode
    }
}

/// A line as an operator's list names it.
public struct ListedLine: Hashable, Sendable {
    /// The line.
    public let line: Line
    /// The operator's word for what runs on it: "bus", "tube"; nil when not told.
    public let mode: String?

    /// A line.
    public init(_ line: Line, mode: String? = nil) {
        self.line = line
        self.mode = mode
    }
}
