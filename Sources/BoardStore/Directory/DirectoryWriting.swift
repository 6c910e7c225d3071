internal import Glibc

/// How a file of the directory reaches its place: whole, on the disk, readable by everybody, and the folder's owner's.
enum DirectoryWriting {
    /// Everybody reads the directory, whatever the umask.
    private static let mode: mode_t = 0o644

    /// Gives a file the mode of the directory's files and, where root made it, the owner of its folder: otherwise an
    /// update that root began could not be taken up by the daemon.
    static func give(_ descriptor: Int32, likeFolder folder: String) {
        var status = stat()
        // Without these the file is still right for whoever made it; who cannot read it is told so.
        if geteuid() == 0, unsafe stat(folder, &status) == 0 {
            _ = fchown(descriptor, status.st_uid, status.st_gid)
        }
        _ = fchmod(descriptor, mode)
    }

    /// Renames a file over another once all of it is on the disk.
    static func swap(_ fresh: String, over live: String, in folder: String) throws(DirectoryFailure) {
        let descriptor = unsafe open(fresh, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .writing(errno: errno, file: fresh) }
        defer { _ = close(descriptor) }
        give(descriptor, likeFolder: folder)
        guard fsync(descriptor) == 0 else { throw .writing(errno: errno, file: fresh) }
        guard unsafe rename(fresh, live) == 0 else { throw .writing(errno: errno, file: live) }
        try synchronise(folder)
    }

    /// Puts the folder's names onto the disk.
    static func synchronise(_ folder: String) throws(DirectoryFailure) {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .writing(errno: errno, file: folder) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .writing(errno: errno, file: folder) }
    }

    /// Copies a file, byte for byte.
    static func copy(_ source: String, to copy: String, in folder: String) throws(DirectoryFailure) {
        let input = unsafe open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard input >= 0 else { throw .reading(errno: errno, file: source) }
        defer { _ = close(input) }
        unsafe unlink(copy)
        let output = unsafe open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard output >= 0 else { throw .writing(errno: errno, file: copy) }
        defer { _ = close(output) }
        give(output, likeFolder: folder)
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe read(input, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .reading(errno: errno, file: source) }
            if count == 0 { return }
            var rest = chunk[..<count]
            while !rest.isEmpty {
                let written = unsafe rest.withUnsafeBytes { unsafe write(output, $0.baseAddress, $0.count) }
                if written < 0 && errno == EINTR { continue }
                guard written > 0 else { throw .writing(errno: errno, file: copy) }
                rest = rest.dropFirst(written)
            }
        }
    }
}
