internal import BoardCore
internal import BoardIO
internal import Glibc
internal import Synchronization

/// A download in progress, beside the archive that it will replace. A file lock excludes other writers as long as this
/// value exists. The next lock holder checks that the file still has its name.
final class PartFile: Sendable {
    private struct State {
        var descriptor: Int32
        var hasName = true
    }

    /// How often to retry if the previous lock holder has just renamed the file.
    private static let attempts = 8

    /// Shared by the thread that receives the download and the task that closes the file.
    private let state: Mutex<State>
    let path: String
    private let feed: String

    /// Creates an empty file at `path`; nil if another process is writing it. Overwrites an interrupted download.
    ///
    /// - Parameter feed: the name of the feed, for errors.
    static func make(_ path: String, mode: mode_t, feed: String) throws(ArchiveStoreFailure) -> PartFile? {
        for _ in 0..<attempts {
            var descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
            var isForeign = false
            if descriptor < 0, errno == EACCES {
                // A file of root, left by a killed manual update: the owner of the folder may remove it.
                descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
                if descriptor < 0 { errno = EACCES }
                isForeign = true
            }
            guard descriptor >= 0 else { throw ArchiveStoreFailure(path, of: feed) }
            let file = PartFile(descriptor, path, feed)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                if errno == EWOULDBLOCK { return nil }
                throw ArchiveStoreFailure(path, of: feed)
            }
            // It may have become the stored archive between open and lock: that one is never written.
            guard isNamed(descriptor, path) else { continue }
            if isForeign {
                guard unsafe unlink(path) == 0 else { throw ArchiveStoreFailure(path, of: feed) }
                continue
            }
            // The umask must not restrict the mode.
            guard ftruncate(descriptor, 0) == 0, fchmod(descriptor, mode) == 0 else {
                throw ArchiveStoreFailure(path, of: feed)
            }
            return file
        }
        return nil
    }

    private init(_ descriptor: Int32, _ path: String, _ feed: String) {
        state = Mutex(State(descriptor: descriptor))
        self.path = path
        self.feed = feed
    }

    deinit {
        state.withLock { if $0.descriptor >= 0 { _ = Glibc.close($0.descriptor) } }
    }

    func write(_ bytes: Span<UInt8>) throws(ArchiveStoreFailure) {
        let number = state.withLock { writeAll(bytes, to: $0.descriptor) }
        guard number == 0 else { throw ArchiveStoreFailure(path, of: feed, code: number) }
    }

    /// Truncates the file, for a body that starts again.
    func restart() throws(ArchiveStoreFailure) {
        let isEmpty = state.withLock { ftruncate($0.descriptor, 0) == 0 && lseek($0.descriptor, 0, SEEK_SET) == 0 }
        guard isEmpty else { throw ArchiveStoreFailure(path, of: feed) }
    }

    /// Flushes the file to disk, so that a power cut does not leave an empty file. The lock stays.
    func sync() throws(ArchiveStoreFailure) {
        guard state.withLock({ fsync($0.descriptor) == 0 }) else { throw ArchiveStoreFailure(path, of: feed) }
    }

    /// Renames the file, replacing the target, and releases the lock.
    func move(to target: String) throws(ArchiveStoreFailure) {
        let isMoved = state.withLock { state in
            guard state.hasName, unsafe rename(path, target) == 0 else { return false }
            state.hasName = false
            return true
        }
        guard isMoved else { throw ArchiveStoreFailure(target, of: feed) }
        close()
    }

    /// Removes the file and releases the lock. A second call does nothing: the name may belong to another download.
    func discard() {
        state.withLock { state in
            if state.hasName { _ = unsafe unlink(path) }
            state.hasName = false
        }
        close()
    }

    private func close() {
        state.withLock { state in
            if state.descriptor >= 0 { _ = Glibc.close(state.descriptor) }
            state.descriptor = -1
        }
    }

    private static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
        var (own, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(path, &named) == 0 else { return false }
        return own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }
}
