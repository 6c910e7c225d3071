public import BoardCore
internal import CSQLite
internal import Synchronization

/// One feed's stops while an update brings them, page by page, and the new file that is made of them.
///
/// The live file is never written: the stops go into a building file beside it, and only a whole list becomes a new file
/// that takes the live one's place in one step. A process that is killed or loses its power leaves the live file as it
/// was and a building file, which the next update takes up where it stopped.
///
/// ```swift
/// let builder = try DirectoryBuilder(folder: folder, feed: feed, at: now)
/// while true {
///     let page = builder.nextPage
///     try builder.begin(page: page)
///     let answer = try await catalogue.stops(page: page) { try builder.take($0) }
///     try builder.commit(page: page)
///     if answer.entries == 0 { break }
/// }
/// try builder.finish(at: now)
/// ```
///
/// **Calls block**: make them on a thread of your own. They may come from several threads (a transport hands over stops on
/// its own), one after the other. While it lives no other process can update this feed; ``finish(at:)`` and ``close()`` end
/// that too.
public final class DirectoryBuilder: Sendable {
    /// How old a building file may be that is taken up again: a day. What an operator said before may be stale.
    public static let lifetime = Duration.seconds(86_400)
    /// No operator has more pages or stops: a building file that says so is damaged.
    private static let maximumCount = 100_000_000

    private struct UpdateState {
        let staging: DirectoryStaging
        let lock: DirectoryLock
        var page: Int?
        var nextPage: Int
        var newStops = 0
        var stops: Int
    }

    /// The feed.
    public let feed: FeedName
    let files: DirectoryFiles
    let schema: DirectorySchema
    private let maximumPages: Int?
    private let work: Mutex<UpdateState?>

    /// Takes up the building file of an update that did not end, or begins a new one.
    ///
    /// - Parameters:
    ///   - folder: the directory's folder, which must be there.
    ///   - feed: whose stops these are.
    ///   - now: the time in UTC, by which the building file's age is told.
    /// - Throws: ``DirectoryFailure``; `busy` while another process or another builder updates this feed.
    public convenience init(folder: String, feed: FeedName, at now: Timestamp) throws(DirectoryFailure) {
        try self.init(folder: folder, feed: feed, at: now, schema: .current, maximumPages: nil)
    }

    /// A builder for another schema, or on a disk that holds no more than so many pages of SQLite's.
    init(
        folder: String, feed: FeedName, at now: Timestamp, schema: DirectorySchema, maximumPages: Int?
    ) throws(DirectoryFailure) {
        self.feed = feed
        self.schema = schema
        self.maximumPages = maximumPages
        files = DirectoryFiles(folder: folder)
        let path = files.building(feed)
        if let failure = Self.newerLiveFile(of: feed, files, schema) { throw failure }
        let lock = try DirectoryLock(files, building: path)
        do throws(SQLiteFailure) {
            let (staging, next, stops) = try Self.staging(path, lock, at: now, maximumPages: maximumPages)
            work = Mutex(UpdateState(staging: staging, lock: lock, nextPage: next, stops: stops))
        } catch {
            throw .writing(error, file: path)
        }
    }

    /// The page to ask for, from 1: the first, or the one after the last that an interrupted update ended.
    public var nextPage: Int {
        work.withLock { $0?.nextPage ?? 1 }
    }

    /// How many stops the ended pages brought.
    public var stops: Int {
        work.withLock { $0?.stops ?? 0 }
    }

    /// Begins a page; what was taken of another one that did not end is forgotten.
    public func begin(page: Int) throws(DirectoryFailure) {
        try write { work throws(SQLiteFailure) in
            work.staging.connection.rollback()
            work.page = nil
            work.newStops = 0
            guard (1...Self.maximumCount).contains(page) else { throw Self.noPage(work) }
            try work.staging.connection.execute("BEGIN IMMEDIATE")
            work.page = page
        }
    }

    /// Takes a stop of the page that was begun. One that came before is brought up to date; what the newcomer leaves
    /// out (lines, towards, letter, place) stays as it was known.
    ///
    /// - Throws: ``DirectoryFailure``; the whole page is lost then, and ``begin(page:)`` is the next step.
    public func take(_ stop: ListedStop) throws(DirectoryFailure) {
        guard stop.id.feed == feed, !stop.id.code.isEmpty else {
            throw DirectoryFailure(.other("\(stop.id) is no stop of \(feed)"), file: files.building(feed))
        }
        try write { work throws(SQLiteFailure) in
            guard work.page != nil else { throw Self.noPage(work) }
            if try work.staging.take(stop) { work.newStops += 1 }
        }
    }

    /// Ends a page: from here on it outlives whatever happens.
    ///
    /// - Parameter page: the page that was begun.
    /// - Returns: how many of its stops are new.
    @discardableResult
    public func commit(page: Int) throws(DirectoryFailure) -> Int {
        try write { work throws(SQLiteFailure) in
            guard work.page == page else { throw Self.noPage(work) }
            try work.staging.end(page: page, newStops: work.newStops)
            try work.staging.connection.execute("COMMIT")
            work.page = nil
            work.nextPage = max(work.nextPage, page + 1)
            work.stops += work.newStops
            return work.newStops
        }
    }

