public import BoardCore
internal import Synchronization

/// The stops of all feeds: by name, by location, by line.
///
/// One file per feed, opened at its first use and again after it was replaced. A damaged file, or one of a newer boardd,
/// is reported beside the results of the others; it is not opened again until it is replaced.
///
/// **Calls block**, for milliseconds with the file in the kernel's cache and longer without: use a thread that may block,
/// never Swift's cooperative pool. Any thread may call; calls are serialised.
public final class StopDirectory: Sendable {
    private struct OpenFile {
        let identity: DirectoryFiles.Identity
        let state: Result<FeedDirectory, DirectoryFailure>
    }

    /// The folder of the files: /var/lib/boardd, or STATE_DIRECTORY.
    public let folder: String
    let files: DirectoryFiles
    let schema: DirectorySchema
    private let openFiles = Mutex<[FeedName: OpenFile]>([:])

    /// - Parameter folder: the folder of the files, which may be missing.
    public convenience init(folder: String) {
        self.init(folder: folder, schema: .current)
    }

    /// A directory with another schema than this program's.
    init(folder: String, schema: DirectorySchema) {
        self.folder = folder
        self.schema = schema
        files = DirectoryFiles(folder: folder)
    }

    /// Closes every file and releases its memory. The next query opens what it needs.
    public func close() {
        openFiles.withLock { $0 = [:] }
    }

    /// The feeds that have a file, damaged or not, by name; empty where there is no folder.
    public func feeds() throws(DirectoryFailure) -> [FeedName] {
        do throws(DirectoryFailure) {
            return try files.feeds()
        } catch {
            guard error.kind == .missing else { throw error }
            return []
        }
    }

    /// The stop with an identifier in the operator's spelling; nil when its feed has no such stop.
    ///
    /// - Throws: ``DirectoryFailure``; `missing` when there is no file of that feed.
    public func stop(_ id: StopID) throws(DirectoryFailure) -> ListedStop? {
        try query(id.feed) { file throws(SQLiteFailure) in try file.stop(id.code) }
    }

    /// The parts of an area, a station or an interchange, most important first.
    ///
    /// - Throws: ``DirectoryFailure``; `missing` when there is no file of that feed.
    public func parts(of id: StopID) throws(DirectoryFailure) -> [ListedStop] {
        try query(id.feed) { file throws(SQLiteFailure) in try file.parts(of: id.code) }
    }

    /// The metadata of each file, by feed. Empty where there is none yet.
    public func editions() -> DirectoryResult<DirectoryEdition> {
        do throws(DirectoryFailure) {
            return try queryAll { file throws(SQLiteFailure) in [try file.edition(bytes: 0)] }.flattened { edition in
                let bytes = (try? DirectoryFiles.identity(files.live(edition.feed)))?.bytes ?? 0
                return DirectoryEdition(
                    feed: edition.feed, stops: edition.stops, lines: edition.lines, completed: edition.completed,
                    bytes: bytes)
            }
        } catch {
            return DirectoryResult(found: [], failures: error.kind == .missing ? [] : [error])
        }
    }
}

extension StopDirectory {
    /// Queries one feed's file.
    func query<Value: Sendable>(
        _ feed: FeedName, _ body: (FeedDirectory) throws(SQLiteFailure) -> Value
    ) throws(DirectoryFailure) -> Value {
        try result(of: feed, body).get()
    }

    /// Queries every feed's file.
    ///
    /// - Throws: when there is no file, or none could be read.
    func queryAll<Value: Sendable>(
        _ body: (FeedDirectory) throws(SQLiteFailure) -> [Value]
    ) throws(DirectoryFailure) -> FeedResults<Value> {
        let feeds = try files.feeds()
        guard !feeds.isEmpty else { throw DirectoryFailure(.missing, file: folder) }
        var results = FeedResults<Value>()
        for feed in feeds {
            switch result(of: feed, body) {
            case .success(let found): results.found.append((feed, found))
            case .failure(let failure): results.failures.append(failure)
            }
        }
        if results.found.isEmpty, let failure = results.failures.first { throw failure }
        return results
    }

    private func result<Value: Sendable>(
        of feed: FeedName, _ body: (FeedDirectory) throws(SQLiteFailure) -> Value
    ) -> Result<Value, DirectoryFailure> {
        openFiles.withLock { openFiles in
            do throws(DirectoryFailure) {
                let path = files.live(feed)
                guard let identity = try DirectoryFiles.identity(path) else {
                    openFiles[feed] = nil
                    throw DirectoryFailure(.missing, file: path)
                }
                let file = try open(feed, path, identity, in: &openFiles).get()
                do throws(SQLiteFailure) {
                    return .success(try body(file))
                } catch {
                    let failure = DirectoryFailure.reading(error, file: path)
                    if failure.isCorrupt { openFiles[feed] = OpenFile(identity: identity, state: .failure(failure)) }
                    throw failure
                }
            } catch {
                return .failure(error)
            }
        }
    }

    private func open(
        _ feed: FeedName, _ path: String, _ identity: DirectoryFiles.Identity, in openFiles: inout [FeedName: OpenFile]
    ) -> Result<FeedDirectory, DirectoryFailure> {
        if let file = openFiles[feed], file.identity == identity { return file.state }
        let state: Result<FeedDirectory, DirectoryFailure>
        do throws(DirectoryFailure) {
            state = .success(try FeedDirectory(feed, file: path, schema: schema))
        } catch {
            state = .failure(error)
            // Permissions and the number of free descriptors may change: try again with the next query.
            guard error.isLasting else {
                openFiles[feed] = nil
                return state
            }
        }
        openFiles[feed] = OpenFile(identity: identity, state: state)
        return state
    }
}

/// The results of each feed's file.
struct FeedResults<Value: Sendable>: Sendable {
    var found: [(feed: FeedName, values: [Value])] = []
    var failures: [DirectoryFailure] = []

    /// All results in the order of the feeds.
    func flattened<Other: Sendable>(_ change: (Value) -> Other) -> DirectoryResult<Other> {
        DirectoryResult(found: found.flatMap { $0.values.map(change) }, failures: failures)
    }
}

extension DirectoryFailure {
    /// Whether only a replacement of the file can help.
    fileprivate var isLasting: Bool {
        switch kind {
        case .corrupt, .newer, .older: true
        default: false
        }
    }
}
