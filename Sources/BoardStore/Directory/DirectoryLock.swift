internal import Glibc

/// The right to change one feed's files: a lock on its building file, which the kernel gives back when the process ends,
/// however it ends.
final class DirectoryLock {
    private let path: String
    private let descriptor: Int32

    /// Takes the lock; the building file is made, empty, where there is none.
    ///
    /// - Throws: `busy` when somebody else has it.
    init(_ files: DirectoryFiles, building path: String) throws(DirectoryFailure) {
        self.path = path
        while true {
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
            guard descriptor >= 0 else { throw .writing(errno: errno, file: path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let number = errno
                close(descriptor)
                if number == EINTR { continue }
                throw number == EWOULDBLOCK
                    ? DirectoryFailure(.busy, file: path) : .writing(errno: number, file: path)
            }
            // Whoever had the lock before may have removed the file, or made it the live one.
            if Self.isAt(path, descriptor) {
                self.descriptor = descriptor
                DirectoryWriting.give(descriptor, likeFolder: files.folder)
                return
            }
            close(descriptor)
        }
    }

    deinit {
        var status = stat()
        // A file into which nobody wrote is no update to take up again.
        if unsafe fstat(descriptor, &status) == 0, status.st_size == 0, Self.isAt(path, descriptor) {
            unsafe unlink(path)
        }
        close(descriptor)
    }

    /// Makes the building file empty, whatever it holds.
    func empty() throws(DirectoryFailure) {
        guard ftruncate(descriptor, 0) == 0 else { throw .writing(errno: errno, file: path) }
        for companion in ["-journal", "-wal", "-shm"] { unsafe unlink(path + companion) }
    }

    /// Removes the building file. The lock stays with its holder, and is nobody else's hindrance any more.
    func remove() throws(DirectoryFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .writing(errno: errno, file: path) }
        for companion in ["-journal", "-wal", "-shm"] { unsafe unlink(path + companion) }
    }

    /// Whether the building file holds nothing.
    var isEmpty: Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) != 0 || status.st_size == 0
    }

    private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
        var ours = stat()
        var there = stat()
        guard unsafe fstat(descriptor, &ours) == 0, unsafe lstat(path, &there) == 0 else { return false }
        return ours.st_dev == there.st_dev && ours.st_ino == there.st_ino
    }
}
