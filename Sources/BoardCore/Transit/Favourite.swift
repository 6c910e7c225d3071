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
    public var uncatchable: Uncatchable
    /// Only departures that also call at one of these stops, by the operator's codes ("PAD"); empty: all.
    public var towards: [String]
    /// Only departures from these platforms; empty: all. Departures without a reported platform are included.
    public var platforms: [String]
    /// Only departures in these directions, in the operator's terms ("inbound"); empty: all. Departures without a
    /// reported direction are included.
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
        uncatchable: Uncatchable = .hide, towards: [String] = [], platforms: [String] = [], directions: [String] = [],
        when: [WeeklyWindow] = [], name: String? = nil, location: Coordinates? = nil, isShared: Bool = true,
        distance: Metres? = nil
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
        self.isShared = isShared
        self.distance = distance
    }

    /// What to do with departures that cannot be reached in time.
    public enum Uncatchable: String, CaseIterable, Sendable, Codable {
        case hide, mark
    }

    /// Whether a departure passes the filters of lines, platforms and directions.
    func matches(_ departure: Departure) -> Bool {
        let request = request
        return request.matches(departure.line)
            && request.matches(platform: departure.platform, direction: departure.direction)
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

/// An entry of favourites.toml, in the order of the file.
public enum FavouriteEntry: Hashable, Sendable {
    case stop(Favourite)
    case nearby(Nearby)
}

extension [FavouriteEntry] {
    /// The stops that are listed by identifier.
    public var named: [Favourite] {
        compactMap { entry in
            if case .stop(let favourite) = entry { favourite } else { nil }
        }
    }

    /// The position of a listed stop, from 1; nil: it is not listed.
    public func position(of stop: StopID) -> Int? {
        firstIndex { entry in
            if case .stop(let favourite) = entry { favourite.stop == stop } else { false }
        }.map { $0 + 1 }
    }

    /// The entries without the stops of these feeds.
    public func without(_ feeds: Set<FeedName>) -> [FavouriteEntry] {
        filter { entry in
            guard case .stop(let favourite) = entry else { return true }
            return !feeds.contains(favourite.stop.feed)
        }
    }

    /// The board's favourites: the listed stops and, in the place of each nearby search, the stops that `nearest`
    /// finds, nearest first. Each stop appears once: as listed, otherwise at its first search.
    public func favourites(_ nearest: (Nearby) throws -> [(stop: StopID, distance: Metres)]) rethrows -> [Favourite] {
        var seen = Set(named.map(\.stop))
        return try flatMap { entry -> [Favourite] in
            switch entry {
            case .stop(let favourite):
                return [favourite]
            case .nearby(let search):
                let found = try nearest(search).sorted { $0.distance < $1.distance }
                return found.filter { seen.insert($0.stop).inserted }
                    .map { Favourite(stop: $0.stop, distance: $0.distance) }
            }
        }
    }
}

/// A search for the stops nearest to a place.
public struct Nearby: Hashable, Sendable {
    public let location: Coordinates
    /// The largest distance of a stop.
    public let radius: Metres
    public let stops: Int
    /// The modes to include, in the operator's terms ("bus"); empty: all.
    public let modes: [String]

    public init(location: Coordinates, radius: Metres = Metres(400), stops: Int = 3, modes: [String] = []) {
        self.location = location
        self.radius = radius
        self.stops = stops
        self.modes = modes
    }
}
