public import BoardCore
import BoardIO
import CSQLite
import Glibc
import Synchronization

/// Builds the stop directory of one feed, page by page, and publishes it as a new file.
///
/// The live file is never written: the stops go into a building file beside it, and only a complete list becomes a new
/// file that replaces the live one atomically. After a kill or a loss of power the live file is unchanged, and the next
/// update resumes the building file.
///
/// ```swift
/// let builder = try DirectoryBuilder(folder: folder, feed: feed, at: now)
/// while true {
///     let page = builder.nextPage
///     try builder.begin(page: page)
///     let response = try await catalogue.stops(page: page) { try builder.add($0) }
///     try builder.commit(page: page)
///     if response.entries == 0 { break }
/// }
/// try builder.finish(at: now)
/// ```
///
/// **Calls block**: use a thread that may block. Calls may come from several threads (a catalogue delivers stops on a
/// thread of its own) and are serialised. While a builder exists, no other process can update this feed;
/// ``finish(at:)`` and ``close()`` release it.
public final class DirectoryBuilder: Sendable {
    /// The maximum age of a building file that is resumed: a day. Older operator data may be out of date.
    public static let lifetime = Duration.seconds(86_400)

    private struct UpdateState {
        let staging: DirectoryStaging
        let lock: DirectoryLock
        var page: Int?
        var nextPage: Int
        var stops: Int
    }

    public let feed: FeedName
    private let files: DirectoryFiles
    private let work: Mutex<UpdateState?>

    /// Resumes the building file of an interrupted update, or starts a new one.
    ///
    /// - Parameters:
    ///   - folder: the directory's folder, which must exist.
    ///   - now: the time in UTC, for the age of the building file.
    ///   - maximumPages: the maximum number of SQLite pages of a file, to simulate a full disk; nil: no limit.
    /// - Throws: ``StoreError``; `busy` while another process or another builder updates this feed.
    public init(folder: String, feed: FeedName, at now: Timestamp, maximumPages: Int? = nil) throws(StoreError) {
        self.feed = feed
        files = DirectoryFiles(folder: folder)
        if let failure = Self.newerLiveFile(of: feed, files) { throw failure }
        let lock = try DirectoryLock(feed, of: files)
        let path = files.building(feed)
        // An unusable building file is discarded, which costs only its pages.
        if !lock.isEmpty, let staging = try? DirectoryStaging(path, maximumPages: maximumPages),
            let nextPage = try? staging.nextPage(begunIn: (now - Self.lifetime)...now), let stops = try? staging.stops()
        {
            work = Mutex(UpdateState(staging: staging, lock: lock, nextPage: nextPage, stops: stops))
            return
        }
        try lock.empty()
        let staging = try StoreError.writing(path) { () throws(StoreError) in
            let staging = try DirectoryStaging(path, maximumPages: maximumPages)
            try staging.begin(at: now)
            return staging
        }
        work = Mutex(UpdateState(staging: staging, lock: lock, nextPage: 1, stops: 0))
    }

    /// The page to request, from 1: the first, or the one after the last that an interrupted update committed.
    public var nextPage: Int { work.withLock { $0?.nextPage ?? 1 } }

    /// The number of stops in the committed pages.
    public var stops: Int { work.withLock { $0?.stops ?? 0 } }

    /// Begins a page; discards the stops of a page that was not committed.
    public func begin(page: Int) throws(StoreError) {
        try write { work throws(StoreError) in
            work.staging.connection.rollback()
            work.page = nil
            guard DirectoryStaging.pages.contains(page) else { throw Self.noPage }
            try work.staging.connection.execute("BEGIN IMMEDIATE")
            work.page = page
        }
    }

    /// Adds a stop to the current page. Updates a stop that was added before; fields that the new one lacks (lines,
    /// towards, letter, coordinates) keep their values.
    ///
    /// - Throws: ``StoreError``; the whole page is then lost, and ``begin(page:)`` must follow.
    public func add(_ stop: ListedStop) throws(StoreError) {
        guard stop.id.feed == feed, !stop.id.code.isEmpty else {
            throw StoreError(.other("\(stop.id) is not a stop of \(feed)"), file: files.building(feed))
        }
        try write { work throws(StoreError) in
            guard work.page != nil else { throw Self.noPage }
            try work.staging.add(stop)
        }
    }

