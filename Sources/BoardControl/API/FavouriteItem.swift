public import BoardCore

/// A favourite as favourites.toml has it.
public struct FavouriteItem: Hashable, Sendable, Codable {
    /// The order of a page's rows.
    public enum Sort: String, CaseIterable, Sendable, Codable {
        case time, line, destination

        /// The order of the core.
        public init(_ order: SortOrder) {
            self =
                switch order {
                case .time: .time
                case .line: .line
                case .destination: .destination
                }
        }
    }

    /// The stop, `feed:code`.
    public var stop: String
    /// What the glass calls it, where a person chose that.
    public var label: String?
    /// The lines of interest on the overview; empty: all.
    public var lines: [String]
    /// The order of its rows until a press changes it.
    public var sort: Sort
    /// The operator's name of the stop, where it is known.
    public var name: String?

    /// A favourite.
    public init(_ favourite: Favourite, name: String? = nil) {
        stop = favourite.stop.description
        label = favourite.label
        lines = favourite.lines
        sort = Sort(favourite.sort)
        self.name = name
    }
}

/// What `POST /v1/favourites` asks for.
public struct NewFavourite: Hashable, Sendable, Codable {
    /// The stop, `feed:code`.
    public var stop: String
    /// What the glass is to call it; nil: the operator's name.
    public var label: String?
    /// The lines of interest; nil or empty: all.
    public var lines: [String]?

    /// A favourite to add.
    public init(stop: StopID, label: String? = nil, lines: [String]? = nil) {
        self.stop = stop.description
        self.label = label
        self.lines = lines
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case stop, label, lines
    }

    /// Reads a favourite to add; refuses what it does not know.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        stop = try container.decode(String.self, forKey: .stop)
        try container.check(.stop, StopID(stop) != nil, "must be feed:code, such as tfl:490008660N")
        label = try container.decodeIfPresent(String.self, forKey: .label)
        lines = try container.decodeIfPresent([String].self, forKey: .lines)
    }
}

/// What `PATCH /v1/favourites/{stop}` asks for; what is left out stays as it is.
public struct FavouriteChange: Hashable, Sendable, Codable {
    /// Its new place among the favourites, from 1; a place past the end is the last one.
    public var position: Int?
    /// The new lines of interest; empty: all.
    public var lines: [String]?

    /// A change.
    public init(position: Int? = nil, lines: [String]? = nil) {
        self.position = position
        self.lines = lines
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case position, lines
    }

    /// Reads a change; refuses what it does not know.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        position = try container.integer(.position, atLeast: 1)
        lines = try container.decodeIfPresent([String].self, forKey: .lines)
    }
}
