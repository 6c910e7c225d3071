public import BoardCore
import BoardFeeds
import BoardIO
import BoardStore
import Synchronization

// The routes of lines.
extension LocalBoardService {
    /// The directory resolves the line; its operator reports the route, which is cached for ten minutes.
    public func route(of text: String, feed: FeedName) async throws(ServiceError) -> RouteEntry {
        let (line, near) = try await DedicatedThread.attempt { [directory] in
            (
                try? directory.line(called: text, in: feed),
                (try? directory.candidates(forLine: text, in: feed, limit: Candidate.maximumCount).found) ?? []
            )
        }
        let id = line?.line.line.id ?? text
        if let route = routes.route(of: id, feed: feed, at: clock.now()) {
            return RouteEntry(route, of: feed, isFavourite: try active().stops.contains)
        }
        guard let source = try list(of: feed) else { throw ServiceError(.notFound, "feed \(feed) has no line routes") }
        let route: LineRoute?
        do throws(FeedError) {
            route = try await source.route(of: id)
        } catch {
            throw ServiceError(error)
        }
        guard let route else {
            throw ServiceError(
                .notFound, "\(feed): no line \"\(text)\"",
                candidates: near.map { Candidate(id: "\($0.feed):\($0.line.line.id)", name: $0.line.line.name) })
        }
        routes.store(route, of: id, feed: feed, at: clock.now())
        return RouteEntry(route, of: feed, isFavourite: try active().stops.contains)
    }
}

/// The last routes of lines, for ten minutes: a map that is moved needs the same route again and again, and each costs
/// a request to the operator.
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
