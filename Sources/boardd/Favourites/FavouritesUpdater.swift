internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads

/// Changes of the favourites, from a command or over the control socket: rejects what does not exist, with candidates, and
/// writes the rest to favourites.toml.
///
/// A position is that of `boardd favourites list`: the tables of the file from 1. One past the end means the last one.
struct FavouritesUpdater: Sendable {
    /// How many lines with a similar name are checked for calls at the stop.
    private static let maximumCandidates = 50

    let editor: FavouritesEditor
    let directory: StopDirectory
    let feeds: [FeedName: any DepartureFeed]

    /// Adds a favourite.
    ///
    /// - Parameter position: its place in the list; nil: the last.
    /// - Returns: the new entries of the file.
    @discardableResult
    func add(_ favourite: Favourite, at position: Int? = nil) async throws(ControlError) -> [FavouriteEntry] {
        let calling = try await calling(at: favourite.stop)
        try await check(favourite.lines, among: calling, at: favourite.stop)
        try await check(towards: favourite.towards, of: favourite.stop)
        let favourite = favourite.described(by: calling.reported)
        return try await edit(position) { (editor, position) throws(FavouritesFailure) in
            try editor.add(favourite, at: position)
        }
    }

    /// - Returns: the new entries of the file.
    @discardableResult
    func remove(_ stop: StopID) async throws(ControlError) -> [FavouriteEntry] {
        try await edit { (editor, _) throws(FavouritesFailure) in try editor.remove(stop) }
    }

    /// - Returns: the new entries of the file.
    @discardableResult
    func move(_ stop: StopID, to position: Int) async throws(ControlError) -> [FavouriteEntry] {
        try await edit(position) { (editor, position) throws(FavouritesFailure) in
            try editor.move(stop, to: position ?? 1)
        }
    }

    /// Changes a favourite in place.
    ///
    /// - Returns: the new entries of the file.
    @discardableResult
    func change(_ stop: StopID, _ change: FavouriteChange) async throws(ControlError) -> [FavouriteEntry] {
        // Operators with a stop search list no lines, and a favourite was checked when it was added.
        if let lines = change.lines, !lines.isEmpty, feeds[stop.feed]?.finder == nil {
            try await check(lines, among: try await calling(at: stop), at: stop)
        }
        try await check(towards: change.towards, of: stop)
        return try await edit { (editor, _) throws(FavouritesFailure) in
            try editor.change(stop) { change.apply(to: &$0) }
        }
    }
}

// MARK: - Checks

extension FavouritesUpdater {
    /// The lines that call at a stop.
    private struct CallingLines {
        let lines: [Line]
        /// Whether the operator just reported them, rather than the directory.
        let isFresh: Bool
        /// Name and location from the operator, where its identifiers change.
        var reported: ListedStop?
    }

    /// The lines that call at an existing stop: from the directory, otherwise from the operator; empty where neither has them.
    private func calling(at stop: StopID) async throws(ControlError) -> CallingLines {
        guard let feed = feeds[stop.feed] else {
            let known = feeds.keys.map(\.description).sorted().joined(separator: ", ")
            throw ControlError(.notFound, "there is no feed \"\(stop.feed)\"; known feeds: \(known)")
        }
        // No request: a malformed code must not become part of the operator's URL.
        if let reason = FeedRegistry.feedOperator(stop.feed)?.declaration.problem(aboutStop: stop.code) {
            throw ControlError(
                .notFound, "\"\(stop.code)\" is no stop: it \(reason)", candidates: try await candidates(for: stop))
        }
        if let finder = feed.finder { return try await calling(at: stop, finder, feed.profile) }
        let (listed, hasList) = try await listed(stop)
        if let lines = listed?.lines, !lines.isEmpty { return CallingLines(lines: lines.map(\.line), isFresh: false) }
        do throws(FeedFailure) {
            return CallingLines(lines: try await feed.check(stop).lines ?? [], isFresh: true)
        } catch {
            // A stop of the list exists, also without a network.
            if listed != nil { return CallingLines(lines: [], isFresh: false) }
            let candidates = try await candidates(for: stop)
            guard error.kind == .unknownStop else {
                let list = hasList ? "\(stop) is not in the stop directory" : "there is no stop directory yet"
                throw ControlError(
                    ControlError(error).kind,
                    "\(list); \(feed.profile.title): request for \(stop.code) failed: \(error.detail)",
                    candidates: candidates)
            }
            throw ControlError(.notFound, "\(feed.profile.title): no stop \(stop.code)", candidates: candidates)
        }
    }

