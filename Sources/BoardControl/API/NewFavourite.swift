public import BoardCore

/// What `POST /v1/favourites` asks for: the keys of a ``FavouriteItem`` but the name; all but the stop may be left out.
public struct NewFavourite: Hashable, Sendable, Codable {
    /// The favourite.
    public var favourite: Favourite

    /// A favourite to add; its distance is not handed on.
    public init(_ favourite: Favourite) {
        self.favourite = favourite
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case stop, label, lines, sort, walk, uncatchable, towards, platforms, directions, when
    }

    /// Reads a favourite to add; refuses what it does not know, and what cannot be read as it is meant.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let stop = StopID(try container.decode(String.self, forKey: .stop))
        guard let stop, stop.description.count <= RequestTarget.longestName else {
            throw container.refusal(.stop, "must be feed:code, such as tfl:490008660N")
        }
        favourite = Favourite(
            stop: stop,
            label: try container.decodeIfPresent(String.self, forKey: .label),
            lines: try container.decodeIfPresent([String].self, forKey: .lines) ?? [],
            sort: try container.wordIfPresent(.sort).map { SortOrder($0) } ?? .time,
            walk: try container.durationIfPresent(.walk),
            uncatchable: try container.wordIfPresent(.uncatchable).map { Favourite.Uncatchable($0) } ?? .hide,
            towards: try container.decodeIfPresent(String.self, forKey: .towards),
            platforms: try container.decodeIfPresent([String].self, forKey: .platforms) ?? [],
            directions: try container.decodeIfPresent([String].self, forKey: .directions) ?? [],
            when: try container.windowsIfPresent(.when) ?? [])
    }

    /// Writes what was asked for.
    public func encode(to encoder: any Encoder) throws {
        // Without the name it has the same keys.
        try FavouriteItem(favourite).encode(to: encoder)
    }
}
