internal import BoardControl
internal import BoardCore
internal import BoardIO
internal import BoardStore

/// Where a command changes favourites: in the running daemon, or in this process. Every change returns the new list.
protocol FavouritesBackend: Sendable {
    func entries() async throws(ControlClientError) -> [FavouriteEntry]
    /// Adds a stop; nil: at the end.
    func add(_ favourite: Favourite, at position: Int?) async throws(ControlClientError) -> [FavouriteEntry]
    func remove(_ stop: StopID) async throws(ControlClientError) -> [FavouriteEntry]
    /// Moves a stop to a position from 1.
    func move(_ stop: StopID, to position: Int) async throws(ControlClientError) -> [FavouriteEntry]
    /// Sets the lines of a stop; empty: all.
    func setLines(_ lines: [String], of stop: StopID) async throws(ControlClientError) -> [FavouriteEntry]
}

/// The running daemon, over its socket: it may write the file where the user may not, and responds when the board shows the
/// change.
struct DaemonFavourites: FavouritesBackend {
    let client: ControlClient
    /// Reads the entries of the file.
    let written: @Sendable () -> [FavouriteEntry]

    func entries() async throws(ControlClientError) -> [FavouriteEntry] {
        let reported = try await client.favourites().compactMap { item in
            var favourite = Favourite(item)
            favourite?.name = item.name
            return favourite
        }
        // The daemon lists stops alone. Its file, which every user may read, also has the nearby entries between them. If
        // this process would read another file, only the stops are available.
        let written = written()
        return written.named.map(\.stop) == reported.map(\.stop) ? written : reported.map { .stop($0) }
    }

    func add(_ favourite: Favourite, at position: Int?) async throws(ControlClientError) -> [FavouriteEntry] {
        _ = try await client.addFavourite(NewFavourite(favourite))
        if let position {
            do throws(ControlClientError) {
                _ = try await client.changeFavourite(favourite.stop, FavouriteChange(position: position))
            } catch {
                guard case .errorResponse(let rejected) = error else { throw error }
                throw .errorResponse(
                    ControlError(
                        rejected.kind, "\(favourite.stop) was added at the end: \(rejected.message)",
                        candidates: rejected.candidates, faults: rejected.faults))
            }
        }
        return try await entries()
    }

    func remove(_ stop: StopID) async throws(ControlClientError) -> [FavouriteEntry] {
        try await client.removeFavourite(stop)
        return try await entries()
    }

    func move(_ stop: StopID, to position: Int) async throws(ControlClientError) -> [FavouriteEntry] {
        _ = try await client.changeFavourite(stop, FavouriteChange(position: position))
        return try await entries()
    }

    func setLines(_ lines: [String], of stop: StopID) async throws(ControlClientError) -> [FavouriteEntry] {
        _ = try await client.changeFavourite(stop, FavouriteChange(lines: lines))
        return try await entries()
    }
}

/// This process: it writes the file, and a running daemon reloads it.
struct FileFavourites: FavouritesBackend {
    let updater: FavouritesUpdater
    let written: [FavouriteEntry]

    func entries() async throws(ControlClientError) -> [FavouriteEntry] { written }

    func add(_ favourite: Favourite, at position: Int?) async throws(ControlClientError) -> [FavouriteEntry] {
        try await mappingError { () throws(ControlError) in try await updater.add(favourite, at: position) }
    }

    func remove(_ stop: StopID) async throws(ControlClientError) -> [FavouriteEntry] {
        try await mappingError { () throws(ControlError) in try await updater.remove(stop) }
    }

    func move(_ stop: StopID, to position: Int) async throws(ControlClientError) -> [FavouriteEntry] {
        try await mappingError { () throws(ControlError) in try await updater.move(stop, to: position) }
    }

    func setLines(_ lines: [String], of stop: StopID) async throws(ControlClientError) -> [FavouriteEntry] {
        try await mappingError { () throws(ControlError) in
            try await updater.change(stop, FavouriteChange(lines: lines))
        }
    }

    private func mappingError(
        _ change: () async throws(ControlError) -> [FavouriteEntry]
    ) async throws(ControlClientError) -> [FavouriteEntry] {
        do throws(ControlError) {
            return try await change()
        } catch {
            throw .errorResponse(error)
        }
    }
}
