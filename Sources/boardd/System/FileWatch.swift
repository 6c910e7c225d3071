internal import BoardCore
internal import BoardIO
internal import BoardStore
// Built as one module, Swift finds glibc's timespec in CLinux, whose header includes it first.
internal import CLinux
internal import Glibc
internal import ServiceLifecycle
internal import Synchronization

/// Reports changes of a file: in place, by a new file renamed over it, or by its removal.
///
/// It watches the file's folder (inotify(7)), since replacing a file removes the watch on the file itself. Where the path is
/// a symbolic link, it also watches the folder of the target. A thread of its own sleeps until an event.
final class FileWatch: Service {
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
    ///   - path: the file, which need not exist. Make the watch before the file is first read: a change between that moment
    ///     and ``run()`` is reported when it runs.
    ///   - changed: is called on the watch's thread, some time after the last of several changes.
    init(path: String, changed: @escaping @Sendable () -> Void) {
        self.path = path
        self.changed = changed
        last = Mutex(FileIdentity(path))
    }

    /// Watches until cancelled or until the program shuts down.
    ///
    /// - Throws: ``FileWatchFailure`` when the folder cannot be watched, or is gone and does not come back soon. The next run
    ///   reports what has changed since.
    func run() async throws {
        let end: Result<Void, FileWatchFailure> = try await cancelWhenGracefulShutdown {
            let stop = try WakeEvent()
            return try await DedicatedThread.run("file watch", signallingCancellationTo: stop) {
                Result { () throws(FileWatchFailure) in try self.watch(until: stop) }
            }
        }
        try end.get()
    }

    private func watch(until stop: WakeEvent) throws(FileWatchFailure) {
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
    private func rearm(_ events: FolderEvents, until stop: WakeEvent) throws(FileWatchFailure) -> Bool {
        var failures = 0
        while true {
            do throws(FileWatchFailure) {
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

struct FileWatchFailure: Error, Hashable, CustomStringConvertible {
    let folder: String
    let number: Int32

    var description: String {
        let reason = errnoText(number)
        let advice =
            switch number {
            case EMFILE, ENFILE: "check fs.inotify.max_user_instances and the limit of open files (LimitNOFILE); "
            case ENOSPC: "check fs.inotify.max_user_watches; "
            default: ""
            }
        return "cannot watch \(folder) for changes (\(reason)): \(advice)reload by hand after changes"
    }
}
