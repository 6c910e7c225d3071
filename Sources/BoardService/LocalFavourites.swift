public import BoardCore
import BoardFeeds
import BoardIO
import BoardStore

// Changes of the favourites: what does not exist is rejected, with candidates; the rest goes to favourites.toml.
//
// Positions are those of `boardd favourites list`: the tables of the file from 1. Any past the end means the last.
extension LocalBoardService {
    public func favourites() async throws(ServiceError) -> [FavouriteItem] {
        let active = try active()
        return active.configuration.favourites.map {
            FavouriteItem(
                $0, name: active.favourites.known[$0.stop]?.name, letter: active.favourites.known[$0.stop]?.letter,
                location: active.favourites.places[$0.stop],
                position: active.configuration.entries.position(of: $0.stop))
        }
    }

    public func addFavourite(_ favourite: Favourite, at position: Int?) async throws(ServiceError) -> FavouriteItem {
        let calling = try await calling(at: favourite.stop)
        try await check(favourite.lines, among: calling, at: favourite.stop)
        var described = favourite.described(by: calling.reported)
        described.towards = try await codes(ofTowards: favourite.towards, from: favourite.stop)
        let entries = try await edit(position) { [described] in try $0.add(described, at: $1) }
        return try await item(favourite.stop, in: entries)
    }

    public func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ServiceError) -> FavouriteItem {
        var entries = try active().configuration.entries
        if !change.values.isEmpty {
            var changed = Favourite(stop: stop)
            try change.apply(to: &changed)
            // Operators with a stop search list no lines, and a favourite was checked when it was added.
            if !changed.lines.isEmpty, try active().feeds[stop.feed]?.finder == nil {
                try await check(changed.lines, among: try await calling(at: stop), at: stop)
            }
            let towards = try await codes(ofTowards: changed.towards, from: stop)
            // One edit with the position, so that one undo reverts both.
            entries = try await edit(change.position) { editor, position in
                // The values are valid: they were applied above.
                try editor.change(stop, to: position) {
                    try? change.apply(to: &$0)
                    if change.values["towards"] != nil { $0.towards = towards }
                }
            }
        } else if let position = change.position {
            entries = try await edit(position) { try $0.move(stop, to: $1 ?? 1) }
        }
        return try await item(stop, in: entries)
    }

    public func removeFavourite(_ stop: StopID) async throws(ServiceError) {
        _ = try await edit { editor, _ in try editor.remove(stop) }
    }

    public func undoFavourites() async throws(ServiceError) -> [FavouriteItem] {
        // At once, to undo what the person saw last.
        _ = try await edit(isPaced: false) { editor, _ in try editor.undo() }
        return try await favourites()
    }

    /// Makes the shared favourites of the file equal to a list.
    ///
    /// - Parameter expected: the shared favourites that the list was computed from; a file with others is not changed.
    package func setSharedFavourites(
        _ favourites: [Favourite], expecting expected: [Favourite]
    ) async throws(ServiceError) {
        _ = try await edit { editor, _ in try editor.setShared(favourites, expecting: expected) }
    }

    /// A favourite of the file, with the operator's name for the stop.
    private func item(_ stop: StopID, in entries: [FavouriteEntry]) async throws(ServiceError) -> FavouriteItem {
        guard let favourite = entries.named.first(where: { $0.stop == stop }) else {
            throw ServiceError(FavouritesError.notFound(stop, nearest: nil))
        }
        let listed = try await DedicatedThread.attempt { [directory] in try? directory.stop(stop) }
        return FavouriteItem(
            favourite, name: listed?.name, letter: listed?.letter, location: listed?.coordinates,
            position: entries.position(of: stop))
    }
}

// MARK: - Checks

extension LocalBoardService {
    /// How many lines with a similar name are checked for calls at the stop.
    private static let maximumLines = 50

    /// The lines that call at a stop.
    private struct CallingLines {
        let lines: [Line]
        /// Whether the operator just reported them, rather than the directory.
        let isFresh: Bool
        /// Name and location from the operator, if its identifiers change.
        var reported: ListedStop?
    }

    /// The lines that call at an existing stop: from the directory, or else the operator; empty if neither has them.
    private func calling(at stop: StopID) async throws(ServiceError) -> CallingLines {
        let feeds = try active().feeds
        guard let feed = feeds[stop.feed] else { throw try unknownFeed(stop.feed) }
        // No request: a malformed code must not become part of the operator's URL.
        if let reason = FeedRegistry.feedOperator(stop.feed)?.declaration.problem(aboutStop: stop.code) {
            throw ServiceError(
                .notFound, "\"\(stop.code)\" is not a stop: it \(reason)", candidates: try await candidates(for: stop))
        }
        if let finder = feed.finder { return try await calling(at: stop, finder, feed.profile) }
        let (listed, hasList) = try await listed(stop)
        if let lines = listed?.lines, !lines.isEmpty { return CallingLines(lines: lines.map(\.line), isFresh: false) }
        do throws(FeedError) {
            return CallingLines(lines: try await feed.check(stop).lines ?? [], isFresh: true)
        } catch {
            // A stop in the list exists, even without a network.
            if listed != nil { return CallingLines(lines: [], isFresh: false) }
            let candidates = try await candidates(for: stop)
            guard error.kind == .unknownStop else {
                let list = hasList ? "\(stop) is not in the stop directory" : "there is no stop directory yet"
                throw ServiceError(
                    ServiceError(error).kind,
                    "\(list); \(feed.profile.title): request for \(stop.code) failed: \(error.detail)",
                    candidates: candidates)
            }
            throw ServiceError(.notFound, "\(feed.profile.title): no stop \(stop.code)", candidates: candidates)
        }
    }

