internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads

/// Changes of the favourites that a person asks for, by a command or over the control socket: what does not exist is
/// refused with what may have been meant, everything else goes into favourites.toml.
///
/// A position is what `boardd favourites list` counts: the tables of the file from 1. One past the end is the last one.
struct FavouritesUpdater: Sendable {
    /// How many near lines are looked at for those that call.
    private static let nearLines = 50

    let editor: FavouritesEditor
    let directory: StopDirectory
    let feeds: [FeedName: any DepartureFeed]

    /// Makes a stop a favourite.
    ///
    /// - Parameter position: its place in the list; nil: the last.
    /// - Returns: what the file says now.
    @discardableResult
    func add(_ favourite: Favourite, at position: Int? = nil) async throws(ControlError) -> [FavouriteEntry] {
        let calling = try await calling(at: favourite.stop)
        try await check(favourite.lines, among: calling, at: favourite.stop)
        try await check(towards: favourite.towards, of: favourite.stop)
        let favourite = favourite.described(by: calling.told)
        return try await edit(position) { (editor, position) throws(FavouritesFailure) in
            try editor.add(favourite, at: position)
        }
    }

    /// Takes a stop out.
    ///
    /// - Returns: what the file says now.
    @discardableResult
    func remove(_ stop: StopID) async throws(ControlError) -> [FavouriteEntry] {
        try await edit { (editor, _) throws(FavouritesFailure) in try editor.remove(stop) }
    }

    /// Puts a stop in another place.
    ///
    /// - Returns: what the file says now.
    @discardableResult
    func move(_ stop: StopID, to position: Int) async throws(ControlError) -> [FavouriteEntry] {
        try await edit(position) { (editor, position) throws(FavouritesFailure) in
            try editor.move(stop, to: position ?? 1)
        }
    }

    /// Changes what a person wants of a stop; its place stays.
    ///
    /// - Returns: what the file says now.
    @discardableResult
    func change(_ stop: StopID, _ change: FavouriteChange) async throws(ControlError) -> [FavouriteEntry] {
        // Operators that search their stops themselves name no lines; and that a favourite is a stop was known.
        if let lines = change.lines, !lines.isEmpty, feeds[stop.feed]?.finder == nil {
            try await check(lines, among: try await calling(at: stop), at: stop)
        }
        try await check(towards: change.towards, of: stop)
        return try await edit { (editor, _) throws(FavouritesFailure) in
            try editor.change(stop) { change.apply(to: &$0) }
        }
    }
}

// MARK: - What exists

extension FavouritesUpdater {
    /// The lines that call at a stop.
    private struct CallingLines {
        let lines: [Line]
        /// Whether the operator said so just now, rather than the directory.
        let isFresh: Bool
        /// What the operator calls the stop and where it is, where its identifiers change.
        var told: ListedStop?
    }

    /// The lines that call at a stop that exists: as the directory has them, otherwise as the operator says; none where
    /// nobody knows.
    private func calling(at stop: StopID) async throws(ControlError) -> CallingLines {
        guard let feed = feeds[stop.feed] else {
            let known = feeds.keys.map(\.description).sorted().joined(separator: ", ")
            throw ControlError(.notFound, "there is no feed \"\(stop.feed)\"; known feeds: \(known)")
        }
        // Not even asked about: what no code looks like must not go into the operator's address.
        if let complaint = FeedRegistry.feedOperator(stop.feed)?.declaration.problem(aboutStop: stop.code) {
            throw ControlError(
                .notFound, "\"\(stop.code)\" is no stop: it \(complaint)", candidates: try await candidates(for: stop))
        }
        if let finder = feed.finder { return try await calling(at: stop, finder, feed.profile) }
        let (listed, hasList) = try await listed(stop)
        if let lines = listed?.lines, !lines.isEmpty { return CallingLines(lines: lines.map(\.line), isFresh: false) }
        do throws(FeedFailure) {
            return CallingLines(lines: try await feed.lines(at: stop), isFresh: true)
        } catch {
            // A stop of the list exists, whatever the network does.
            if listed != nil { return CallingLines(lines: [], isFresh: false) }
            let candidates = try await candidates(for: stop)
            guard error.kind == .unknownStop else {
                let list = hasList ? "\(stop) is not in the stop directory" : "there is no stop directory yet"
                throw ControlError(
                    ControlError(error).kind,
                    "\(list), and \(feed.profile.title) could not be asked about \(stop.code): \(error.detail)",
                    candidates: candidates)
            }
            throw ControlError(.notFound, "\(feed.profile.title) knows no stop \(stop.code)", candidates: candidates)
        }
    }

