public import BoardCore

/// The body of `POST /v1/favourites`: the keys of a ``FavouriteItem`` except the name; only the stop is required.
public struct NewFavourite: Hashable, Sendable, Codable {
    public var favourite: Favourite

    /// - Parameter favourite: the favourite to add; its distance is not sent.
    public init(_ favourite: Favourite) {
        self.favourite = favourite
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case stop, label, lines, sort, walk, uncatchable, towards, platforms, directions, when
    }

    /// Throws for unknown keys and invalid values.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let stop = StopID(try container.decode(String.self, forKey: .stop))
        guard let stop, stop.description.count <= RequestTarget.longestName else {
            throw container.invalid(.stop, "must be feed:code, such as tfl:490008660N")
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

    public func encode(to encoder: any Encoder) throws {
        // The same keys: a new favourite has no name.
        try FavouriteItem(favourite).encode(to: encoder)
    }
}
