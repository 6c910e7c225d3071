internal import BoardControl
internal import BoardCore
internal import BoardStore
internal import BoardThreads

/// Changes of the favourites that a person asks for, by a command or over the control socket: what does not exist is
/// refused with what may have been meant, everything else goes into favourites.toml.
struct FavouriteKeeping: Sendable {
    /// How many candidates are named.
    private static let candidates = 3

    let editor: FavouritesEditor
    let directory: StopDirectory
    let feeds: [FeedName: any DepartureFeed]

    /// Makes a stop a favourite.
    ///
    /// - Parameter position: its place in the list, from 1; nil: the last.
    func add(_ favourite: Favourite, at position: Int? = nil) async throws(ControlRefusal) {
        let lines = try await lines(at: favourite.stop)
        try await check(favourite.lines, among: lines, at: favourite.stop)
        try await edit { (editor) throws(FavouritesFailure) in try editor.add(favourite, at: position) }
    }

    /// Takes a stop out.
    func remove(_ stop: StopID) async throws(ControlRefusal) {
        try await edit { (editor) throws(FavouritesFailure) in try editor.remove(stop) }
    }

    /// Puts a stop in another place, from 1; a place past the end is the last one.
    func move(_ stop: StopID, to position: Int) async throws(ControlRefusal) {
        try await edit { (editor) throws(FavouritesFailure) in try editor.move(stop, to: position) }
    }

    /// Chooses the lines of interest; none: all.
    func setLines(_ lines: [String], of stop: StopID) async throws(ControlRefusal) {
        if !lines.isEmpty { try await check(lines, among: try await self.lines(at: stop), at: stop) }
        try await edit { (editor) throws(FavouritesFailure) in try editor.setLines(stop, to: lines) }
    }

    /// The lines that call at a stop that exists: as the directory has them, otherwise as the operator says.
    private func lines(at stop: StopID) async throws(ControlRefusal) -> [Line] {
        guard let feed = feeds[stop.feed] else {
            let known = feeds.keys.map(\.description).sorted().joined(separator: ", ")
            throw ControlRefusal(.notFound, "there is no feed \"\(stop.feed)\"; known feeds: \(known)")
        }
        let directory = directory
        let listed = try await onThread { try? directory.stop(stop) }
        if let lines = listed?.lines, !lines.isEmpty { return lines.map(\.line) }
        do throws(FeedFailure) {
            return try await feed.lines(at: stop)
        } catch {
            // A stop of the list exists, whatever the network does.
            if listed != nil { return [] }
            let meant = try await onThread { try? directory.candidates(forStop: stop, limit: Self.candidates) }
            let candidates = meant?.found.map { Candidate($0) } ?? []
            guard error.kind == .unknownStop else {
                throw ControlRefusal(
                    .unavailable, "\(stop) is not in the stop directory, and could not be asked about: \(error.detail)",
                    candidates: candidates)
            }
            throw ControlRefusal(
                .notFound, "\(feed.profile.title) knows no stop \(stop.code)", candidates: candidates)
        }
    }

    /// Refuses a line that does not call.
    private func check(_ wanted: [String], among lines: [Line], at stop: StopID) async throws(ControlRefusal) {
        guard !lines.isEmpty, let missing = wanted.first(where: { text in !lines.contains { $0.isCalled(text) } })
        else { return }
        let directory = directory
        let near = try await onThread { try? directory.candidates(forLine: missing, in: stop.feed, limit: 50) }
        let nearest = (near?.found ?? []).map(\.line.line.name).filter { name in lines.contains { $0.name == name } }
        let rest = lines.map(\.name).filter { !nearest.contains($0) }
        throw ControlRefusal(
            .invalid, "line \"\(missing)\" does not call at \(stop)",
            candidates: (nearest + rest).prefix(Self.candidates).map { Candidate(id: $0) })
    }

    private func edit(
        _ change: @escaping @Sendable (FavouritesEditor) throws(FavouritesFailure) -> [FavouriteEntry]
    ) async throws(ControlRefusal) {
        let editor = editor
        let result = try await onThread { Result { () throws(FavouritesFailure) in try change(editor) } }
        do throws(FavouritesFailure) {
            _ = try result.get()
        } catch {
            throw ControlRefusal(error)
        }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async throws(ControlRefusal) -> Value {
        do throws(ThreadFailure) {
            return try await DedicatedThread.run("favourites", body)
        } catch {
            throw ControlRefusal(.failed, "\(error)")
        }
    }
}
