internal import BoardCore
internal import Synchronization

/// The last routes of lines, for some minutes: a map that is moved needs the same route again and again, and each costs its operator
/// a request.
final class RouteCache: Sendable {
    private static let age = Duration.seconds(600)
    private static let capacity = 16

    private struct Entry {
        let feed: FeedName
        let line: String
        let route: LineRoute
        let storedAt: Instant
    }

    private let entries = Mutex<[Entry]>([])

    func route(of line: String, feed: FeedName, at now: Instant) -> LineRoute? {
        entries.withLock { entries in
            entries.removeAll { now - $0.storedAt > Self.age }
            return entries.first { $0.feed == feed && $0.line == line }?.route
        }
    }

    func store(_ route: LineRoute, of line: String, feed: FeedName, at now: Instant) {
        entries.withLock { entries in
            entries.removeAll { $0.feed == feed && $0.line == line }
            if entries.count >= Self.capacity { entries.removeFirst() }
            entries.append(Entry(feed: feed, line: line, route: route, storedAt: now))
        }
    }
}