    /// Asks an operator that searches its stops itself whether there is this one. It names no lines.
    private func calling(
        at stop: StopID, _ finder: any StopFinder, _ feed: FeedProfile
    ) async throws(ControlError) -> CallingLines {
        do throws(FeedFailure) {
            return CallingLines(lines: [], isFresh: true, told: try await finder.stop(stop))
        } catch {
            let refusal = ControlError(error)
            let sentence =
                refusal.kind == .notFound
                ? "\(feed.title) knows no stop \(stop.code)"
                : "\(feed.title) could not be asked about \(stop.code): \(error.detail)"
            throw ControlError(refusal.kind, sentence)
        }
    }

    /// Refuses a line that does not call.
    private func check(_ wanted: [String], among known: CallingLines, at stop: StopID) async throws(ControlError) {
        var lines = known.lines
        guard !lines.isEmpty, Self.missing(wanted, among: lines) != nil else { return }
        // The list is a week old at worst, and a line may be new: the operator has the last word.
        if !known.isFresh, let fresh = try? await feeds[stop.feed]?.lines(at: stop), !fresh.isEmpty { lines = fresh }
        guard let missing = Self.missing(wanted, among: lines) else { return }
        let directory = directory
        let near = try await onThread {
            (try? directory.candidates(forLine: missing, in: stop.feed, limit: Self.nearLines))?.found ?? []
        }
        let nearest = near.map(\.line.line.name).filter { name in lines.contains { $0.name == name } }
        let rest = lines.map(\.name).filter { !nearest.contains($0) }
        throw ControlError(
            .invalid, "line \"\(missing)\" does not call at \(stop)",
            candidates: (nearest + rest).prefix(Candidate.usualCount).map { Candidate(id: $0) })
    }

    /// Refuses a stop that the operator's list does not have: a board that asks for what calls nowhere stays empty. What
    /// can be no code of the operator's, or where he tells nobody, is left to the file.
    private func check(towards code: String?, of stop: StopID) async throws(ControlError) {
        guard let code, let declaration = FeedRegistry.feedOperator(stop.feed)?.declaration, declaration.takesTowards,
            declaration.problem(aboutStop: code) == nil
        else { return }
        let known = StopListCheck(in: directory)
        let other = StopID(feed: stop.feed, code: code)
        guard let complaint = try await onThread({ known.missingStopReason(about: other) }) else { return }
        throw ControlError(.invalid, "towards: \(other) \(complaint)")
    }

    private static func missing(_ wanted: [String], among lines: [Line]) -> String? {
        wanted.first { text in !lines.contains { $0.isCalled(text) } }
    }

    /// What the directory says of a stop, and whether it has a list of that feed's stops at all.
    private func listed(_ stop: StopID) async throws(ControlError) -> (stop: ListedStop?, hasList: Bool) {
        let directory = directory
        return try await onThread {
            do throws(DirectoryFailure) {
                return (try directory.stop(stop), true)
            } catch {
                // Whatever is wrong with the list, the operator knows.
                return (nil, error.kind != .missing)
            }
        }
    }

    private func candidates(for stop: StopID) async throws(ControlError) -> [Candidate] {
        let directory = directory
        let found = try await onThread {
            (try? directory.candidates(forStop: stop, limit: Candidate.usualCount))?.found
        }
        return (found ?? []).map { Candidate($0) }
    }
}

// MARK: - The file

extension FavouritesUpdater {
    private typealias Change = @Sendable (FavouritesEditor, Int?) throws(FavouritesFailure) -> [FavouriteEntry]

    /// Changes the file; a position past the end of what it then has becomes the last one.
    private func edit(
        _ position: Int? = nil, _ change: @escaping Change
    ) async throws(ControlError) -> [FavouriteEntry] {
        let editor = editor
        let result = try await onThread {
            Result { () throws(FavouritesFailure) in
                do throws(FavouritesFailure) {
                    return try change(editor, position)
                } catch {
                    guard case .outOfRange(let wanted, let allowed) = error, wanted > allowed.upperBound else {
                        throw error
                    }
                    return try change(editor, allowed.upperBound)
                }
            }
        }
        do throws(FavouritesFailure) {
            return try result.get()
        } catch {
            throw ControlError(error)
        }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async throws(ControlError) -> Value {
        try await DedicatedThread.refusing("favourites", body)
    }
}

extension Favourite {
    /// With what its operator calls it and where it is, as far as nothing else was written.
    fileprivate func described(by told: ListedStop?) -> Favourite {
        guard let told, name == nil, location == nil else { return self }
        var favourite = self
        // It is to be one line of a file, whatever an operator wrote into it.
        favourite.name = told.name.asPrintedLine
        favourite.location = told.coordinates
        return favourite
    }
}
