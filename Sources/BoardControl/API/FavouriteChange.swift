public import BoardCore

/// What `PATCH /v1/favourites/{stop}` asks for; what is left out stays as it is. An empty text or an empty list takes away
/// what was there.
public struct FavouriteChange: Hashable, Sendable, Codable {
    /// Its new place among the favourites, from 1; a place past the end is the last one.
    public var position: Int?
    /// The new label; empty: the operator's name.
    public var label: String?
    /// The new lines of interest; empty: all.
    public var lines: [String]?
    /// The new order of its rows.
    public var sort: SortOrder?
    /// The new walk; zero: nothing is said of it any more.
    public var walk: Duration?
    /// What is to become of departures that the walk is too long for.
    public var uncatchable: Favourite.Uncatchable?
    /// Where departures must call now, by the operator's code of the stop; empty: anywhere.
    public var towards: String?
    /// The new platforms; empty: all.
    public var platforms: [String]?
    /// The new directions; empty: all.
    public var directions: [String]?
    /// When it is on the board now; empty: always.
    public var when: [WeeklyWindow]?

    /// A change.
    public init(
        position: Int? = nil, label: String? = nil, lines: [String]? = nil, sort: SortOrder? = nil,
        walk: Duration? = nil, uncatchable: Favourite.Uncatchable? = nil, towards: String? = nil,
        platforms: [String]? = nil, directions: [String]? = nil, when: [WeeklyWindow]? = nil
    ) {
        self.position = position
        self.label = label
        self.lines = lines
        self.sort = sort
        self.walk = walk
        self.uncatchable = uncatchable
        self.towards = towards
        self.platforms = platforms
        self.directions = directions
        self.when = when
    }

    /// Whether there is something to change besides the place.
    public var changesFavourite: Bool {
        var other = self
        other.position = nil
        return other != FavouriteChange()
    }

    /// Changes a favourite, whose place somebody else changes.
    public func apply(to favourite: inout Favourite) {
        if let label { favourite.label = label.isEmpty ? nil : label }
        if let lines { favourite.lines = lines }
        if let sort { favourite.sort = sort }
        if let walk { favourite.walk = walk == .zero ? nil : walk }
        if let uncatchable { favourite.uncatchable = uncatchable }
        if let towards { favourite.towards = towards.isEmpty ? nil : towards }
        if let platforms { favourite.platforms = platforms }
        if let directions { favourite.directions = directions }
        if let when { favourite.when = when }
    }
}

extension FavouriteChange {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case position, label, lines, sort, walk, uncatchable, towards, platforms, directions, when
    }

    /// What may be changed, for people.
    static let keys = CodingKeys.allCases.map(\.stringValue)

    /// Reads a change; refuses what it does not know, and what cannot be read as it is meant.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        position = try container.integer(.position, atLeast: 1)
        label = try container.decodeIfPresent(String.self, forKey: .label)
        lines = try container.decodeIfPresent([String].self, forKey: .lines)
        sort = try container.wordIfPresent(.sort).map { SortOrder($0) }
        walk = try container.durationIfPresent(.walk, empty: .zero)
        uncatchable = try container.wordIfPresent(.uncatchable).map { Favourite.Uncatchable($0) }
        towards = try container.decodeIfPresent(String.self, forKey: .towards)
        platforms = try container.decodeIfPresent([String].self, forKey: .platforms)
        directions = try container.decodeIfPresent([String].self, forKey: .directions)
        when = try container.windowsIfPresent(.when)
    }

    /// Writes what was asked for.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(position, forKey: .position)
        try container.encodeIfPresent(label, forKey: .label)
        try container.encodeIfPresent(lines, forKey: .lines)
        try container.encodeIfPresent(sort.map { FavouriteItem.Sort($0) }, forKey: .sort)
        try container.encodeIfPresent(walk.map { $0 == .zero ? "" : $0.written }, forKey: .walk)
        try container.encodeIfPresent(uncatchable.map { FavouriteItem.Uncatchable($0) }, forKey: .uncatchable)
        try container.encodeIfPresent(towards, forKey: .towards)
        try container.encodeIfPresent(platforms, forKey: .platforms)
        try container.encodeIfPresent(directions, forKey: .directions)
        try container.encodeIfPresent(when?.map(\.written), forKey: .when)
    }
}
