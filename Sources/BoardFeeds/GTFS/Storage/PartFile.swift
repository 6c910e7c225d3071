internal import BoardCore
internal import Glibc
internal import Synchronization

/// An archive on its way to the disk, beside the one that it is to replace. Nobody else writes there until this value is
/// gone: a lock holds, and whoever gets it in the end looks again whether the file still has its name.
final class PartFile: Sendable {
    private struct State {
        /// -1: closed.
        var descriptor: Int32
        /// Whether the name is this file's still.
        var hasName = true
    }

    /// How often the name is looked at again: whoever held the lock has just given the file another name.
    private static let attempts = 8

    /// Written by the thread that receives it, closed by whoever asked.
    private let state: Mutex<State>
    let path: String
    private let feed: String

    /// An empty file at `path`; nil: somebody else writes it just now. What an interrupted one left is overwritten.
    ///
    /// - Parameter feed: whose archive it is, for errors.
    static func make(_ path: String, mode: mode_t, feed: String) throws(ArchiveStoreFailure) -> PartFile? {
        for _ in 0..<attempts {
            var descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
            var isForeign = false
            if descriptor < 0, errno == EACCES {
                // Root's, from an update by hand that was killed: whoever owns the folder may take it away.
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
            // It may have become the live archive between the opening and the lock: that one is never written.
            guard isNamed(descriptor, path) else { continue }
            if isForeign {
                guard unsafe unlink(path) == 0 else { throw ArchiveStoreFailure(path, of: feed) }
                continue
            }
            // Whatever the umask says.
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

    /// Adds bytes at the end. Blocks for as long as the disk takes.
    func write(_ bytes: Span<UInt8>) throws(ArchiveStoreFailure) {
        let failure = state.withLock { state -> ArchiveStoreFailure? in
            var written = 0
            while written < bytes.count {
                let count = unsafe bytes.extracting(written..<bytes.count).withUnsafeBytes {
                    unsafe Glibc.write(state.descriptor, $0.baseAddress, $0.count)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return ArchiveStoreFailure(path, of: feed) }
                written += count
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Forgets what was written, for a body that begins anew.
    func restart() throws(ArchiveStoreFailure) {
        let isEmpty = state.withLock { ftruncate($0.descriptor, 0) == 0 && lseek($0.descriptor, 0, SEEK_SET) == 0 }
        guard isEmpty else { throw ArchiveStoreFailure(path, of: feed) }
    }

    /// Makes sure that all of it is on the disk, so that no power cut leaves a name without bytes. The lock stays.
    func sync() throws(ArchiveStoreFailure) {
        guard state.withLock({ fsync($0.descriptor) == 0 }) else { throw ArchiveStoreFailure(path, of: feed) }
    }

    /// Gives it another name, in the place of what has that, and ends the lock.
    func move(_ target: String) throws(ArchiveStoreFailure) {
        let isMoved = state.withLock { state in
            guard state.hasName, unsafe rename(path, target) == 0 else { return false }
            state.hasName = false
            return true
        }
        guard isMoved else { throw ArchiveStoreFailure(target, of: feed) }
        close()
    }

    /// Throws it away, and ends the lock. A second time does nothing: the name may be somebody else's by then.
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

    /// Whether a name leads to an open file.
    private static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
        var (own, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(path, &named) == 0 else { return false }
        return own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }
}
