/// A wish for the nearest stops of a place, whichever they are.
public struct Nearby: Hashable, Sendable {
    /// The place.
    public let location: Coordinates
    /// How far a stop may be.
    public let radius: Metres
    /// How many stops at most.
    public let stops: Int
    /// What must call there, in the operator's words ("bus"); empty: anything.
    public let modes: [String]

    /// A wish; the defaults are those of the configuration.
    public init(location: Coordinates, radius: Metres = Metres(400), stops: Int = 3, modes: [String] = []) {
        self.location = location
        self.radius = radius
        self.stops = stops
        self.modes = modes
    }
}

/// What a person put into favourites.toml, in the order of the file.
public enum FavouriteEntry: Hashable, Sendable {
    /// A stop.
    case stop(Favourite)
    /// The nearest stops of a place.
    case nearby(Nearby)
}

extension [FavouriteEntry] {
    /// The stops that a person named.
    public var named: [Favourite] {
        compactMap { entry in
            if case .stop(let favourite) = entry { favourite } else { nil }
        }
    }

    /// Those that are no stop of these feeds.
    public func without(_ feeds: Set<FeedName>) -> [FavouriteEntry] {
        filter { entry in
            guard case .stop(let favourite) = entry else { return true }
            return !feeds.contains(favourite.stop.feed)
        }
    }

    /// The board's favourites: the stops that a person named, and in the places of the wishes what `nearest` finds,
    /// nearest first. A stop is there once: as it was named, otherwise where it is found first.
    public func favourites(_ nearest: (Nearby) throws -> [(stop: StopID, distance: Metres)]) rethrows -> [Favourite] {
        var seen = Set(named.map(\.stop))
        return try flatMap { entry -> [Favourite] in
            switch entry {
            case .stop(let favourite):
                return [favourite]
            case .nearby(let wish):
                let found = try nearest(wish).sorted { $0.distance < $1.distance }
                return found.filter { seen.insert($0.stop).inserted }
                    .map { Favourite(stop: $0.stop, distance: $0.distance) }
            }
        }
    }
}
