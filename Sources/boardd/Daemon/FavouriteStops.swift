internal import BoardCore
internal import Synchronization

/// The favourites as they are now: a feed outlives many of them.
final class FavouriteStops: Sendable {
    private let stops = Mutex<[StopID]>([])

    /// From now on these are the favourites.
    func replace(_ new: [StopID]) { stops.withLock { $0 = new } }

    /// The codes of those of a feed.
    func codes(of feed: FeedName) -> [String] {
        stops.withLock { stops in stops.filter { $0.feed == feed }.map(\.code) }
    }
}
