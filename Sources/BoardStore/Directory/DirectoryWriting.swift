internal import BoardIO
internal import Glibc

/// Writes files of the directory: complete, synchronised, readable by all users, and owned by the folder's owner.
enum DirectoryWriting {
    /// All users may read the directory, whatever the umask.
    private static let mode: mode_t = 0o644

    /// Sets the mode of the directory's files and, as root, the owner of the folder: otherwise the daemon could not resume
    /// an update that root began.
    static func setOwner(_ descriptor: Int32, fromFolder folder: String) {
        var status = stat()
        // Without these the file still works for its owner; other users get an error when they read it.
        if geteuid() == 0, unsafe stat(folder, &status) == 0 {
            _ = fchown(descriptor, status.st_uid, status.st_gid)
        }
        _ = fchmod(descriptor, mode)
    }

    /// Synchronises a file and renames it over another.
    static func replace(_ live: String, with fresh: String, in folder: String) throws(DirectoryFailure) {
        let descriptor = unsafe open(fresh, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .writing(errno: errno, file: fresh) }
        defer { _ = close(descriptor) }
        setOwner(descriptor, fromFolder: folder)
        guard fsync(descriptor) == 0 else { throw .writing(errno: errno, file: fresh) }
        guard unsafe rename(fresh, live) == 0 else { throw .writing(errno: errno, file: live) }
        try synchronise(folder)
    }

    /// Synchronises the folder's entries.
    static func synchronise(_ folder: String) throws(DirectoryFailure) {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .writing(errno: errno, file: folder) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .writing(errno: errno, file: folder) }
    }

    static func copy(_ source: String, to copy: String, in folder: String) throws(DirectoryFailure) {
        let input = unsafe open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard input >= 0 else { throw .reading(errno: errno, file: source) }
        defer { _ = close(input) }
        unsafe unlink(copy)
        let output = unsafe open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard output >= 0 else { throw .writing(errno: errno, file: copy) }
        defer { _ = close(output) }
        setOwner(output, fromFolder: folder)
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe read(input, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .reading(errno: errno, file: source) }
            if count == 0 { return }
            let number = writeAll(chunk.span.extracting(..<count), to: output)
            guard number == 0 else { throw .writing(errno: number, file: copy) }
        }
    }
}
