import BoardCore
import BoardIO
import Glibc
import Synchronization

extension TimetableStore {
    /// The longest download: slow networks need minutes for a city's 20 MB.
    private static let downloadTimeout: Duration = .seconds(1_800)
    private static let lockRetry: Duration = .seconds(30)

    /// Downloads the operator's archive if it has changed, and stores it if it is readable and in effect.
    ///
    /// - Parameters:
    ///   - ignoresStored: whether the stored archive is unreadable, so any readable one replaces it.
    ///   - refusesEnded: whether an archive that has ended is not stored, even if there is no better one.
    /// - Throws: ``FeedError``; the stored archive stays unchanged.
    func download(ignoresStored: Bool = false, refusesEnded: Bool = false) async throws(FeedError) {
        guard let url = source.url, let store else { return }
        try await requireNoRepeatedCrash(store)
        let (stored, part) = try await onThread { (store.origin, try store.begin()) }
        guard let part else {
            throw FeedError(
                .rateLimited(retryAfter: Self.lockRetry),
                detail: "\(store.part): another process is downloading the timetable of \(title)")
        }
        do throws(FeedError) {
            // Validators of another URL do not apply to this one.
            let own = ignoresStored ? nil : stored.flatMap { $0.url == address ? $0 : nil }
            guard let origin = try await fetch(url, ifChangedSince: own, into: part) else { return }
            // The part file's lock is held while it is read.
            let new = try await read(store.part, called: address, from: part)
            if let last = new.lastDay(ifEndedAt: clock.reading().wall) {
                let isWorse = if ignoresStored { false } else { await isStoredInEffect() }
                guard !refusesEnded, !isWorse else {
                    throw FeedError(
                        .unreadable,
                        detail:
                            "the timetable of \(title) ended on \(last.iso8601) and is not stored: find the operator's new URL, "
                            + "or another feed with boardd cities search")
                }
            }
            if !ignoresStored, let startsAt = new.startsAt, startsAt > clock.reading().wall, await isStoredInEffect() {
                try await postpone(part, until: startsAt)
                log.logNextArchive(new)
                return
            }
            try await onThread { try store.commit(part, from: origin) }
            publish(new)
        } catch {
            _ = try? await onThread { part.discard() }
            throw error
        }
    }

    /// Fetches the archive into a file, which is not checked yet.
    ///
    /// - Returns: its origin; nil if it has not changed since `origin`, whose time of the last request is then updated.
    private func fetch(
        _ url: HTTPURL, ifChangedSince origin: ArchiveOrigin?, into part: PartFile
    ) async throws(FeedError) -> ArchiveOrigin? {
        guard let store, let storage else { return nil }
        var request = GTFSRequest(
            url: url, key: key, limit: Int(GTFSArchive.maximumSize), timeout: Self.downloadTimeout)
        request.headers = origin?.conditions ?? []
        let (log, began) = (log, clock.now())
        var body = DownloadSink(part, clock, began: began, log)
        let response: HTTPResponse
        do throws(FeedError) {
            response = try await request.fetch(storage.download()) {
                body = DownloadSink(part, clock, began: began, log)
                return body.write
            }
        } catch {
            throw body.failure.map { notStored($0) } ?? error
        }
        let moment = clock.reading().wall
        if response.isNotModified, var origin {
            origin.checkedAt = moment
            try await onThread { [origin] in
                try store.setOrigin(origin)
                part.discard()
            }
            return nil
        }
        guard response.isOK else { throw request.statusFailure(response, title: title) }
        let isEmpty = body.isEmpty
        try await onThread {
            if isEmpty { try part.restart() }
            try part.sync()
        }
        return ArchiveOrigin(
            url: address, etag: response["ETag"], lastModified: response["Last-Modified"], checkedAt: moment)
    }

    private func isStoredInEffect() async -> Bool {
        guard let path = try? await storedPath() else { return false }
        // The stop directory's update has not read it yet.
        let old: LoadedTimetable? = if let loaded { loaded } else { try? await read(path) }
        return old?.isInEffect(at: clock.reading().wall) ?? false
    }

    /// Discards an archive that is not in effect yet, and records its start and the time of the request.
    private func postpone(_ part: PartFile, until startsAt: Timestamp) async throws(FeedError) {
        guard let store else { return }
        let moment = clock.reading().wall
        try await onThread {
            var origin = store.origin ?? ArchiveOrigin(url: self.address, checkedAt: moment)
            origin.checkedAt = moment
            origin.next = startsAt
            try store.setOrigin(origin)
            part.discard()
        }
    }

    /// Checks that recent downloads did not crash boardd repeatedly while they were read.
    ///
    /// - Throws: ``FeedError`` until ``ArchiveUpdateSchedule/retryAfterBadArchive`` after the last crash.
    private func requireNoRepeatedCrash(_ store: ArchiveStore) async throws(FeedError) {
        guard let record = try await onThread({ store.crashMarker(of: store.part).record }),
            record.attempts >= CrashMarker.maximumAttempts
        else { return }
        let (passed, pause) = (clock.reading().wall - record.startedAt, ArchiveUpdateSchedule.retryAfterBadArchive)
        // A clock that was set back must not delay the download for years.
        guard (.zero - pause..<pause).contains(passed) else { return }
        throw FeedError(
            .unreadable,
            detail:
                "the timetable of \(title): the operator's archive crashed boardd \(record.attempts) times; next download "
                + "six hours after the last one")
    }

