import BoardControl
import BoardCore
import BoardService
import Synchronization

/// A board whose favourites wait until the test resumes it, and ignore cancellation.
final class SlowBoard: RunningBoard {
    private let empty = EmptyBoard()
    private let awaited: Int
    private let requests: AsyncStream<Void>
    private let requestSink: AsyncStream<Void>.Continuation
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    /// - Parameter awaited: the number of requests that make it busy.
    init(awaited: Int) {
        self.awaited = awaited
        (requests, requestSink) = AsyncStream.makeStream(of: Void.self)
    }

    /// Waits until it is busy.
    func isBusy() async {
        var count = 0
        for await _ in requests {
            count += 1
            if count == awaited { return }
        }
    }

    /// Completes all pending requests.
    func resume() {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume() }
    }

    func favourites() async throws(ServiceError) -> [FavouriteItem] {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0.append(continuation) }
            requestSink.yield()
        }
        return []
    }

    func state() async throws(ServiceError) -> BoardState { try await empty.state() }
    func live() async throws(ServiceError) -> LiveState { try await empty.live() }
    func changes() -> AsyncStream<Void> { empty.changes() }
    func look(at stop: StopID) async throws(ServiceError) -> StopDepartures { try await empty.look(at: stop) }
    func undoFavourites() async throws(ServiceError) -> [FavouriteItem] { try await empty.undoFavourites() }
    func revertFavourite(_ stop: StopID) async throws(ServiceError) -> [FavouriteItem] {
        try await empty.revertFavourite(stop)
    }
    func departures(of stop: StopID, sorted order: SortOrder) async throws(ServiceError) -> StopDepartures {
        try await empty.departures(of: stop, sorted: order)
    }
    func press(_ gesture: Gesture, button: ButtonID) async throws(ServiceError) {}
    func refresh() async throws(ServiceError) {}
    func show(page: String) async throws(ServiceError) {}
    func setLight(_ mode: LightMode) async throws(ServiceError) {}
    func show(_ message: BoardMessage) async throws(ServiceError) {}
    func reload() async throws(ServiceError) {}
    func stops(matching text: String, limit: Int, isOnline: Bool) async throws(ServiceError) -> [StopEntry] { [] }
    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> [StopEntry] { [] }
    func stops(
        in box: BoundingBox, near place: Coordinates?, limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> StopsInBox {
        try await empty.stops(in: box, near: place, limit: limit, isOnline: isOnline)
    }
    func map(_ request: MapRequest) async throws(ServiceError) -> String {
        try await empty.map(request)
    }
    func stop(_ id: StopID, isOnline: Bool) async throws(ServiceError) -> StopDetail {
        try await empty.stop(id, isOnline: isOnline)
    }
    func lines(of feed: FeedName?) async throws(ServiceError) -> [LineEntry] { [] }
    func route(of line: String, feed: FeedName) async throws(ServiceError) -> RouteEntry {
        try await empty.route(of: line, feed: feed)
    }
    func directory() async throws(ServiceError) -> [DirectoryState] { [] }
    func updateDirectory(_ feed: FeedName?) async throws(ServiceError) -> [DirectoryState] { [] }
    func addFavourite(_ favourite: Favourite, at position: Int?) async throws(ServiceError) -> FavouriteItem {
        try await empty.addFavourite(favourite, at: position)
    }
    func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ServiceError) -> FavouriteItem {
        try await empty.changeFavourite(stop, change)
    }
    func removeFavourite(_ stop: StopID) async throws(ServiceError) {}
    func favouriteChanges() async throws(ServiceError) -> [SharedFavouriteChange] { [] }
}
