public import BoardCore
internal import BoardIO
internal import Synchronization

/// The stops of all feeds: by name, by location, by line.
///
/// One file per feed, opened at its first use and again after it was replaced. A damaged file, or one of a newer boardd,
/// is reported beside the results of the others; it is not opened again until it is replaced.
///
/// **Calls block**, for milliseconds with the file in the kernel's cache and longer without: use a thread that may block,
/// never Swift's cooperative pool. Any thread may call; calls are serialised.
///
/// A query of one feed throws ``DirectoryFailure`` of kind `missing` when the feed has no file. A query of all feeds throws
/// it when there is no file at all, and the first failure when no file could be read.
public final class StopDirectory: Sendable {
    private struct OpenFile {
        let identity: FileIdentity
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
    public func feeds() throws(DirectoryFailure) -> [FeedName] { try files.feeds() }

    /// The stop with an identifier in the operator's spelling; nil when its feed has no such stop.
    public func stop(_ id: StopID) throws(DirectoryFailure) -> ListedStop? {
        try query(id.feed) { file throws(SQLiteFailure) in try file.stop(id.code) }
    }

    /// The parts of an area, a station or an interchange, most important first.
    public func parts(of id: StopID) throws(DirectoryFailure) -> [ListedStop] {
        try query(id.feed) { file throws(SQLiteFailure) in try file.parts(of: id.code) }
    }

    /// The metadata of each file, by feed. Empty where there is none yet.
    public func editions() -> DirectoryResult<DirectoryEdition> {
        do throws(DirectoryFailure) {
            return try queryAll { file throws(SQLiteFailure) in [try file.edition()] }
        } catch {
            return DirectoryResult(found: [], failures: error.kind == .missing ? [] : [error])
        }
    }

    /// Queries every feed's file, in the order of the feeds. Throws when there is no file, or none could be read.
    func queryAll<Value: Sendable>(
        _ body: (FeedDirectory) throws(SQLiteFailure) -> [Value]
    ) throws(DirectoryFailure) -> DirectoryResult<Value> {
        let feeds = try files.feeds()
        guard !feeds.isEmpty else { throw DirectoryFailure(.missing, file: folder) }
        var found: [Value] = []
        var failures: [DirectoryFailure] = []
        for feed in feeds {
            do throws(DirectoryFailure) {
                found += try query(feed, body)
            } catch {
                failures.append(error)
            }
        }
        if failures.count == feeds.count, let failure = failures.first { throw failure }
        return DirectoryResult(found: found, failures: failures)
    }

    func query<Value: Sendable>(
        _ feed: FeedName, _ body: (FeedDirectory) throws(SQLiteFailure) -> Value
    ) throws(DirectoryFailure) -> Value {
        try openFiles.withLock { openFiles throws(DirectoryFailure) in
            let path = files.live(feed)
            guard let identity = try DirectoryFiles.identity(path) else {
                openFiles[feed] = nil
                throw DirectoryFailure(.missing, file: path)
            }
            let file = try open(feed, path, identity, in: &openFiles).get()
            do throws(SQLiteFailure) {
                return try body(file)
            } catch {
                let failure = DirectoryFailure.reading(error, file: path)
                if failure.isLasting { openFiles[feed] = OpenFile(identity: identity, state: .failure(failure)) }
                throw failure
            }
        }
    }

    private func open(
        _ feed: FeedName, _ path: String, _ identity: FileIdentity, in openFiles: inout [FeedName: OpenFile]
    ) -> Result<FeedDirectory, DirectoryFailure> {
        if let file = openFiles[feed], file.identity == identity { return file.state }
        let state = Result { () throws(DirectoryFailure) in try FeedDirectory(feed, file: path, schema: schema) }
        openFiles[feed] = OpenFile(identity: identity, state: state)
        // Permissions and the number of free descriptors may change: try again with the next query.
        if case .failure(let failure) = state, !failure.isLasting { openFiles[feed] = nil }
        return state
    }
}
