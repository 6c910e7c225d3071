public import Glibc

/// An exclusive lock on an open file or folder (flock(2)). The kernel releases it with this value, or with the process.
public final class FileLock: Sendable {
    /// The pause between attempts; flock(2) has no timeout.
    private static let pause = Duration.milliseconds(20)

    /// The locked file, which the lock closes.
    public let descriptor: Int32

    /// Locks an open file or folder, and closes it with the lock or on failure.
    ///
    /// - Parameter timeout: the maximum wait for another holder.
    /// - Throws: `EWOULDBLOCK` when another holder keeps the lock.
    public init(_ descriptor: Int32, timeout: Duration = .zero) throws(FileError) {
        self.descriptor = descriptor
        let end = ContinuousClock.now + timeout
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            guard number == EWOULDBLOCK, ContinuousClock.now < end else { throw FileError(errno: number) }
            usleep(UInt32(Self.pause / .microseconds(1)))
        }
    }

    deinit {
        // A program that is being started also has the descriptor until exec: closing alone would leave it the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Locks the file at a path for writing; creates it if there is none. Replaces a file that this user may not write
    /// but may remove, such as one that root left.
    ///
    /// - Throws: `EWOULDBLOCK` when another holder has the lock.
    public static func file(_ path: String, mode: mode_t) throws(FileError) -> FileLock {
        while true {
            var descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
            let number = errno
            let isForeign = descriptor < 0 && number == EACCES
            if isForeign { descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
            guard descriptor >= 0 else { throw FileError(errno: number) }
            let lock = try FileLock(descriptor)
            // The previous holder may have removed the file, or renamed it over another.
            guard lock.isNamed(path) else { continue }
            guard isForeign else { return lock }
            guard unsafe unlink(path) == 0 else { throw FileError(errno: errno) }
        }
    }

    /// Whether a path still leads to the locked file.
    public func isNamed(_ path: String) -> Bool {
        var (own, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(path, &named) == 0 else { return false }
        return own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }
}
