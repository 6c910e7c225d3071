internal import BoardCore
internal import Synchronization

/// The limit of requests that viewers cause: one a feed in a period.
final class LookLimit: Sendable {
    private static let period = Duration.seconds(10)

    private let last = Mutex<[FeedName: Instant]>([:])

    /// Counts a request, where one is allowed now.
    ///
    /// - Returns: the wait until it is; nil: it is allowed.
    func wait(for feed: FeedName, at now: Instant) -> Duration? {
        last.withLock { last in
            if let before = last[feed], now - before < Self.period { return Self.period - (now - before) }
            last[feed] = now
            return nil
        }
    }
}
