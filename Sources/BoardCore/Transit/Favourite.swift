/// A stop on the board with the user's settings for it.
public struct Favourite: Hashable, Sendable {
    /// The range of walking times. A walk of more than two hours is not planned with a departure board.
    public static let walks: ClosedRange<Duration> = .seconds(30) ... .seconds(7_200)

    public let stop: StopID
    /// The label on the display; nil: the operator's name.
    public var label: String?
    /// Only departures of these lines; empty: all.
    public var lines: [String]
    /// The initial sort order of the rows; a press changes it.
    public var sort: SortOrder
    /// The walking time to the stop; nil: not configured.
    public var walk: Duration?
    /// Only departures that also call at one of these stops, by the operator's codes ("PAD"); empty: all.
    public var towards: [String]
    /// Only departures from these platforms; empty: all. Departures without a reported platform are included.
    public var platforms: [String]
    /// Only departures in these directions ("inbound") or to these destinations ("Heathrow"), in the operator's words;
    /// empty: all. Departures of which neither is reported are included.
    public var directions: [String]
    /// When the favourite is on the board; empty: always.
    public var when: [WeeklyWindow]
    /// The operator's name of the stop; with `location` it finds the stop again where identifiers change.
    public var name: String?
    public var location: Coordinates?
    /// Whether the favourite is in the list that the board shares with others.
    public var isShared: Bool
    /// The distance of a stop that was found by a nearby search.
    public var distance: Metres?

    public init(
        stop: StopID, label: String? = nil, lines: [String] = [], sort: SortOrder = .time, walk: Duration? = nil,
        towards: [String] = [], platforms: [String] = [], directions: [String] = [], when: [WeeklyWindow] = [],
        name: String? = nil, location: Coordinates? = nil, isShared: Bool = true, distance: Metres? = nil
    ) {
        self.stop = stop
        self.label = label
        self.lines = lines
        self.sort = sort
        self.walk = walk
        self.towards = towards
        self.platforms = platforms
        self.directions = directions
        self.when = when
        self.name = name
        self.location = location
        self.isShared = isShared
        self.distance = distance
    }

    public var request: FeedRequest {
        FeedRequest(
            stop: stop, lines: lines, towards: towards, platforms: platforms, directions: directions, name: name,
            location: location)
    }
}

public enum SortOrder: String, CaseIterable, Sendable, Codable {
    case time, line, destination

    /// The order after the next press of "sort".
    public var next: SortOrder {
        switch self {
        case .time: .line
        case .line: .destination
        case .destination: .time
        }
    }
}
