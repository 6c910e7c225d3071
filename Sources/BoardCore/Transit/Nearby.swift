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
            case .stop(let favourite): return [favourite]
            case .nearby(let search):
                let found = try nearest(search).sorted { $0.distance < $1.distance }
                return found.filter { seen.insert($0.stop).inserted }
                    .map { Favourite(stop: $0.stop, distance: $0.distance) }
            }
        }
    }
}
