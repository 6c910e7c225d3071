internal import BoardStore
internal import BoardThreads
// Built as one module, Swift finds glibc's timespec in CLinux, whose header includes it first.
internal import CLinux
internal import Glibc
internal import ServiceLifecycle
internal import Synchronization

/// Tells when a file was changed, by whomever and however: in place, by a new file renamed over it, or by its removal.
///
/// It watches the file's folder (inotify(7)), since a file that is replaced takes a watch on itself with it. Where the
/// path is a symbolic link, the folder of what it names is watched as well. A thread of its own sleeps until something
/// happens, and wakes for nothing else.
final class FileWatch: Service {
    private let path: String
    private let changed: @Sendable () -> Void
    /// How the file was when it was last told of.
    private let last: Mutex<FileIdentity?>

    /// - Parameters:
    ///   - path: the file, which need not be there. Make the watch before the file is first read: what changes between
    ///     that moment and ``run()`` is told when it runs.
    ///   - changed: is called on the watch's thread, once some time after the last of several changes.
    init(path: String, changed: @escaping @Sendable () -> Void) {
        self.path = path
        self.changed = changed
        last = Mutex(FileIdentity(path))
    }

    /// Watches until cancelled or until the program shuts down.
    ///
    /// - Throws: ``FileWatchFailure`` when the folder cannot be watched, or is gone and does not come back soon. A next
    ///   run tells what has changed since.
    func run() async throws {
        let end: Result<Void, FileWatchFailure> = try await cancelWhenGracefulShutdown {
            let stop = try WakeEvent()
            return try await DedicatedThread.run("file watch", signallingCancellationTo: stop) {
                Result { () throws(FileWatchFailure) in try self.watch(until: stop) }
            }
        }
        try end.get()
    }
}

/// Why a file's folder cannot be watched.
struct FileWatchFailure: Error, Hashable, CustomStringConvertible {
    let folder: String
    let number: Int32

    var description: String {
        let reason = unsafe String(cString: strerror(number))
        let advice =
            switch number {
            case EMFILE, ENFILE: "look at fs.inotify.max_user_instances and at the open files (LimitNOFILE); "
            case ENOSPC: "look at fs.inotify.max_user_watches; "
            default: ""
            }
        return "\(folder) cannot be watched for changes (\(reason)): \(advice)they are read at the next reload"
    }
}

/// What tells a changed file from the one that it was.
private struct FileIdentity: Hashable {
    let device: dev_t
    let inode: ino_t
    let size: off_t
    let seconds: Int
    let nanoseconds: Int

    /// The file's; nil when there is none.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
        size = status.st_size
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}

// MARK: - The thread

extension FileWatch {
    /// How long nothing must happen before a change is told: editors take several steps.
    private static var settling: Duration { .milliseconds(200) }
    /// How long a file that is changed again and again can keep itself from being told of.
    private static var longestSettling: Duration { .seconds(2) }
    /// The waits for a folder that was there and is gone; then the run fails.
    private static var waitsForFolder: [Duration] {
        [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800), .seconds(1.6), .seconds(3.2)]
    }

    private func watch(until stop: WakeEvent) throws(FileWatchFailure) {
        let events = try FolderEvents(path)
        try events.watch()
        if last.withLock({ $0 }) != FileIdentity(path) { notify() }
        while try events.wait(until: stop, atMost: nil) == .changed {
            let end = ContinuousClock.now + Self.longestSettling
            var news = FolderEvents.WaitResult.changed
            while news == .changed, ContinuousClock.now < end {
                news = try events.wait(until: stop, atMost: Self.settling)
            }
            guard news != .stopped, try rearm(events, until: stop) else { return }
            notify()
        }
    }

    /// Watches what the path leads to now, and waits for a folder that is gone; false when it is to end.
    private func rearm(_ events: FolderEvents, until stop: WakeEvent) throws(FileWatchFailure) -> Bool {
        var waits = Self.waitsForFolder[...]
        while true {
            do throws(FileWatchFailure) {
                try events.watch()
                return true
            } catch {
                guard let wait = waits.popFirst() else { throw error }
                if stop.happens(within: wait) { return false }
            }
        }
    }

    private func notify() {
        // Before the call: what changes while the file is read is told of again.
        last.withLock { $0 = FileIdentity(path) }
        changed()
    }
}

extension WakeEvent {
    /// Waits for the event; false when it did not happen within the limit.
    fileprivate func happens(within limit: Duration) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, Int32(limit / .milliseconds(1))) > 0
    }
}