    /// Forgets what was taken since ``begin(page:)``.
    public func rollback() {
        work.withLock { work in
            work?.staging.connection.rollback()
            work?.page = nil
        }
    }

    /// Makes the new file of all pages and puts it into the live one's place; ends the update.
    ///
    /// A list of nothing, or of less than half of the stops that there were, is thrown away: an operator's half answer
    /// must not replace a whole list. After any other failure the pages are kept, and this may be tried again.
    ///
    /// - Parameter now: the time in UTC, which the new file tells as that of its completion.
    /// - Throws: ``DirectoryFailure``: `nothing`, `half`, `full` and others. The live file is as it was then.
    public func finish(at now: Timestamp) throws(DirectoryFailure) {
        try work.withLock { work throws(DirectoryFailure) in
            guard let current = work else { throw ended }
            current.staging.connection.rollback()
            work?.page = nil
            if let refusal = refusal(current.stops) {
                try current.lock.remove()
                work = nil
                throw refusal
            }
            try DirectoryPublication(feed: feed, files: files, schema: schema, maximumPages: maximumPages)
                .publish(current.staging, at: now)
            try current.lock.remove()
            work = nil
        }
    }

    /// Ends the update and keeps its pages for the next one. Whoever lets go of a builder need not call this, but may not
    /// know when the last thread has let go of it, too: until then the feed is `busy`.
    public func close() {
        work.withLock { $0 = nil }
    }
}

extension DirectoryBuilder {
    private var ended: DirectoryFailure {
        DirectoryFailure(.other("the update has ended already"), file: files.building(feed))
    }

    private static func noPage(_ work: borrowing UpdateState) -> SQLiteFailure {
        SQLiteFailure(
            code: SQLITE_MISUSE, message: "no such page was begun", path: work.staging.connection.path)
    }

    private func write<Value: Sendable>(
        _ body: (inout UpdateState) throws(SQLiteFailure) -> Value
    ) throws(DirectoryFailure) -> Value {
        try work.withLock { work throws(DirectoryFailure) in
            guard var current = work else { throw ended }
            defer { work = current }
            do throws(SQLiteFailure) {
                return try body(&current)
            } catch {
                // Some failures end the transaction by themselves; none leaves a page that could be ended.
                current.staging.connection.rollback()
                current.page = nil
                throw .writing(error, file: files.building(feed))
            }
        }
    }

    /// Why so many stops may not replace the live file.
    private func refusal(_ stops: Int) -> DirectoryFailure? {
        let live = files.live(feed)
        if stops == 0 { return DirectoryFailure(.nothing, file: live) }
        if let newer = Self.newerLiveFile(of: feed, files, schema) { return newer }
        // A live file that cannot be read has no stops that could be lost.
        guard let file = try? FeedDirectory(feed, file: live, schema: schema),
            let before = try? file.edition(bytes: 0).stops
        else { return nil }
        return stops * 2 < before ? DirectoryFailure(.half(found: stops, before: before), file: live) : nil
    }

    private static func newerLiveFile(
        of feed: FeedName, _ files: DirectoryFiles, _ schema: DirectorySchema
    ) -> DirectoryFailure? {
        do throws(DirectoryFailure) {
            _ = try FeedDirectory(feed, file: files.live(feed), schema: schema)
            return nil
        } catch {
            if case .newer = error.kind { return error }
            return nil
        }
    }

    /// The building file, taken up or begun.
    private static func staging(
        _ path: String, _ lock: DirectoryLock, at now: Timestamp, maximumPages: Int?
    ) throws(SQLiteFailure) -> (DirectoryStaging, nextPage: Int, stops: Int) {
        if !lock.isEmpty {
            // Whatever is wrong with what an earlier update left, it is thrown away: that costs its pages and no more.
            if let old = try? resumed(path, at: now, maximumPages: maximumPages) { return old }
            do throws(DirectoryFailure) {
                try lock.empty()
            } catch {
                throw SQLiteFailure(code: SQLITE_IOERR, message: error.description, path: path)
            }
        }
        let fresh = try DirectoryStaging(path, maximumPages: maximumPages)
        try fresh.begin(at: now)
        return (fresh, 1, 0)
    }

    private static func resumed(
        _ path: String, at now: Timestamp, maximumPages: Int?
    ) throws(SQLiteFailure) -> (DirectoryStaging, nextPage: Int, stops: Int)? {
        let old = try DirectoryStaging(path, maximumPages: maximumPages)
        guard try old.canResume(begunIn: (now - lifetime)...now) else { return nil }
        let (next, stops) = (try old.nextPage(), try old.stops())
        guard (1...maximumCount).contains(next), (0...maximumCount).contains(stops) else { return nil }
        return (old, next, stops)
    }
}