    func notStored(_ failure: any Error) -> FeedError {
        FeedError(.unreadable, detail: "\(title): the timetable cannot be stored: \(failure)")
    }
}

private final class DownloadSink: Sendable {
    /// The time after which a download is reported, and the interval of further reports: twice in the longest download.
    private static let reportedAfter: Duration = .seconds(120)
    private static let reportPause: Duration = .seconds(900)

    private struct State {
        var count = 0
        var nextReport = reportedAfter
        var failure: (any Error)?
    }

    private let part: PartFile
    private let clock: any MachineClock
    private let began: Instant
    private let log: TimetableLog
    private let state = Mutex(State())

    init(_ part: PartFile, _ clock: any MachineClock, began: Instant, _ log: TimetableLog) {
        self.part = part
        self.clock = clock
        self.began = began
        self.log = log
    }

    var isEmpty: Bool { state.withLock { $0.count == 0 } }
    var failure: (any Error)? { state.withLock { $0.failure } }

    @Sendable func write(_ bytes: Span<UInt8>) throws {
        let elapsed = clock.now() - began
        let (isFirst, reported) = state.withLock { state -> (Bool, Int?) in
            let isFirst = state.count == 0
            state.count += bytes.count
            guard elapsed >= state.nextReport else { return (isFirst, nil) }
            state.nextReport = elapsed + Self.reportPause
            return (isFirst, state.count)
        }
        if let reported { log.logProgress(reported, elapsed) }
        do {
            // A redirect's body is not the archive.
            if isFirst { try part.restart() }
            try part.write(bytes)
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }
}

/// A download in progress, next to the archive that it will replace. A file lock excludes other writers as long as the
/// file has its name.
final class PartFile: Sendable {
    /// Shared by the thread that receives the download and the task that ends it; nil: renamed or removed.
    private let lock: Mutex<FileLock?>
    let path: String
    private let feed: String
    private let mode: mode_t

    /// Creates an empty file at `path`; nil if another process is writing it. Overwrites an interrupted download.
    ///
    /// - Parameter feed: the name of the feed, for errors.
    init?(_ path: String, mode: mode_t, feed: String) throws {
        self.path = path
        self.feed = feed
        self.mode = mode
        do throws(FileError) {
            lock = Mutex(try Self.lock(path, mode))
        } catch {
            if error.number == EWOULDBLOCK { return nil }
            throw PlainError(archive: path, of: feed, code: error.number)
        }
        try restart()
    }

    private static func lock(_ path: String, _ mode: mode_t) throws(FileError) -> FileLock {
        let lock = try FileLock.file(path, mode: mode)
        // The umask must not restrict the mode.
        AtomicFile.setMode(mode, owner: nil, of: lock.descriptor)
        return lock
    }

    /// Replaces a zip of zips with one of them: the open file is read while a new one with the same name is written.
    func unpack(_ member: String) throws(TableError) {
        let outer = try ZipArchive(path: path)
        guard let index = outer.names.firstIndex(of: member) else {
            let zips = outer.names.filter { $0.lowercased().hasSuffix(".zip") }.prefix(8).joined(separator: ", ")
            throw TableError(
                file: member, detail: "is not in it; \(zips.isEmpty ? "it has no zips" : "it has \(zips)")")
        }
        let source = try outer.open(UInt64(index), member, limit: GTFSArchive.maximumSize)
        do throws(FileError) {
            try lock.withLock { lock throws(FileError) in
                _ = unsafe unlink(path)
                lock = nil
                lock = try Self.lock(path, mode)
            }
        } catch {
            throw TableError(file: path, detail: "cannot be written (\(error))")
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try source.read(into: &buffer, 0..<buffer.count)
            do {
                guard count > 0 else { return try sync() }
                try write(buffer.span.extracting(0..<count))
            } catch {
                throw TableError(file: path, detail: "cannot be written (\(error))")
            }
        }
    }

    func write(_ bytes: Span<UInt8>) throws {
        let number = lock.withLock { writeAll(bytes, to: $0?.descriptor ?? -1) }
        guard number == 0 else { throw PlainError(archive: path, of: feed, code: number) }
    }

    /// Truncates the file, for a body that starts over.
    func restart() throws {
        let isEmpty = lock.withLock { lock in
            let descriptor = lock?.descriptor ?? -1
            return ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0
        }
        guard isEmpty else { throw PlainError(archive: path, of: feed) }
    }

    /// Flushes the file to disk, so a power cut does not leave an empty file. The lock is kept.
    func sync() throws {
        guard lock.withLock({ fsync($0?.descriptor ?? -1) == 0 }) else { throw PlainError(archive: path, of: feed) }
    }

    /// Renames the file, replacing the target, and releases the lock.
    func move(to target: String) throws {
        do throws(FileError) {
            try lock.withLock { lock throws(FileError) in
                guard lock != nil else { throw FileError(errno: EBADF) }
                try AtomicFile.rename(path, to: target)
                lock = nil
            }
        } catch {
            throw PlainError(archive: target, of: feed, code: error.number)
        }
    }

    /// Removes the file and releases the lock. A second call does nothing: the name may belong to another download.
    func discard() {
        lock.withLock { lock in
            if lock != nil { _ = unsafe unlink(path) }
            lock = nil
        }
    }
}
