internal import BoardCore
internal import BoardService
internal import BoardStore

/// The ``BoardService`` of the daemon: its files, directory and feeds, and the running board.
struct LiveBoardService: BoardService {
    let local: LocalBoardService
    let mailbox: Mailbox<BoardLoop.Message>
    let display: DisplayService
    let buttons: ButtonService
    let reloading: ReloadService

    func state() async throws(ServiceError) -> BoardState {
        let report = try await read { board, now in board.report(at: now) }
        return BoardState(
            report, of: reloading.current, directory: try await directory(),
            display: BoardState.DisplayState(display.lastHealth), buttonFault: buttons.lastFault)
    }

    func departures(
        of stop: StopID, sorted order: BoardCore.SortOrder
    ) async throws(ServiceError) -> StopDepartures {
        let attribution = reloading.current.profiles[stop.feed]?.attribution ?? ""
        return try await read { board, now in
            Result { () throws(ServiceError) in
                try StopDepartures(board, stop, sorted: order, attribution: attribution, at: now)
            }
        }.get()
    }

    /// Reads the board, on its thread.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Board, Instant) -> Value
    ) async throws(ServiceError) -> Value {
        let value: Value? = await withCheckedContinuation { continuation in
            mailbox.post(.read { continuation.resume(returning: $0.map { body($0.board, $0.now) }) })
        }
        guard let value else { throw ServiceError(.unavailable, "boardd is shutting down") }
        return value
    }

    func press(_ gesture: Gesture, button: ButtonID) async throws(ServiceError) {
        let buttons = reloading.current.configuration.buttons.count
        guard (0..<buttons).contains(button.index) else {
            throw ServiceError(
                .notFound, "there is no button \(button.number): the configuration has \(buttons), counted from 1")
        }
        mailbox.post(.event(.gesture(gesture, button)))
    }

    func refresh() async throws(ServiceError) { mailbox.post(.event(.refresh)) }

    func reload() async throws(ServiceError) { try await reloading.reload() }
}

// MARK: - Stops and the directory

extension LiveBoardService {
    func stops(matching text: String, limit: Int) async throws(ServiceError) -> [StopEntry] {
        try await local.stops(matching: text, limit: limit)
    }

    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int
    ) async throws(ServiceError) -> [StopEntry] {
        try await local.stops(near: place, within: radius, modes: modes, limit: limit)
    }

    func stop(_ id: StopID) async throws(ServiceError) -> StopDetail { try await local.stop(id) }

    func lines(of feed: FeedName?) async throws(ServiceError) -> [LineEntry] { try await local.lines(of: feed) }

    func route(of line: String, feed: FeedName) async throws(ServiceError) -> RouteEntry {
        try await local.route(of: line, feed: feed)
    }

    func directory() async throws(ServiceError) -> [DirectoryState] { try await local.directory() }

    func updateDirectory(_ feed: FeedName?) async throws(ServiceError) -> [DirectoryState] {
        try await local.updateDirectory(feed)
    }
}

// MARK: - Favourites

// A change reloads the board before its response, so that a client sees it on the display.
extension LiveBoardService {
    func favourites() async throws(ServiceError) -> [FavouriteItem] { try await local.favourites() }

    func addFavourite(_ favourite: Favourite, at position: Int?) async throws(ServiceError) -> FavouriteItem {
        let item = try await local.addFavourite(favourite, at: position)
        try await reloadAfterEdit()
        return item
    }

    func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ServiceError) -> FavouriteItem {
        let item = try await local.changeFavourite(stop, change)
        try await reloadAfterEdit()
        return item
    }

    func removeFavourite(_ stop: StopID) async throws(ServiceError) {
        try await local.removeFavourite(stop)
        try await reloadAfterEdit()
    }

    private func reloadAfterEdit() async throws(ServiceError) {
        do throws(ServiceError) {
            try await reload()
        } catch {
            throw error.with(message: "favourites.toml was saved, but the reload failed: \(error.message)")
        }
    }
}
