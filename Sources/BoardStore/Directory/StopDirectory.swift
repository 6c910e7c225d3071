public import BoardCore
import BoardIO
import Glibc
import Synchronization

/// The stops of all feeds: by name, by location, by line.
///
/// One file per feed, opened on first use and again after it was replaced. A damaged file, or one from a newer boardd,
/// is reported next to the others' results; it is not opened again until it is replaced.
///
/// **Calls block**, for milliseconds with the file in the kernel's cache and longer without: use a thread that may
/// block, never Swift's cooperative pool. Any thread may call; calls are serialised.
///
/// A query of one feed throws ``StoreError`` of kind `missing` if the feed has no file. A query of all feeds throws it
/// if there is no file at all, and the first failure if no file could be read.
public final class StopDirectory: Sendable {
    private struct OpenFile {
        let identity: FileIdentity
        let state: Result<FeedDirectory, StoreError>
    }

    /// The folder of the files: /var/lib/boardd, or STATE_DIRECTORY.
    public let folder: String
    let files: DirectoryFiles
    let schema: DirectorySchema
    private let openFiles = Mutex<[FeedName: OpenFile]>([:])

    /// - Parameter folder: the folder of the files, which may be missing.
    public convenience init(folder: String) { self.init(folder: folder, schema: .current) }

    /// A directory with a schema other than this program's.
    init(folder: String, schema: DirectorySchema) {
        self.folder = folder
        self.schema = schema
        files = DirectoryFiles(folder: folder)
    }

    /// Closes every file and releases its memory. The next query opens what it needs.
    public func close() { openFiles.withLock { $0 = [:] } }

    /// The feeds that have a file, damaged or not, by name; empty if there is no folder.
    public func feeds() throws(StoreError) -> [FeedName] { try files.feeds() }

    /// The stop with an identifier in the operator's spelling; nil if its feed has no such stop.
    public func stop(_ id: StopID) throws(StoreError) -> ListedStop? {
        try query(id.feed) { file throws(StoreError) in try file.stop(id.code) }
    }

    /// The parts of an area, a station or an interchange, most important first.
    public func parts(of id: StopID) throws(StoreError) -> [ListedStop] {
        try query(id.feed) { file throws(StoreError) in try file.parts(of: id.code) }
    }

    /// The metadata of each file, by feed. Empty if there is none yet.
    public func editions() -> DirectoryResult<DirectoryEdition> {
        do throws(StoreError) {
            return try queryAll { file throws(StoreError) in [try file.edition()] }
        } catch {
            return DirectoryResult(found: [], failures: error.kind == .missing ? [] : [error])
        }
    }

    /// Queries every feed's file, in the order of the feeds. Throws if there is no file, or none could be read.
    func queryAll<Value: Sendable>(
        _ body: (FeedDirectory) throws(StoreError) -> [Value]
    ) throws(StoreError) -> DirectoryResult<Value> {
        let feeds = try files.feeds()
        guard !feeds.isEmpty else { throw StoreError(.missing, file: folder) }
        var found: [Value] = []
        var failures: [StoreError] = []
        for feed in feeds {
            do throws(StoreError) {
                found += try query(feed, body)
            } catch {
                failures.append(error)
            }
        }
        if failures.count == feeds.count, let failure = failures.first { throw failure }
        return DirectoryResult(found: found, failures: failures)
    }

    func query<Value: Sendable>(
        _ feed: FeedName, _ body: (FeedDirectory) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try openFiles.withLock { openFiles throws(StoreError) in
            let path = files.live(feed)
            guard let identity = try DirectoryFiles.identity(path) else {
                openFiles[feed] = nil
                throw StoreError(.missing, file: path)
            }
            let file = try open(feed, path, identity, in: &openFiles).get()
            do throws(StoreError) {
                return try body(file)
            } catch {
                let failure = StoreError.reading(error, file: path)
                if failure.isLasting { openFiles[feed] = OpenFile(identity: identity, state: .failure(failure)) }
                throw failure
            }
        }
    }

    private func open(
        _ feed: FeedName, _ path: String, _ identity: FileIdentity, in openFiles: inout [FeedName: OpenFile]
    ) -> Result<FeedDirectory, StoreError> {
        if let file = openFiles[feed], file.identity == identity { return file.state }
        let state = Result { () throws(StoreError) in try FeedDirectory(feed, file: path, schema: schema) }
        openFiles[feed] = OpenFile(identity: identity, state: state)
        // Permissions and the number of free descriptors may change: try again with the next query.
        if case .failure(let failure) = state, !failure.isLasting { openFiles[feed] = nil }
        return state
    }
}

/// The result of checking a file, and of repairing it.
public enum DirectoryRepair: Hashable, Sendable {
    case valid
    /// There is no file yet.
    case missing
    /// An older boardd wrote the file; it has been migrated.
    case migrated(from: Int, to: Int)
    /// The file was damaged and has been moved: the feed needs an update.
    case setAside(StoreError, path: String)
}

