internal import BoardControl
internal import BoardCore
internal import BoardStore
internal import BoardThreads

/// Where a command has favourites changed: by the running daemon, or in this process. Every change answers with the list
/// as it is then.
protocol FavouriteDesk: Sendable {
    /// The list.
    func entries() async throws(ControlFailure) -> [FavouriteEntry]
    /// Makes a stop a favourite; in the last place, unless another one is wanted.
    func add(_ favourite: Favourite, at position: Int?) async throws(ControlFailure) -> [FavouriteEntry]
    /// Takes a stop out.
    func remove(_ stop: StopID) async throws(ControlFailure) -> [FavouriteEntry]
    /// Puts a stop in another place, from 1.
    func move(_ stop: StopID, to position: Int) async throws(ControlFailure) -> [FavouriteEntry]
    /// Chooses the lines of interest; none: all.
    func setLines(_ lines: [String], of stop: StopID) async throws(ControlFailure) -> [FavouriteEntry]
}

/// The running daemon, over its socket: it may write the file where the person who asks may not, and the board shows the
/// change when it answers.
struct DaemonDesk: FavouriteDesk {
    let client: ControlClient
    /// Reads the list as the files have it.
    let written: @Sendable () -> [FavouriteEntry]

    func entries() async throws(ControlFailure) -> [FavouriteEntry] {
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

    func add(_ favourite: Favourite, at position: Int?) async throws(ControlFailure) -> [FavouriteEntry] {
        _ = try await client.addFavourite(NewFavourite(favourite))
        if let position {
            do throws(ControlFailure) {
                _ = try await client.changeFavourite(favourite.stop, FavouriteChange(position: position))
            } catch {
                guard case .refused(let refusal) = error else { throw error }
                throw .refused(
                    ControlRefusal(
                        refusal.kind, "\(favourite.stop) is a favourite now, in the last place: \(refusal.message)",
                        candidates: refusal.candidates, faults: refusal.faults))
            }
        }
        return try await entries()
    }

    func remove(_ stop: StopID) async throws(ControlFailure) -> [FavouriteEntry] {
        try await client.removeFavourite(stop)
        return try await entries()
    }

    func move(_ stop: StopID, to position: Int) async throws(ControlFailure) -> [FavouriteEntry] {
        _ = try await client.changeFavourite(stop, FavouriteChange(position: position))
        return try await entries()
    }

    func setLines(_ lines: [String], of stop: StopID) async throws(ControlFailure) -> [FavouriteEntry] {
        _ = try await client.changeFavourite(stop, FavouriteChange(lines: lines))
        return try await entries()
    }
}

/// This process: it writes the file, and a running daemon notices.
struct FileDesk: FavouriteDesk {
    let keeping: FavouriteKeeping
    let written: [FavouriteEntry]

    func entries() async throws(ControlFailure) -> [FavouriteEntry] { written }

    func add(_ favourite: Favourite, at position: Int?) async throws(ControlFailure) -> [FavouriteEntry] {
        try await told { () throws(ControlRefusal) in try await keeping.add(favourite, at: position) }
    }

    func remove(_ stop: StopID) async throws(ControlFailure) -> [FavouriteEntry] {
        try await told { () throws(ControlRefusal) in try await keeping.remove(stop) }
    }

    func move(_ stop: StopID, to position: Int) async throws(ControlFailure) -> [FavouriteEntry] {
        try await told { () throws(ControlRefusal) in try await keeping.move(stop, to: position) }
    }

    func setLines(_ lines: [String], of stop: StopID) async throws(ControlFailure) -> [FavouriteEntry] {
        try await told { () throws(ControlRefusal) in try await keeping.change(stop, FavouriteChange(lines: lines)) }
    }

    private func told(
        _ change: () async throws(ControlRefusal) -> [FavouriteEntry]
    ) async throws(ControlFailure) -> [FavouriteEntry] {
        do throws(ControlRefusal) {
            return try await change()
        } catch {
            throw .refused(error)
        }
    }
}
