internal import BoardCore
internal import BoardIO
internal import Glibc

/// An exclusive lock for changes to one feed's files: a lock on its building file, which the kernel releases when the
/// process ends.
final class DirectoryLock {
    private let path: String
    private let lock: FileLock

    /// Takes the lock; creates an empty building file where there is none. Throws `busy` when another process has it.
    init(_ feed: FeedName, of files: DirectoryFiles) throws(DirectoryFailure) {
        path = files.building(feed)
        do throws(FileAccessFailure) {
            lock = try FileLock.file(path, mode: DirectoryFiles.mode)
            AtomicFile.setMode(DirectoryFiles.mode, owner: files.owner, of: lock.descriptor)
        } catch {
            throw .writing(error, file: path)
        }
    }

    deinit {
        // An empty building file is not an update to resume.
        if isEmpty, lock.isNamed(path) { unsafe unlink(path) }
    }

    var isEmpty: Bool {
        var status = stat()
        return unsafe fstat(lock.descriptor, &status) != 0 || status.st_size == 0
    }

    /// Truncates the building file.
    func empty() throws(DirectoryFailure) {
        try change { ftruncate(lock.descriptor, 0) }
    }

    /// Removes the building file. The lock remains, but no longer blocks another process.
    func remove() throws(DirectoryFailure) {
        try change { unsafe unlink(path) }
    }

    private func change(_ call: () -> Int32) throws(DirectoryFailure) {
        guard call() == 0 || errno == ENOENT else { throw .writing(FileAccessFailure(errno: errno), file: path) }
        unsafe unlink(path + "-journal")
    }
}
