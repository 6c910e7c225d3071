public import BoardCore

/// The body of `PATCH /v1/favourites/{stop}`; an absent key leaves the value unchanged. An empty text or list removes the
/// value.
public struct FavouriteChange: Hashable, Sendable, Codable {
    /// The new position among the favourites, from 1; a position past the end means the last.
    public var position: Int?
    /// The new label; empty: the operator's name.
    public var label: String?
    /// The new lines on the overview; empty: all.
    public var lines: [String]?
    /// The new order of the rows.
    public var sort: SortOrder?
    /// The new walking time; zero removes it.
    public var walk: Duration?
    /// What happens to departures that can no longer be caught.
    public var uncatchable: Favourite.Uncatchable?
    /// The new stop at which departures must call, as the operator's code; empty: any.
    public var towards: String?
    /// The new platforms; empty: all.
    public var platforms: [String]?
    /// The new directions; empty: all.
    public var directions: [String]?
    /// The new hours on the board; empty: always.
    public var when: [WeeklyWindow]?

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

    /// Whether the change contains more than a position.
    public var changesFavourite: Bool {
        var other = self
        other.position = nil
        return other != FavouriteChange()
    }

    /// Applies all but the position.
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

    /// The keys that may be changed.
    static let keys = CodingKeys.allCases.map(\.stringValue)

    /// Throws for unknown keys and invalid values.
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
