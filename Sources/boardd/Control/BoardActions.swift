internal import BoardControl
internal import BoardCore
internal import BoardIO
internal import BoardStore

/// The actions of the control socket.
struct BoardActions: ControlActions {
    let mailbox: Mailbox<BoardLoop.Message>
    let clock: any MachineClock
    let display: DisplayService
    let reloading: ReloadService
    let directory: StopDirectory
    let editor: FavouritesEditor
    /// Nil: no write access to the stop directory.
    let updates: DirectoryService?

    func state() async throws(ControlError) -> BoardState {
        let report = try await report()
        let current = reloading.current
        return BoardState(
            report, profiles: current.profiles, settings: current.configuration.feeds,
            directory: try await directory(), display: BoardState.DisplayState(display.lastHealth))
    }

    func press(_ gesture: Gesture, button: ButtonID) async throws(ControlError) {
        let buttons = reloading.current.configuration.buttons.count
        guard (0..<buttons).contains(button.index) else {
            throw ControlError(
                .notFound, "there is no button \(button.index): the configuration has \(buttons), counted from 0")
        }
        mailbox.post(.event(.gesture(gesture, button)))
    }

    func refresh() async throws(ControlError) {
        mailbox.post(.event(.refresh))
    }

    func reload() async throws(ControlError) {
        do throws(ReloadFailure) {
            try await reloading.reload()
        } catch {
            throw ControlError(error)
        }
    }

    private func report() async throws(ControlError) -> Board.Report {
        let report = await withCheckedContinuation { continuation in
            mailbox.post(.report { continuation.resume(returning: $0) })
        }
        guard let report else { throw ControlError(.unavailable, "boardd is shutting down") }
        return report
    }
}

// MARK: - Stops and lines

extension BoardActions {
    func stops(matching text: String, limit: Int) async throws(ControlError) -> [StopEntry] {
        let operators = operators
        return try await found { () throws(DirectoryFailure) in
            try await operators.stops(matching: text, limit: limit)
        }.map { entry($0) }
    }

    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int
    ) async throws(ControlError) -> [StopEntry] {
        let operators = operators
        return try await found { () throws(DirectoryFailure) in
            try await operators.stops(near: place, within: radius, modes: modes, limit: limit)
        }.map { entry($0.stop, distance: $0.distance) }
    }

    func stop(_ id: StopID) async throws(ControlError) -> StopDetail {
        if let finder = reloading.current.feeds[id.feed]?.finder {
            return StopDetail(entry(try await finder.existing(id)), parts: [])
        }
        if let reason = FeedFactory.missingListReason(aboutListOf: id.feed) {
            throw ControlError(.notFound, reason)
        }
        let (stop, parts) = try await read { (directory) throws(DirectoryFailure) in
            (try directory.stop(id), try directory.parts(of: id))
        }
        guard let stop else {
            let near = try await read { (directory) throws(DirectoryFailure) in
                try directory.candidates(forStop: id.description, limit: Candidate.maximumCount)
            }
            throw ControlError(
                .notFound, "the stop directory has no \(id)", candidates: near.found.map { Candidate($0) })
        }
        return StopDetail(entry(stop), parts: parts.map { entry($0) })
    }

    func lines(of feed: FeedName?) async throws(ControlError) -> [LineEntry] {
        if let feed { try checkKnown(feed) }
        if let reason = feed.flatMap(FeedFactory.missingListReason) { throw ControlError(.notFound, reason) }
        let result = try await read { (directory) throws(DirectoryFailure) in try directory.lines(of: feed) }
        return result.found.map { LineEntry($0.line, of: $0.feed) }
    }

    func route(of line: String, feed: FeedName) async throws(ControlError) -> RouteEntry {
        let lookup = LineRouteLookup(directory: directory, catalogue: reloading.catalogue)
        let route = try await lookup.route(of: line, feed: feed)
        let favourites = Set(reloading.current.favourites.favourites.map(\.stop))
        return RouteEntry(route, of: feed, isFavourite: favourites.contains)
    }

    /// Rejects a feed that is not configured.
    private func checkKnown(_ feed: FeedName) throws(ControlError) {
        let known = reloading.current.configuration.feeds.keys
        guard !known.contains(feed) else { return }
        let names = known.map(\.description).sorted().joined(separator: ", ")
        throw ControlError(.notFound, "there is no feed \"\(feed)\"; known feeds: \(names)")
    }

    private func entry(_ stop: ListedStop, distance: Metres? = nil) -> StopEntry {
        StopEntry(
            stop, distance: distance,
            isFavourite: reloading.current.favourites.favourites.contains { $0.stop == stop.id })
    }

    /// A search that includes operators in use.
    private var operators: StopSearch {
        let current = reloading.current
        return StopSearch(
            directory, current.feeds, using: Set(current.favourites.favourites.map(\.stop.feed)))
    }

    /// The matches; an empty result is complete.
    private func found<Found: Sendable>(
        _ search: () async throws(DirectoryFailure) -> StopSearch.SearchResult<Found>
    ) async throws(ControlError) -> [Found] {
        let result: StopSearch.SearchResult<Found>
        do throws(DirectoryFailure) {
            result = try await search()
        } catch {
            throw ControlError(error)
        }
        guard let incompleteReason = result.incompleteReason else { return result.found }
        throw ControlError(
            .unavailable, "\(incompleteReason): " + result.unavailable.map(\.failure.detail).joined(separator: "; "))
    }

    /// Runs a query of the directory on a thread of its own.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (StopDirectory) throws(DirectoryFailure) -> Value
    ) async throws(ControlError) -> Value {
        let directory = directory
        return try await DedicatedThread.attempt("directory") { () throws(ControlError) in
            do throws(DirectoryFailure) {
                return try body(directory)
            } catch {
                throw ControlError(error)
            }
        }
    }
}

