internal import Glibc

/// An exclusive lock for changes to one feed's files: a lock on its building file, which the kernel releases when the
/// process ends.
final class DirectoryLock {
    private let path: String
    private let descriptor: Int32

    /// Takes the lock; creates an empty building file where there is none.
    ///
    /// - Throws: `busy` when another process has it.
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
            // The previous owner of the lock may have removed the file, or published it as the live one.
            if Self.isAt(path, descriptor) {
                self.descriptor = descriptor
                DirectoryWriting.setOwner(descriptor, fromFolder: files.folder)
                return
            }
            close(descriptor)
        }
    }

    deinit {
        var status = stat()
        // An empty building file is not an update to resume.
        if unsafe fstat(descriptor, &status) == 0, status.st_size == 0, Self.isAt(path, descriptor) {
            unsafe unlink(path)
        }
        close(descriptor)
    }

    /// Truncates the building file.
    func empty() throws(DirectoryFailure) {
        guard ftruncate(descriptor, 0) == 0 else { throw .writing(errno: errno, file: path) }
        for companion in ["-journal", "-wal", "-shm"] { unsafe unlink(path + companion) }
    }

    /// Removes the building file. The lock remains, but no longer blocks another process.
    func remove() throws(DirectoryFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .writing(errno: errno, file: path) }
        for companion in ["-journal", "-wal", "-shm"] { unsafe unlink(path + companion) }
    }

    /// Whether the building file is empty.
    var isEmpty: Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) != 0 || status.st_size == 0
    }

    private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
        var ours = stat()
        var current = stat()
        guard unsafe fstat(descriptor, &ours) == 0, unsafe lstat(path, &current) == 0 else { return false }
        return ours.st_dev == current.st_dev && ours.st_ino == current.st_ino
    }
}