    /// Looks a stop up at an operator with a stop search. It lists no lines.
    private func calling(
        at stop: StopID, _ finder: any StopFinder, _ feed: FeedProfile
    ) async throws(ControlError) -> CallingLines {
        do throws(FeedFailure) {
            return CallingLines(lines: [], isFresh: true, reported: try await finder.stop(stop))
        } catch {
            let rejected = ControlError(error)
            let sentence =
                rejected.kind == .notFound
                ? "\(feed.title): no stop \(stop.code)"
                : "\(feed.title): request for \(stop.code) failed: \(error.detail)"
            throw ControlError(rejected.kind, sentence)
        }
    }

    /// Rejects a line that does not call.
    private func check(_ wanted: [String], among known: CallingLines, at stop: StopID) async throws(ControlError) {
        var lines = known.lines
        guard !lines.isEmpty, Self.missing(wanted, among: lines) != nil else { return }
        // The list may be more than a week old, and a line may be new: the operator decides.
        if !known.isFresh, let fresh = try? await feeds[stop.feed]?.check(stop).lines, !fresh.isEmpty { lines = fresh }
        guard let missing = Self.missing(wanted, among: lines) else { return }
        let directory = directory
        let near = try await onThread {
            (try? directory.candidates(forLine: missing, in: stop.feed, limit: Self.maximumCandidates))?.found ?? []
        }
        let nearest = near.map(\.line.line.name).filter { name in lines.contains { $0.name == name } }
        let rest = lines.map(\.name).filter { !nearest.contains($0) }
        throw ControlError(
            .invalid, "line \"\(missing)\" does not call at \(stop)",
            candidates: (nearest + rest).prefix(Candidate.maximumCount).map { Candidate(id: $0) })
    }

    /// Rejects a `towards` stop that the operator's list does not have: departures towards it would never appear. The file's own
    /// checks reject malformed codes, and feeds without `towards`.
    private func check(towards code: String?, of stop: StopID) async throws(ControlError) {
        guard let code, let declaration = FeedRegistry.feedOperator(stop.feed)?.declaration, declaration.takesTowards,
            declaration.problem(aboutStop: code) == nil
        else { return }
        let known = StopListCheck(in: directory)
        let other = StopID(feed: stop.feed, code: code)
        guard let reason = try await onThread({ known.missingStopReason(about: other) }) else { return }
        throw ControlError(.invalid, "towards: \(other) \(reason)")
    }

    private static func missing(_ wanted: [String], among lines: [Line]) -> String? {
        wanted.first { text in !lines.contains { $0.isCalled(text) } }
    }

    /// The directory's entry of a stop, and whether it has a list of that feed at all.
    private func listed(_ stop: StopID) async throws(ControlError) -> (stop: ListedStop?, hasList: Bool) {
        let directory = directory
        return try await onThread {
            do throws(DirectoryFailure) {
                return (try directory.stop(stop), true)
            } catch {
                // The operator can still be queried when the list fails.
                return (nil, error.kind != .missing)
            }
        }
    }

    private func candidates(for stop: StopID) async throws(ControlError) -> [Candidate] {
        let directory = directory
        let found = try await onThread {
            (try? directory.candidates(forStop: stop, limit: Candidate.maximumCount))?.found
        }
        return (found ?? []).map { Candidate($0) }
    }
}

// MARK: - The file

extension FavouritesUpdater {
    private typealias Change = @Sendable (FavouritesEditor, Int?) throws(FavouritesFailure) -> [FavouriteEntry]

    /// Changes the file; a position past its end means the last one.
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
        try await DedicatedThread.attempt("favourites", body)
    }
}

extension Favourite {
    /// Adds the operator's name and location where the user wrote none.
    fileprivate func described(by reported: ListedStop?) -> Favourite {
        guard let reported, name == nil, location == nil else { return self }
        var favourite = self
        // It must fit on one line of a file, whatever the operator sent.
        favourite.name = reported.name.asPrintedLine
        favourite.location = reported.coordinates
        return favourite
    }
}
