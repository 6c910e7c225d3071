import BoardControl
import BoardCore
import Synchronization

/// A board that tells its favourites when it is let, and does not hear that it is cancelled.
final class SlowBoard: ControlActions {
    private let empty = EmptyBoard()
    private let awaited: Int
    private let asked: AsyncStream<Void>
    private let asking: AsyncStream<Void>.Continuation
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    /// - Parameter awaited: how many questions make it busy.
    init(awaited: Int) {
        self.awaited = awaited
        (asked, asking) = AsyncStream.makeStream(of: Void.self)
    }

    /// Waits until it is busy.
    func isBusy() async {
        var count = 0
        for await _ in asked {
            count += 1
            if count == awaited { return }
        }
    }

    /// Answers whoever has asked.
    func goOn() {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume() }
    }

    func favourites() async throws(ControlRefusal) -> [FavouriteItem] {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0.append(continuation) }
            asking.yield()
        }
        return []
    }

    func state() async throws(ControlRefusal) -> BoardState { try await empty.state() }
    func press(_ gesture: Gesture, button: ButtonID) async throws(ControlRefusal) {}
    func refresh() async throws(ControlRefusal) {}
    func reload() async throws(ControlRefusal) {}
    func stops(matching text: String, limit: Int) async throws(ControlRefusal) -> [StopEntry] { [] }
    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int
    ) async throws(ControlRefusal) -> [StopEntry] { [] }
    func stop(_ id: StopID) async throws(ControlRefusal) -> StopDetail { try await empty.stop(id) }
    func lines(of feed: FeedName?) async throws(ControlRefusal) -> [LineEntry] { [] }
    func route(of line: String, feed: FeedName) async throws(ControlRefusal) -> RouteEntry {
        try await empty.route(of: line, feed: feed)
    }
    func directory() async throws(ControlRefusal) -> [DirectoryState] { [] }
    func updateDirectory(_ feed: FeedName?) async throws(ControlRefusal) -> [DirectoryState] { [] }
    func addFavourite(_ favourite: Favourite) async throws(ControlRefusal) -> FavouriteItem {
        try await empty.addFavourite(favourite)
    }
    func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ControlRefusal) -> FavouriteItem {
        try await empty.changeFavourite(stop, change)
    }
    func removeFavourite(_ stop: StopID) async throws(ControlRefusal) {}
}
