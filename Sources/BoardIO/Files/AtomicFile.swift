public import Glibc

/// Replaces files by renaming complete new ones over them: a reader finds the old or the new content, never a part.
///
/// Paths are relative to `folder`, an open folder, or to the working folder.
public enum AtomicFile {
    /// Writes a new file and renames it over another. After a failure the old file is unchanged.
    ///
    /// - Parameters:
    ///   - new: the path of the incomplete file, in the same folder; replaces what a killed process left there.
    ///   - mode: the mode, whatever the umask.
    ///   - owner: the file whose owner and group the new file gets.
    ///   - isDurable: whether the file must survive a power loss: its content reaches the disk before its name. Not
    ///     for a tmpfs, and not for a file that can be made again.
    public static func write(
        _ bytes: Span<UInt8>, to path: String, through new: String, in folder: Int32 = AT_FDCWD, mode: mode_t,
        owner: stat? = nil, isDurable: Bool = false
    ) throws(FileError) {
        // Not opened again: it may be a link, or have another mode.
        _ = unsafe unlinkat(folder, new, 0)
        let descriptor = unsafe openat(folder, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(errno: errno) }
        defer { _ = close(descriptor) }
        do throws(FileError) {
            setMode(mode, owner: owner, of: descriptor)
            let number = writeAll(bytes, to: descriptor)
            guard number == 0, !isDurable || fsync(descriptor) == 0 else {
                throw FileError(errno: number == 0 ? errno : number)
            }
            try rename(new, to: path, in: folder, isDurable: isDurable)
        } catch {
            unsafe unlinkat(folder, new, 0)
            throw error
        }
    }

    /// Synchronises a complete file, which another library wrote, and renames it over another durably.
    public static func replace(_ path: String, with new: String, mode: mode_t, owner: stat?) throws(FileError) {
        let descriptor = unsafe open(new, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw FileError(errno: errno) }
        defer { _ = close(descriptor) }
        setMode(mode, owner: owner, of: descriptor)
        guard fsync(descriptor) == 0 else { throw FileError(errno: errno) }
        try rename(new, to: path, isDurable: true)
    }

    /// Renames a file, over another if there is one.
    ///
    /// - Parameter isDurable: whether the new name is on the disk before the call returns. If that fails, a power loss
    ///   could bring back the old file, complete.
    public static func rename(
        _ old: String, to path: String, in folder: Int32 = AT_FDCWD, isDurable: Bool = false
    ) throws(FileError) {
        guard unsafe renameat(folder, old, folder, path) == 0 else {
            throw errno == EPERM ? FileError(.foreignFile) : FileError(errno: errno)
        }
        guard isDurable else { return }
        let parent = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        let descriptor = unsafe openat(folder, String(parent), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Gives an open file a mode, and the owner and group of another, as far as this user and the file system allow.
    public static func setMode(_ mode: mode_t, owner: stat?, of descriptor: Int32) {
        // Only root may change the owner; other users may set a group of which they are members.
        if let owner, fchown(descriptor, owner.st_uid, owner.st_gid) != 0 {
            _ = fchown(descriptor, uid_t.max, owner.st_gid)
        }
        _ = fchmod(descriptor, mode)
    }
}

/// Reads small files of users, the daemon or the kernel along guarded paths (``GuardedPath``).
public enum SmallFile {
    public struct Contents: Sendable {
        /// The bytes; one more than the limit for a larger file.
        public let bytes: [UInt8]
        /// The permission bits.
        public let mode: UInt32

        /// The text; invalid UTF-8 is replaced.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Reads a regular file up to one byte more than `limit`.
    public static func read(_ path: String, limit: Int) throws(FileError) -> Contents {
        let (descriptor, status) = try GuardedPath.openFile(path)
        defer { _ = close(descriptor) }
        return Contents(bytes: try read(descriptor, limit: limit), mode: status.st_mode & 0o7777)
    }

    /// Reads the rest of an open file up to one byte more than `limit`.
    public static func read(_ descriptor: Int32, limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        // Avoids an overflow.
        let maximum = limit < .max ? limit + 1 : limit
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < maximum {
            let count = unsafe Glibc.read(descriptor, &chunk, min(chunk.count, maximum - bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileError(errno: errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// The names in a folder, unsorted, without `.` and `..`.
    public static func names(in folder: String) throws(FileError) -> [String] {
        let descriptor = try GuardedPath.open(folder, O_RDONLY | O_DIRECTORY)
        guard let stream = unsafe fdopendir(descriptor) else {
            let number = errno
            close(descriptor)
            throw FileError(errno: number)
        }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// Writes all bytes to a descriptor. Waits for room if it is non-blocking (a parent process may have left it so).
///
/// - Returns: the `errno`; 0 on success.
public func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
        let count = unsafe bytes.extracting(written..<bytes.count).withUnsafeBytes {
            unsafe write(descriptor, $0.baseAddress, $0.count)
        }
        if count > 0 {
            written += count
        } else if count < 0, errno == EAGAIN {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = unsafe poll(&entry, 1, -1)
        } else if count == 0 || errno != EINTR {
            return count == 0 ? ENOSPC : errno
        }
    }
    return 0
}

/// Distinguishes a file from its replacement and from its changed content.
public struct FileIdentity: Hashable, Sendable {
    public let device: UInt64
    public let inode: UInt64
    /// The size in bytes.
    public let size: Int64
    /// The time of the last change, in seconds and nanoseconds since 1970 UTC.
    public let seconds: Int64
    public let nanoseconds: Int64

    public init(device: UInt64, inode: UInt64, size: Int64, seconds: Int64, nanoseconds: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    public init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = Int64(status.st_mtim.tv_sec)
        nanoseconds = Int64(status.st_mtim.tv_nsec)
    }

    /// The identity of the file or folder at a path, after links; nil if there is none.
    public init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