extension StopDirectory {
    /// Checks one feed's whole file (header, version, every page, every index), migrates one from an older boardd, or
    /// moves a damaged one aside to be rebuilt. The daemon calls this at startup, and after a query found damage.
    ///
    /// - Returns: what was done, for the log.
    /// - Throws: ``StoreError``: `newer` (the file is unchanged), `busy`, `unwritable` and others.
    public func repair(_ feed: FeedName) throws(StoreError) -> DirectoryRepair {
        let lock = try DirectoryLock(feed, of: files)
        return try withExtendedLifetime(lock) { () throws(StoreError) in
            do throws(StoreError) {
                return try checkOrMigrate(feed)
            } catch {
                if error.kind == .missing { return .missing }
                guard error.isCorrupt else { throw error }
                return try moveAside(feed).map { .setAside(error, path: $0) } ?? .missing
            }
        }
    }

    private func checkOrMigrate(_ feed: FeedName) throws(StoreError) -> DirectoryRepair {
        let live = files.live(feed)
        do throws(StoreError) {
            // Opened read-only first: a foreign file, or a newer boardd's, must not be written.
            _ = try FeedDirectory(feed, file: live, schema: schema)
        } catch {
            guard case .older(let version, let supported) = error.kind else { throw error }
            try files.replace(feed) { fresh throws(StoreError) in
                try SQLiteConnection(live, .immutable).copy(to: fresh)
                let connection = try SQLiteConnection(fresh, .readWrite)
                try schema.migrate(connection, from: version)
                try DirectorySchema.check(connection)
            }
            return .migrated(from: version, to: supported)
        }
        try StoreError.reading(live) { () throws(StoreError) in
            try DirectorySchema.check(SQLiteConnection(live, .readWrite))
        }
        return .valid
    }

    /// Renames a feed's file to `stops-….sqlite.corrupt`, replacing an older one; returns the new path, nil if there
    /// was no file.
    private func moveAside(_ feed: FeedName) throws(StoreError) -> String? {
        let live = files.live(feed)
        do throws(FileError) {
            try AtomicFile.rename(live, to: files.corrupt(feed), isDurable: true)
            return files.corrupt(feed)
        } catch {
            if error.number == ENOENT { return nil }
            throw .writing(error, file: live)
        }
    }
}

extension StopDirectory {
    /// The stops that a mistyped `text` may mean, best first: first by code if it looks like one ("tfl:490008660X"),
    /// otherwise first by name; empty if nothing is similar. Never the stop whose identifier is `text`.
    public func candidates(forStop text: String, limit: Int = 3) throws(StoreError) -> DirectoryResult<ListedStop> {
        guard limit > 0 else { return DirectoryResult(found: []) }
        let id = StopID(text)
        let feeds = try files.feeds()
        // The code may be right even if the feed is mistyped: "tlf:490008660N".
        let feed = id.flatMap { id in feeds.first { $0 == id.feed } }
        let code = id?.code ?? text
        // After a known feed, even letters alone are a code: "rail:PDA".
        let looksLikeCode = (feed != nil || code.contains(where: \.isNumber)) && !code.contains(where: \.isWhitespace)
        let result = try queryAll { file throws(StoreError) -> [(stop: ListedStop, choice: Int, distance: Int)] in
            guard feed == nil || feed == file.feed else { return [] }
            var found: [(stop: ListedStop, choice: Int, distance: Int)] = []
            for (choice, byCode) in [looksLikeCode, !looksLikeCode].enumerated() {
                let near =
                    try byCode
                    ? file.stopsWithSimilarCode(code, limit: limit) : file.stopsWithSimilarName(code, limit: limit)
                for stop in near where found.count < limit {
                    guard let listed = try file.stop(rank: stop.rank), listed.id.description != text,
                        !found.contains(where: { $0.stop.id == listed.id })
                    else { continue }
                    found.append((listed, choice, stop.distance))
                }
            }
            return found
        }
        let ranked = result.found.sorted { ($0.choice, $0.distance) < ($1.choice, $1.distance) }
        return DirectoryResult(found: ranked.prefix(limit).map(\.stop), failures: result.failures)
    }

    /// The lines that a mistyped `text` without a feed may mean, best first; nil: of all feeds. Never the line with
    /// this identifier or name.
    public func candidates(
        forLine text: String, in feed: FeedName? = nil, limit: Int = 3
    ) throws(StoreError) -> DirectoryResult<DirectoryLine> {
        let result = try allLines(of: feed)
        let lowercased = text.lowercased()
        let tolerance = FeedDirectory.tolerance(lowercased)
        var distances = EditDistance(from: lowercased)
        var near: [(line: DirectoryLine, distance: Int, key: String)] = []
        for line in result.found {
            let found = [line.line.line.id, line.line.line.name].compactMap {
                distances.distance(to: Array($0.lowercased().utf8), within: tolerance)
            }
            guard let distance = found.min(), distance > 0 else { continue }
            near.append((line, distance, Folding.naturalKey(line.line.line.name)))
        }
        near.sort { ($0.distance, $0.key) < ($1.distance, $1.key) }
        return DirectoryResult(found: near.prefix(max(0, limit)).map(\.line), failures: result.failures)
    }
}

