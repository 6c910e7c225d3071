import BoardCore
import BoardDisplays
import BoardFeeds
import BoardFleet
import BoardIO
import BoardService
import BoardStore

/// The running board of the daemon, with its files, directory and feeds.
struct LiveBoardService: RunningBoard {
    let local: LocalBoardService
    let mailbox: Mailbox<BoardLoop.Message>
    let display: DisplayService
    let buttons: ButtonService
    let reloading: ReloadService
    let viewers: Viewers
    let fleet: FleetService
    let clock: any MachineClock
    /// The machine's zone.
    let zone: Zone
    let looks = LookLimit()

    var stops: any StopService { local }

    func changes() -> AsyncStream<UInt64> { viewers.changes() }

    func live() async throws(ServiceError) -> LiveState { try await reported().live }

    private func reported() async throws(ServiceError) -> (live: LiveState, report: Board.Report) {
        // Only the copy is made on the board's thread.
        let (board, now) = try await read { ($0, $1) }
        let report = board.report(at: now)
        var faults = BoardFaults(configuration: report.configurationFault?.description, buttons: buttons.lastFault)
        var picture = DisplayPicture(
            rows: report.frame.lines, lit: report.frame.isLit, dots: DisplayDots(drawing(of: report)),
            page: report.pageInView,
            light: report.light)
        switch display.lastHealth {
        case nil: break
        case .shown: picture.isResponding = true
        case .absent(let fault):
            picture.isResponding = false
            faults.display = fault
        }
        let live = LiveState(
            name: reloading.current.configuration.board.name ?? MachineAddress.name, version: Version.number,
            time: report.moment, timeSource: report.timeSource,
            utcOffsetSeconds: Int(zone.offset(at: report.moment) / .seconds(1)), display: picture,
            pages: report.pages, stops: report.stops, favourites: try await local.favourites(),
            changes: fleet.favouriteChanges,
            faults: faults)
        return (live, report)
    }

    func displayDrawing() async throws(ServiceError) -> String {
        drawing(of: try await read { board, now in board.report(at: now) }).svg
    }

    /// As the panel of the configuration shows it.
    private func drawing(of report: Board.Report) -> LCDDrawing {
        let (frame, title) = (report.frame, report.pages.first { $0.id == report.pageInView.id }?.title ?? "")
        let wiring = reloading.current.configuration.display
        let size = DisplaySize(columns: frame.columns, rows: frame.rows.count)
        if wiring.isOLED, wiring.panel.size == size { return LCDDrawing(frame, onOLEDOf: wiring.dotRows, title: title) }
        return LCDDrawing(frame, on: Panel(size: size, rom: wiring.panel.rom), colour: .blue, title: title)
    }

    func look(at stop: StopID) async throws(ServiceError) -> StopReport {
        let active = reloading.current
        guard let feed = active.feeds[stop.feed] else {
            throw .unknownFeed(stop.feed, known: active.configuration.feedNames(of: FeedRegistry.declarations))
        }
        let (board, now) = try await read { ($0, $1) }
        if let wait = looks.wait(for: stop.feed, at: now) ?? board.lookWait(of: stop.feed, at: now) {
            throw ServiceError(
                .rateLimited, "\(feed.profile.title): the limit of requests is reached; try again in \(wait.written)",
                retryAfter: wait)
        }
        mailbox.post(.event(.looked(stop.feed)))
        let known = active.configuration.favourites.first { $0.stop == stop } ?? Favourite(stop: stop)
        let response: FeedResponse
        do throws(FeedError) {
            response = try await feed.departures(FeedRequest(stop: stop, name: known.name, location: known.location))
        } catch {
            throw ServiceError(error)
        }
        return try DepartureListing(
            response: response, sort: .time, feed: feed.profile, clock: clock, zone: zone,
            known: active.favourites.known, language: active.configuration.board.language
        ).report
    }

    func state() async throws(ServiceError) -> BoardState {
        let (live, report) = try await reported()
        return BoardState(live, report, of: reloading.current, directory: try await local.directory())
    }

    func departures(of stop: StopID, sorted order: BoardCore.SortOrder) async throws(ServiceError) -> StopReport {
        let report = try await read { board, now in board.report(on: stop, sorted: order, at: now) }
        guard let report else {
            throw ServiceError(.notFound, "\(stop) is not on the board: it is not a favourite, or outside its hours")
        }
        return report
    }

    /// Reads the board, on its thread, unless the task was cancelled.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Board, Instant) -> Value
    ) async throws(ServiceError) -> Value {
        try ServiceError.checkCancellation()
        let value: Value? = await withCheckedContinuation { continuation in
            mailbox.post(.read { continuation.resume(returning: $0.map { body($0.board, $0.now) }) })
        }
        guard let value else { throw ServiceError(.unavailable, "boardd is shutting down") }
        try ServiceError.checkCancellation()
        return value
    }

    func press(_ gesture: Gesture, button: ButtonID) async throws(ServiceError) {
        let buttons = reloading.current.configuration.buttons.count
        // A board without buttons has the pages that a first button would step through.
        guard (0..<max(1, buttons)).contains(button.index) else {
            throw ServiceError(
                .notFound, "there is no button \(button.number): the configuration has \(buttons), counted from 1")
        }
        mailbox.post(.event(.gesture(gesture, button)))
    }

    func refresh() async throws(ServiceError) { mailbox.post(.event(.refresh)) }

    func show(page: String) async throws(ServiceError) {
        let report = try await read { board, now in board.report(at: now) }
        let stop = try BoardPages(report.pages).stop(called: page)
        mailbox.post(.event(.show(stop)))
    }

    func setLight(_ mode: LightMode) async throws(ServiceError) { mailbox.post(.event(.light(mode))) }

    func show(_ message: BoardMessage) async throws(ServiceError) {
        mailbox.post(.event(.message(message.text, .seconds(message.seconds))))
    }

    func reload() async throws(ServiceError) { try await reloading.reload() }
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

    func undoFavourites() async throws(ServiceError) -> [FavouriteItem] {
        _ = try await local.undoFavourites()
        try await reloadAfterEdit()
        return try await local.favourites()
    }

    func favouriteChanges() async throws(ServiceError) -> [SharedFavouriteChange] { fleet.favouriteChanges ?? [] }

    func revertFavourite(_ stop: StopID) async throws(ServiceError) -> [FavouriteItem] {
        let reversal = try await fleet.favourites(revertingChangeOf: stop)
        try await local.setSharedFavourites(reversal.after, expecting: reversal.before)
        try await reloadAfterEdit()
        return try await local.favourites()
    }

    private func reloadAfterEdit() async throws(ServiceError) {
        do throws(ServiceError) {
            try await reload()
        } catch {
            throw error.with(message: "favourites.toml was saved, but the reload failed: \(error.message)")
        }
    }
}

extension DisplayDots {
    init(_ drawing: LCDDrawing) { self.init(drawing.isOLED ? .oled : .characters, rows: drawing.dots) }
}
