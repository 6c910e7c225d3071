internal import BoardCore
internal import Glibc
internal import Synchronization

/// An archive on its way to the disk, locked against a second process until it is closed.
final class ArchiveFile: Sendable {
    /// Written by the thread that receives it, closed by whoever asked; -1: closed.
    private let descriptor: Mutex<Int32>
    private let path: String

    /// An empty file at `path`; nil: another process writes it just now. What an interrupted one left is overwritten.
    static func make(_ path: String, mode: mode_t) throws(RecordingFailure) -> ArchiveFile? {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw RecordingFiles.failure(path, "cannot be written") }
        let file = ArchiveFile(descriptor, path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { return nil }
            throw RecordingFiles.failure(path, "cannot be locked")
        }
        // Whatever the umask says.
        guard ftruncate(descriptor, 0) == 0, fchmod(descriptor, mode) == 0 else {
            throw RecordingFiles.failure(path, "cannot be written")
        }
        return file
    }

    private init(_ descriptor: Int32, _ path: String) {
        self.descriptor = Mutex(descriptor)
        self.path = path
    }

    deinit {
        descriptor.withLock { if $0 >= 0 { _ = Glibc.close($0) } }
    }

    /// Adds bytes at the end. Blocks for as long as the disk takes.
    func write(_ bytes: Span<UInt8>) throws(RecordingFailure) {
        let failure = descriptor.withLock { descriptor -> RecordingFailure? in
            var written = 0
            while written < bytes.count {
                let count = unsafe bytes.extracting(written..<bytes.count).withUnsafeBytes {
                    unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return RecordingFiles.failure(path, "cannot be written") }
                written += count
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Forgets what was written, for a body that begins anew.
    func restart() throws(RecordingFailure) {
        let isEmpty = descriptor.withLock { ftruncate($0, 0) == 0 && lseek($0, 0, SEEK_SET) == 0 }
        guard isEmpty else { throw RecordingFiles.failure(path, "cannot be written") }
    }

    /// Makes sure that all of it is on the disk, so that no power cut leaves a name without bytes. The lock stays.
    func sync() throws(RecordingFailure) {
        guard descriptor.withLock({ fsync($0) == 0 }) else {
            throw RecordingFiles.failure(path, "cannot be written")
        }
    }
}