    /// Looks up a stop at an operator with a stop search, which lists no lines.
    private func calling(
        at stop: StopID, _ finder: any StopFinder, _ feed: FeedProfile
    ) async throws(ServiceError) -> CallingLines {
        do throws(FeedError) {
            return CallingLines(lines: [], isFresh: true, reported: try await finder.stop(stop))
        } catch {
            let rejected = ServiceError(error)
            let sentence =
                rejected.kind == .notFound
                ? "\(feed.title): no stop \(stop.code)"
                : "\(feed.title): request for \(stop.code) failed: \(error.detail)"
            throw ServiceError(rejected.kind, sentence)
        }
    }

    /// Rejects a line that does not call at the stop.
    private func check(_ wanted: [String], among known: CallingLines, at stop: StopID) async throws(ServiceError) {
        var lines = known.lines
        guard !lines.isEmpty, Self.missing(wanted, among: lines) != nil else { return }
        // The list may be more than a week old, and a line may be new: the operator decides.
        if !known.isFresh, let fresh = try? await active().feeds[stop.feed]?.check(stop).lines, !fresh.isEmpty {
            lines = fresh
        }
        guard let missing = Self.missing(wanted, among: lines) else { return }
        let near = try await DedicatedThread.attempt { [directory] in
            (try? directory.candidates(forLine: missing, in: stop.feed, limit: Self.maximumLines))?.found ?? []
        }
        let nearest = near.map(\.line.line.name).filter { name in lines.contains { $0.name == name } }
        let rest = lines.map(\.name).filter { !nearest.contains($0) }
        throw ServiceError(
            .invalid, "line \"\(missing)\" does not call at \(stop)",
            candidates: (nearest + rest).prefix(Candidate.maximumCount).map { Candidate(id: $0) },
            value: InvalidValue("lines", .choice, allowed: lines.map(\.name)))
    }

    /// The codes of `towards` stops, which people write as names and in any case. Rejects one that the operator's list
    /// does not have: departures towards it would never appear. The file's own checks reject feeds without `towards`.
    private func codes(ofTowards texts: [String], from stop: StopID) async throws(ServiceError) -> [String] {
        guard !texts.isEmpty else { return [] }
        let resolver = try resolver()
        return try await DedicatedThread.attempt { [directory] in
            try texts.map { (text) throws(ServiceError) in
                let unknown = InvalidValue("towards", .notFound)
                let code: String
                do throws(ServiceError) {
                    code = try resolver.code(ofTowards: text, from: stop)
                } catch {
                    throw ServiceError(.invalid, error.message, candidates: error.candidates, value: unknown)
                }
                let other = StopID(feed: stop.feed, code: code)
                guard FeedRegistry.declarations[stop.feed]?.takesTowards == true,
                    let reason = directory.missingReason(of: other)
                else { return code }
                throw ServiceError(.invalid, "towards: \(other) \(reason)", value: unknown)
            }
        }
    }

    private static func missing(_ wanted: [String], among lines: [Line]) -> String? {
        wanted.first { text in !lines.contains { $0.isCalled(text) } }
    }

    /// The directory's entry for a stop, and whether it has a list for that feed at all.
    private func listed(_ stop: StopID) async throws(ServiceError) -> (stop: ListedStop?, hasList: Bool) {
        try await DedicatedThread.attempt { [directory] in
            do throws(StoreError) {
                return (try directory.stop(stop), true)
            } catch {
                // The operator can still be queried when the list fails.
                return (nil, error.kind != .missing)
            }
        }
    }
}

// MARK: - The file

extension LocalBoardService {
    private typealias Change = @Sendable (FavouritesEditor, Int?) throws -> [FavouriteEntry]

    /// Changes the file in its turn; a position past its end means the last one.
    private func edit(
        _ position: Int? = nil, isPaced: Bool = true, _ change: @escaping Change
    ) async throws(ServiceError) -> [FavouriteEntry] {
        if isPaced { try await awaitTurn() }
        return try await DedicatedThread.attempt("favourites") { [editor] in
            do {
                return try change(editor, position)
            } catch FavouritesError.outOfRange(let wanted, let allowed) where wanted > allowed.upperBound {
                return try change(editor, allowed.upperBound)
            }
        }
    }
}

extension Favourite {
    /// Adds the operator's name and location if the user wrote neither.
    fileprivate func described(by reported: ListedStop?) -> Favourite {
        guard let reported, name == nil, location == nil else { return self }
        var favourite = self
        // It must fit on one line of a file, whatever the operator sent.
        favourite.name = reported.name.asPrintedLine
        favourite.location = reported.coordinates
        return favourite
    }
}
