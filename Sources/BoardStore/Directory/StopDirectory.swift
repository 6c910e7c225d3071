public import BoardCore
internal import Synchronization

/// All feeds' stops: by name, by place, by line.
///
/// One file a feed, each opened when it is first needed and again when another one has taken its place. A file that is
/// damaged or from a newer boardd gives no answer and is reported beside the answers of the others; it is not tried again
/// until it has been replaced.
///
/// **Calls block**, for milliseconds with the file in the kernel's cache and longer without: make them on a thread of your
/// own, never on Swift's cooperative pool. They may come from any thread; one waits for the other.
public final class StopDirectory: Sendable {
    /// One feed's file.
    private struct OpenFile {
        let identity: DirectoryFiles.Identity
        let state: Result<FeedDirectory, DirectoryFailure>
    }

    /// The folder of the files: /var/lib/boardd, or STATE_DIRECTORY.
    public let folder: String
    let files: DirectoryFiles
    let schema: DirectorySchema
    private let known = Mutex<[FeedName: OpenFile]>([:])

    /// The directory of a folder, which need not be there yet.
    public convenience init(folder: String) {
        self.init(folder: folder, schema: .current)
    }

    /// The directory of a folder, of another schema than this program's.
    init(folder: String, schema: DirectorySchema) {
        self.folder = folder
        self.schema = schema
        files = DirectoryFiles(folder: folder)
    }

    /// Closes every file, which gives back their memory. The next question opens what it needs again.
    public func close() {
        known.withLock { $0 = [:] }
    }

    /// The feeds that have a file, sound or not, by name; none where there is no folder.
    public func feeds() throws(DirectoryFailure) -> [FeedName] {
        do throws(DirectoryFailure) {
            return try files.feeds()
        } catch {
            guard error.kind == .missing else { throw error }
            return []
        }
    }

    /// The stop of an identifier, which must be written as the operator writes it; nil when its feed knows no such stop.
    ///
    /// - Throws: ``DirectoryFailure``; `missing` when there is no file of that feed.
    public func stop(_ id: StopID) throws(DirectoryFailure) -> ListedStop? {
        try query(id.feed) { file throws(SQLiteFailure) in try file.stop(id.code) }
    }

    /// The stops that are parts of an area, a station or an interchange, most important first.
    ///
    /// - Throws: ``DirectoryFailure``; `missing` when there is no file of that feed.
    public func parts(of id: StopID) throws(DirectoryFailure) -> [ListedStop] {
        try query(id.feed) { file throws(SQLiteFailure) in try file.parts(of: id.code) }
    }

    /// What each file holds and when its operator's list was complete, by feed. Empty where there is nothing yet.
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
    /// Asks one feed's file.
    func query<Value: Sendable>(
        _ feed: FeedName, _ question: (FeedDirectory) throws(SQLiteFailure) -> Value
    ) throws(DirectoryFailure) -> Value {
        try answer(of: feed, question).get()
    }

    /// Asks every feed's file.
    ///
    /// - Throws: when there is no file, or none gives an answer.
    func queryAll<Value: Sendable>(
        _ question: (FeedDirectory) throws(SQLiteFailure) -> [Value]
    ) throws(DirectoryFailure) -> FeedResults<Value> {
        let feeds = try files.feeds()
        guard !feeds.isEmpty else { throw DirectoryFailure(.missing, file: folder) }
        var answers = FeedResults<Value>()
        for feed in feeds {
            switch answer(of: feed, question) {
            case .success(let found): answers.found.append((feed, found))
            case .failure(let failure): answers.failures.append(failure)
            }
        }
        if answers.found.isEmpty, let failure = answers.failures.first { throw failure }
        return answers
    }

    private func answer<Value: Sendable>(
        of feed: FeedName, _ question: (FeedDirectory) throws(SQLiteFailure) -> Value
    ) -> Result<Value, DirectoryFailure> {
        known.withLock { known in
            do throws(DirectoryFailure) {
                let path = files.live(feed)
                guard let identity = try DirectoryFiles.identity(path) else {
                    known[feed] = nil
                    throw DirectoryFailure(.missing, file: path)
                }
                let file = try opened(feed, path, identity, in: &known).get()
                do throws(SQLiteFailure) {
                    return .success(try question(file))
                } catch {
                    let failure = DirectoryFailure.reading(error, file: path)
                    if failure.isCorrupt { known[feed] = OpenFile(identity: identity, state: .failure(failure)) }
                    throw failure
                }
            } catch {
                return .failure(error)
            }
        }
    }

    private func opened(
        _ feed: FeedName, _ path: String, _ identity: DirectoryFiles.Identity, in known: inout [FeedName: OpenFile]
    ) -> Result<FeedDirectory, DirectoryFailure> {
        if let there = known[feed], there.identity == identity { return there.state }
        let state: Result<FeedDirectory, DirectoryFailure>
        do throws(DirectoryFailure) {
            state = .success(try FeedDirectory(feed, file: path, schema: schema))
        } catch {
            state = .failure(error)
            // What a mode or a full table of descriptors refuses may be granted a moment later.
            guard error.isLasting else {
                known[feed] = nil
                return state
            }
        }
        known[feed] = OpenFile(identity: identity, state: state)
        return state
    }
}

/// What each feed's file answered.
struct FeedResults<Value: Sendable>: Sendable {
    var found: [(feed: FeedName, values: [Value])] = []
    var failures: [DirectoryFailure] = []

    /// All answers in the order of the feeds.
    func flattened<Other: Sendable>(_ change: (Value) -> Other) -> DirectoryResult<Other> {
        DirectoryResult(found: found.flatMap { $0.values.map(change) }, failures: failures)
    }
}

extension DirectoryFailure {
    /// Whether nothing but another file in its place can help.
    fileprivate var isLasting: Bool {
        switch kind {
        case .corrupt, .newer, .older: true
        default: false
        }
    }
}
