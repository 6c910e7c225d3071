internal import BoardCore
internal import Synchronization

/// The current favourites: a feed outlives many changes of them.
final class FavouriteStops: Sendable {
    /// Nil: not set.
    private let stops = Mutex<[StopID]?>(nil)

    func replace(_ new: [StopID]?) { stops.withLock { $0 = new } }

    /// The codes of a feed's favourites; nil: not set.
    func codes(of feed: FeedName) -> [String]? {
        stops.withLock { stops in stops?.filter { $0.feed == feed }.map(\.code) }
    }
}
