internal import BoardControl
internal import BoardCore
internal import BoardStore
internal import BoardThreads

/// Where a command has favourites changed: by the running daemon, or in this process. Every change answers with the list
/// as it is then.
protocol FavouritesBackend: Sendable {
    /// The list.
    func entries() async throws(ControlClientError) -> [FavouriteEntry]
    /// Makes a stop a favourite; in the last place, unless another one is wanted.
    func add(_ favourite: Favourite, at position: Int?) async throws(ControlClientError) -> [FavouriteEntry]
    /// Takes a stop out.
    func remove(_ stop: StopID) async throws(ControlClientError) -> [FavouriteEntry]
    /// Puts a stop in another place, from 1.
    func move(_ stop: StopID, to position: Int) async throws(ControlClientError) -> [FavouriteEntry]
    /// Chooses the lines of interest; none: all.
    func setLines(_ lines: [String], of stop: StopID) async throws(ControlClientError) -> [FavouriteEntry]
}

/// The running daemon, over its socket: it may write the file where the person who asks may not, and the board shows the
/// change when it answers.
struct DaemonFavourites: FavouritesBackend {
    let client: ControlClient
    /// Reads the list as the files have it.
    let written: @Sendable () -> [FavouriteEntry]

    func entries() async throws(ControlClientError) -> [FavouriteEntry] {
        let told = try await client.favourites().compactMap { item in
            var favourite = Favourite(item)
            favourite?.name = item.name
            return favourite
        }
        // The daemon tells of stops alone. Its file, which everybody may read, also has the wishes for near ones between
        // them; if that is another file than this process would read, the stops are all that is known.
        let written = written()
        return written.named.map(\.stop) == told.map(\.stop) ? written : told.map { .stop($0) }
    }

    func add(_ favourite: Favourite, at position: Int?) async throws(ControlClientError) -> [FavouriteEntry] {
        _ = try await client.addFavourite(NewFavourite(favourite))
        if let position {
            do throws(ControlClientError) {
                _ = try await client.changeFavourite(favourite.stop, FavouriteChange(position: position))
            } catch {
                guard case .refused(let refusal) = error else { throw error }
                throw .refused(
                    ControlError(
                        refusal.kind, "\(favourite.stop) is a favourite now, in the last place: \(refusal.message)",
                        candidates: refusal.candidates, faults: refusal.faults))
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

/// This process: it writes the file, and a running daemon notices.
struct FileFavourites: FavouritesBackend {
    let updater: FavouritesUpdater
    let written: [FavouriteEntry]

    func entries() async throws(ControlClientError) -> [FavouriteEntry] { written }

    func add(_ favourite: Favourite, at position: Int?) async throws(ControlClientError) -> [FavouriteEntry] {
        try await told { () throws(ControlError) in try await updater.add(favourite, at: position) }
    }

    func remove(_ stop: StopID) async throws(ControlClientError) -> [FavouriteEntry] {
        try await told { () throws(ControlError) in try await updater.remove(stop) }
    }

    func move(_ stop: StopID, to position: Int) async throws(ControlClientError) -> [FavouriteEntry] {
        try await told { () throws(ControlError) in try await updater.move(stop, to: position) }
    }

    func setLines(_ lines: [String], of stop: StopID) async throws(ControlClientError) -> [FavouriteEntry] {
        try await told { () throws(ControlError) in try await updater.change(stop, FavouriteChange(lines: lines)) }
    }

    private func told(
        _ change: () async throws(ControlError) -> [FavouriteEntry]
    ) async throws(ControlClientError) -> [FavouriteEntry] {
        do throws(ControlError) {
            return try await change()
        } catch {
            throw .refused(error)
        }
    }
}