    /// Commits the current page to the building file, where it survives any later failure. Returns the number of its
    /// stops that are new.
    @discardableResult
    public func commit(page: Int) throws(StoreError) -> Int {
        try write { work throws(StoreError) in
            guard work.page == page else { throw Self.noPage }
            let before = work.stops
            let stops = try work.staging.stops()
            try work.staging.end(page: page)
            try work.staging.connection.execute("COMMIT")
            work.page = nil
            work.nextPage = max(work.nextPage, page + 1)
            work.stops = stops
            return stops - before
        }
    }

    /// Discards the stops added since ``begin(page:)``.
    public func rollback() {
        work.withLock { work in
            work?.staging.connection.rollback()
            work?.page = nil
        }
    }

    /// Builds the new file from all pages, replaces the live one, and ends the update.
    ///
    /// An empty list, or one with fewer than half of the previous stops, is discarded: a partial response must not
    /// replace a complete list. After any other failure the pages remain, and the call may be repeated.
    ///
    /// - Parameter now: the time in UTC, stored as the time of completion.
    /// - Throws: ``StoreError``: `empty`, `tooFewStops`, `full` and others. The live file is then unchanged.
    public func finish(at now: Timestamp) throws(StoreError) {
        try work.withLock { work throws(StoreError) in
            guard let current = work else { throw ended }
            current.staging.connection.rollback()
            work?.page = nil
            let rejection = rejection(of: current.stops)
            if rejection == nil {
                try files.replace(feed) { fresh throws(StoreError) in
                    try current.staging.publish(at: fresh, of: feed, at: now)
                }
            }
            try current.lock.remove()
            work = nil
            if let rejection { throw rejection }
        }
    }

    /// Ends the update and leaves its pages for the next one. Releasing the builder does the same, but only when the
    /// last thread has released it: until then the feed is `busy`.
    public func close() { work.withLock { $0 = nil } }

    private var ended: StoreError { StoreError(.other("the update has ended already"), file: files.building(feed)) }

    private static var noPage: StoreError { StoreError(code: SQLITE_MISUSE, message: "no such page has begun") }

    private func write<Value: Sendable>(
        _ body: (inout UpdateState) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try work.withLock { work throws(StoreError) in
            guard var current = work else { throw ended }
            defer { work = current }
            do throws(StoreError) {
                return try body(&current)
            } catch {
                // Some failures end the transaction; after any failure the page cannot be committed.
                current.staging.connection.rollback()
                current.page = nil
                throw .writing(error, file: files.building(feed))
            }
        }
    }

    /// Why a list of this size must not replace the live file.
    private func rejection(of stops: Int) -> StoreError? {
        let live = files.live(feed)
        if stops == 0 { return StoreError(.empty, file: live) }
        if let newer = Self.newerLiveFile(of: feed, files) { return newer }
        // An unreadable live file has no stops to lose.
        guard let before = try? FeedDirectory(feed, file: live, schema: .current).edition().stops else { return nil }
        return stops * 2 < before ? StoreError(.tooFewStops(found: stops, before: before), file: live) : nil
    }

    private static func newerLiveFile(of feed: FeedName, _ files: DirectoryFiles) -> StoreError? {
        do throws(StoreError) {
            _ = try FeedDirectory(feed, file: files.live(feed), schema: .current)
            return nil
        } catch {
            if case .newer = error.kind { return error }
            return nil
        }
    }
}

/// An exclusive lock for changes to one feed's files: a lock on its building file, which the kernel releases when the
/// process ends.
final class DirectoryLock {
    private let path: String
    private let lock: FileLock

    /// Takes the lock; creates an empty building file if there is none. Throws `busy` if another process has it.
    init(_ feed: FeedName, of files: DirectoryFiles) throws(StoreError) {
        path = files.building(feed)
        do throws(FileError) {
            lock = try FileLock.file(path, mode: DirectoryFiles.mode)
            AtomicFile.setMode(DirectoryFiles.mode, owner: files.owner, of: lock.descriptor)
        } catch {
            throw .writing(error, file: path)
        }
    }

    deinit {
        // An empty building file is not an update to resume.
        if isEmpty, lock.isNamed(path) { unsafe unlink(path) }
    }

    var isEmpty: Bool {
        var status = stat()
        return unsafe fstat(lock.descriptor, &status) != 0 || status.st_size == 0
    }

    /// Truncates the building file.
    func empty() throws(StoreError) { try change { ftruncate(lock.descriptor, 0) } }

    /// Removes the building file. The lock remains, but no longer blocks another process.
    func remove() throws(StoreError) { try change { unsafe unlink(path) } }

    private func change(_ call: () -> Int32) throws(StoreError) {
        guard call() == 0 || errno == ENOENT else { throw .writing(FileError(errno: errno), file: path) }
        unsafe unlink(path + "-journal")
    }
}