extension StopDirectory {
    /// The maximum number of matches, whatever the caller's limit.
    private static let maximumMatches = 1000

    /// The stops that match a text, best first.
    ///
    /// In this order: the stop with this code or short code; names equal to the text; names that begin with it; stops
    /// where every word of the text begins a word; stops where words also match `towards` or a mode. Within each tier,
    /// interchanges come first, then stations, areas and poles; then by name and letter. A letter counts as a word of
    /// the name: "oxford street n", "oxford street stop n".
    ///
    /// Ignores case, accents and apostrophes, and whether "St", "Rd" or "&" are written out.
    ///
    /// - Parameters:
    ///   - text: a name, the beginnings of its words, or a code; a blank text finds nothing.
    ///   - limit: the maximum number of stops, capped at 1000.
    public func search(_ text: String, limit: Int) throws(StoreError) -> DirectoryResult<ListedStop> {
        guard limit > 0 else { return DirectoryResult(found: []) }
        let query = SearchQuery(text)
        let limit = min(limit, Self.maximumMatches)
        let result = try queryAll { file throws(StoreError) in
            try file.matches(text, query, limit: limit).map { match throws(StoreError) in
                (match: match, stop: try file.stop(rank: match.rank))
            }
        }
        // The sort is stable: between equals, the name of the feed decides.
        let ranked = result.found.sorted { $0.match.precedes($1.match) }.prefix(limit)
        return DirectoryResult(found: ranked.compactMap(\.stop), failures: result.failures)
    }

    /// The nearest poles and stations, nearest first, also across the antimeridian and at the Earth's poles. Without
    /// areas and interchanges, at which nothing calls.
    ///
    /// - Parameters:
    ///   - modes: one of which must call, as the operator names them ("bus"), case-insensitive; empty: any.
    ///   - limit: the maximum number of stops, capped at 1000.
    public func near(
        _ point: Coordinates, within distance: Metres, modes: [String] = [], limit: Int
    ) throws(StoreError) -> DirectoryResult<NearStop> {
        let metres = min(distance.count, Metres.halfwayRoundEarth.count)
        let limit = min(limit, Self.maximumMatches)
        guard limit > 0, metres >= 0 else { return DirectoryResult(found: []) }
        let modes = Set(modes.map { $0.lowercased() })
        let result = try queryAll { file throws(StoreError) in
            try file.near(point, metres: metres, modes: modes, limit: limit).map { near throws(StoreError) in
                (stop: try file.stop(rank: near.rank), distance: Metres(near.metres))
            }
        }
        let nearest = result.found.sorted { $0.distance < $1.distance }.prefix(limit)
        return DirectoryResult(
            found: nearest.compactMap { near in near.stop.map { (stop: $0, distance: near.distance) } },
            failures: result.failures)
    }

    /// The interchanges, stations and (instead of areas) poles in a box, most important first, and their number.
    ///
    /// - Parameter limit: the maximum number of stops, capped at 1000.
    public func stops(
        in box: BoundingBox, limit: Int
    ) throws(StoreError) -> (stops: DirectoryResult<ListedStop>, total: Int) {
        let limit = max(0, min(limit, Self.maximumMatches))
        let result = try queryAll { file throws(StoreError) -> [(stops: [ListedStop], total: Int)] in
            let (ranks, total) = try file.ranks(in: box, limit: limit)
            return [(try ranks.map { rank throws(StoreError) in try file.stop(rank: rank) }.compactMap { $0 }, total)]
        }
        // The sort is stable: within a kind, the feeds follow each other, each in its own order.
        let stops = result.found.flatMap(\.stops).sorted { $0.kind.importance < $1.kind.importance }
        return (
            DirectoryResult(found: Array(stops.prefix(limit)), failures: result.failures),
            result.found.reduce(0) { $0 + $1.total }
        )
    }

    /// The lines of one feed, or of all for nil, in natural order: 2 before 10 before N2.
    public func lines(of feed: FeedName? = nil) throws(StoreError) -> DirectoryResult<DirectoryLine> {
        let result = try allLines(of: feed)
        let sorted = result.found.map { (line: $0, key: Folding.naturalKey($0.line.line.name)) }
            .sorted { ($0.key, $0.line.line.line.id) < ($1.key, $1.line.line.line.id) }
        return DirectoryResult(found: sorted.map(\.line), failures: result.failures)
    }

    /// The line with the identifier `text`, otherwise the one with this name, case-insensitive.
    public func line(called text: String, in feed: FeedName) throws(StoreError) -> DirectoryLine? {
        let lines = try query(feed) { file throws(StoreError) in try file.lines() }
        let matches = lines.filter { $0.line.line.isCalled(text) }
        return matches.first { $0.line.line.id == text }
            ?? matches.first { $0.line.line.id.lowercased() == text.lowercased() } ?? matches.first
    }

    /// The lines in the order of the files.
    func allLines(of feed: FeedName?) throws(StoreError) -> DirectoryResult<DirectoryLine> {
        guard let feed else { return try queryAll { file throws(StoreError) in try file.lines() } }
        return DirectoryResult(found: try query(feed) { file throws(StoreError) in try file.lines() })
    }
}
