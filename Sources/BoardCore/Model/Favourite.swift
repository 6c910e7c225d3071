/// A stop that the board shows, with what a person wants of it.
public struct Favourite: Hashable, Sendable {
    /// How long a walk may take: half a minute is the next corner; who needs more than two hours looks at no board.
    public static let walks: ClosedRange<Duration> = .seconds(30) ... .seconds(7_200)

    /// The stop.
    public let stop: StopID
    /// What the glass calls it; nil: the operator's name.
    public var label: String?
    /// The lines of interest on the overview; empty: all.
    public var lines: [String]
    /// The order of its rows until a press changes it.
    public var sort: SortOrder
    /// How long it takes a person to get there; nil: nothing is said of it.
    public var walk: Duration?
    /// What becomes of a departure that cannot be caught any more.
    public var uncatchable: Uncatchable
    /// Only departures that call there, by the operator's code of the stop ("PAD"); nil: all.
    public var towards: String?
    /// Only departures from these platforms; empty: from all. One whose platform nobody knows yet may be among them.
    public var platforms: [String]
    /// Only departures in these directions, in the operator's words ("inbound"); empty: in all. One whose direction is not
    /// told may be among them.
    public var directions: [String]
    /// When it is on the board; empty: always.
    public var when: [WeeklyWindow]
    /// What its operator calls it: by that and by where it is it is found again where identifiers change.
    public var name: String?
    /// Where it is.
    public var location: Coordinates?
    /// How far it is, of a stop that is there because it is near.
    public var distance: Metres?

    /// A favourite.
    public init(
        stop: StopID, label: String? = nil, lines: [String] = [], sort: SortOrder = .time, walk: Duration? = nil,
        uncatchable: Uncatchable = .hide, towards: String? = nil, platforms: [String] = [], directions: [String] = [],
        when: [WeeklyWindow] = [], name: String? = nil, location: Coordinates? = nil, distance: Metres? = nil
    ) {
        self.stop = stop
        self.label = label
        self.lines = lines
        self.sort = sort
        self.walk = walk
        self.uncatchable = uncatchable
        self.towards = towards
        self.platforms = platforms
        self.directions = directions
        self.when = when
        self.name = name
        self.location = location
        self.distance = distance
    }

    /// What becomes of a departure that cannot be caught any more.
    public enum Uncatchable: String, CaseIterable, Sendable {
        case hide, mark
    }

    /// Whether `line` is one of the lines of interest.
    public func includes(_ line: Line) -> Bool {
        lines.isEmpty || lines.contains(where: line.isCalled)
    }

    /// Whether a departure goes from where and to where a person wants it.
    func matches(_ departure: Departure) -> Bool {
        request.matches(platform: departure.platform, direction: departure.direction)
    }

    /// What is asked about it.
    public var request: FeedRequest {
        FeedRequest(
            stop: stop, lines: lines, towards: towards, platforms: platforms, directions: directions, name: name,
            location: location)
    }
}

/// The order of a page's rows.
public enum SortOrder: String, CaseIterable, Sendable, Codable {
    case time, line, destination

    /// The order that the next press of "sort" chooses.
    public var next: SortOrder {
        switch self {
        case .time: .line
        case .line: .destination
        case .destination: .time
        }
    }
}
