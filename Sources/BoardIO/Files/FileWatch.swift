import BoardCore
import CLinux  // built as one module, Swift finds glibc's timespec in it, whose header includes it first
import Glibc
public import ServiceLifecycle
import Synchronization

/// Reports changes of a file: in place, by a new file renamed over it, or by its removal.
///
/// It watches the file's folder (inotify(7)), since replacing a file removes the watch on the file itself. If the path
/// is a symbolic link, it also watches the folder of the target. A thread of its own sleeps until an event.
public final class FileWatch: Service {
    /// The quiet time before a report: editors take several steps.
    private static let settling = Duration.milliseconds(200)
    /// The longest delay of a report while the file keeps changing.
    private static let maximumSettling = Duration.seconds(2)
    /// The waits for a folder that is gone; after six of them the run fails.
    private static let backoff = Backoff(from: .milliseconds(100), upTo: .seconds(3.2))

    private let path: String
    private let changed: @Sendable () -> Void
    private let last: Mutex<FileIdentity?>

    /// - Parameters:
    ///   - path: the file, which need not exist. Make the watch before the file is first read: a change between that
    ///     moment and ``run()`` is reported when it runs.
    ///   - changed: is called on the watch's thread, some time after the last of several changes.
    public init(path: String, changed: @escaping @Sendable () -> Void) {
        self.path = path
        self.changed = changed
        last = Mutex(FileIdentity(path))
    }

    /// Watches until cancelled or until the program shuts down.
    ///
    /// - Throws: when the folder cannot be watched, or is gone and does not come back soon. The next run
    ///   reports what has changed since.
    public func run() async throws {
        let end: Result<Void, any Error> = try await cancelWhenGracefulShutdown {
            let stop = try WakeEvent()
            return try await DedicatedThread.run("file watch", signallingCancellationTo: stop) {
                Result { try self.watch(until: stop) }
            }
        }
        try end.get()
    }

    private func watch(until stop: WakeEvent) throws {
        let events = try FolderEvents(path)
        try events.watch()
        if last.withLock({ $0 }) != FileIdentity(path) { notify() }
        while try events.wait(until: stop, atMost: nil) == .changed {
            let end = ContinuousClock.now + Self.maximumSettling
            var result = FolderEvents.WaitResult.changed
            while result == .changed, ContinuousClock.now < end {
                result = try events.wait(until: stop, atMost: Self.settling)
            }
            guard result != .stopped, try rearm(events, until: stop) else { return }
            notify()
        }
    }

    /// Watches the path's current folders, and waits for a missing one; false on stop.
    private func rearm(_ events: FolderEvents, until stop: WakeEvent) throws -> Bool {
        var failures = 0
        while true {
            do {
                try events.watch()
                return true
            } catch {
                failures += 1
                guard failures <= 6 else { throw error }
                if stop.wait(atMost: Self.backoff.wait(afterFailures: failures)) { return false }
            }
        }
    }

    private func notify() {
        // Before the call: a change while the file is read is reported again.
        last.withLock { $0 = FileIdentity(path) }
        changed()
    }
}

extension PlainError {
    /// The folder cannot be watched.
    init(watching folder: String, number: Int32) {
        let advice =
            switch number {
            case EMFILE, ENFILE: "check fs.inotify.max_user_instances and the limit of open files (LimitNOFILE); "
            case ENOSPC: "check fs.inotify.max_user_watches; "
            default: ""
            }
        self.init("cannot watch \(folder) for changes (\(errnoText(number))): \(advice)reload by hand after changes")
    }
}

/// The kernel's events for one file, from the folders on its path (inotify(7)). For one thread.
final class FolderEvents {
    enum WaitResult {
        /// The file or its folder may have changed.
        case changed
        case timedOut
        case stopped
    }

    /// A complete file was written, added or removed. Writes to an open file are not reported.
    private static let ofFiles =
        UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
    /// The folder itself was removed or moved.
    private static let ofFolders =
        UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT) | UInt32(IN_IGNORED)

    private let path: String
    private let queue: Int32
    /// The watched folders, with the relevant names in each.
    private var watches: [Int32: Set<FilePath.Step>] = [:]

    init(_ path: String) throws {
        self.path = path
        queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard queue >= 0 else {
            let code = errno
            throw PlainError(watching: FilePath(following: path).steps[0].folder, number: code)
        }
    }

    deinit {
        if queue >= 0 { close(queue) }
    }

    /// Watches the folders that the path leads through now, and only these.
    ///
    /// - Throws: if the path's own folder cannot be watched. That of a link's target may be missing.
    func watch() throws {
        var new: [Int32: Set<FilePath.Step>] = [:]
        for (index, step) in FilePath(following: path).steps.enumerated() {
            let watch = unsafe inotify_add_watch(queue, step.folder, Self.ofFiles | Self.ofFolders | UInt32(IN_ONLYDIR))
            guard watch >= 0 || index > 0 else { throw PlainError(watching: step.folder, number: errno) }
            if watch >= 0 { new[watch, default: []].insert(step) }
        }
        for old in watches.keys where new[old] == nil { inotify_rm_watch(queue, old) }
        watches = new
    }

    /// Sleeps until an event of the file, until `stop`, or for at most the limit; nil: no limit.
    func wait(until stop: WakeEvent, atMost limit: Duration?) throws -> WaitResult {
        let end = limit.map { ContinuousClock.now + $0 }
        while true {
            let rest = end.map { max(.zero, $0 - ContinuousClock.now) }
            var polled = [stop.descriptor, queue].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = unsafe poll(&polled, 2, rest?.pollLimit ?? -1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw PlainError(watching: path, number: errno) }
            if polled[0].revents != 0 { return .stopped }
            if count == 0 { return .timedOut }
            if try read() { return .changed }
        }
    }

    /// Reads all events; returns whether one is relevant.
    private func read() throws -> Bool {
        var counts = false
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let length = unsafe Glibc.read(queue, &buffer, buffer.count)
            if length < 0, errno == EINTR { continue }
            if length < 0, errno == EAGAIN { return counts }
            guard length > 0 else { throw PlainError(watching: path, number: errno) }
            for event in Event.all(buffer[..<length]) where self.counts(event) { counts = true }
        }
    }

    private func counts(_ event: Event) -> Bool {
        // The queue overflowed: anything may have changed.
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard let steps = watches[event.watch] else { return false }
        if event.mask & Self.ofFolders != 0 { return true }
        guard let step = steps.first(where: { $0.name == event.name }) else { return false }
        // A new regular file is reported when its writer closes it; a new link is complete at once.
        return event.mask & UInt32(IN_CREATE) == 0 || isLink(step)
    }

    private func isLink(_ step: FilePath.Step) -> Bool {
        var status = stat()
        guard unsafe lstat(step.path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG || status.st_nlink > 1
    }
}

private struct Event {
    let watch: Int32
    let mask: UInt32
    let name: String

    /// Parses the events: each a header, then a name padded with NUL bytes.
    static func all(_ bytes: ArraySlice<UInt8>) -> [Event] {
        let size = MemoryLayout<inotify_event>.size
        var events: [Event] = []
        var rest = bytes
        while rest.count >= size {
            let head = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(size).prefix(Int(head.len))
            events.append(
                Event(watch: head.wd, mask: head.mask, name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)))
            rest = rest.dropFirst(size + name.count)
        }
        return events
    }
}