// MARK: - The directory

extension BoardActions {
    func directory() async throws(ControlError) -> [DirectoryState] {
        let directory = directory
        let editions = (try? await DedicatedThread.run("directory") { directory.editions().found }) ?? []
        let states = updates?.report ?? [:]
        let names = Set(editions.map(\.feed)).union(states.keys)
        return names.sorted { $0.description < $1.description }.map { name in
            DirectoryState(
                name, editions.first { $0.feed == name }, states[name], now: clock.now(), wall: clock.reading().wall)
        }
    }

    func updateDirectory(_ feed: FeedName?) async throws(ControlError) -> [DirectoryState] {
        guard let updates else {
            throw ControlError(
                .notAllowed, "boardd has no write access to the stop directory (STATE_DIRECTORY)")
        }
        if let feed { try checkKnown(feed) }
        if let reason = feed.flatMap(FeedFactory.missingListReason) { throw ControlError(.notFound, reason) }
        updates.request(feed)
        return try await directory()
    }
}

// MARK: - Favourites

extension BoardActions {
    func favourites() async throws(ControlError) -> [FavouriteItem] {
        reloading.current.configuration.favourites.map { item($0) }
    }

    func addFavourite(_ favourite: Favourite) async throws(ControlError) -> FavouriteItem {
        let entries = try await updater.add(favourite)
        try await reloadAfterEdit()
        return try item(favourite.stop, in: entries.named)
    }

    func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ControlError) -> FavouriteItem {
        var entries: [FavouriteEntry]?
        if change.changesFavourite { entries = try await updater.change(stop, change) }
        if let position = change.position { entries = try await updater.move(stop, to: position) }
        if entries != nil { try await reloadAfterEdit() }
        return try item(stop, in: entries?.named ?? reloading.current.configuration.favourites)
    }

    func removeFavourite(_ stop: StopID) async throws(ControlError) {
        try await updater.remove(stop)
        try await reloadAfterEdit()
    }

    /// Reloads after a change of the file, so that the response follows when the board shows it.
    private func reloadAfterEdit() async throws(ControlError) {
        do throws(ControlError) {
            try await reload()
        } catch {
            throw ControlError(
                error.kind, "favourites.toml was saved, but the reload failed: \(error.message)",
                candidates: error.candidates, faults: error.faults)
        }
    }

    private var updater: FavouritesUpdater {
        FavouritesUpdater(editor: editor, directory: directory, feeds: reloading.current.feeds)
    }

    private func item(_ stop: StopID, in favourites: [Favourite]) throws(ControlError) -> FavouriteItem {
        guard let favourite = favourites.first(where: { $0.stop == stop }) else {
            throw ControlError(FavouritesFailure.notFound(stop, nearest: nil))
        }
        return item(favourite)
    }

    private func item(_ favourite: Favourite) -> FavouriteItem {
        FavouriteItem(favourite, name: reloading.current.favourites.known[favourite.stop]?.name)
    }
}
