import BoardCore
import BoardIO
import Glibc

/// The listening socket and its file.
struct ControlSocket {
    /// The listening descriptor. The receiver closes it.
    let descriptor: Int32

    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// The maximum number of clients that wait to be accepted.
    private static let backlog: Int32 = 64
    /// The daemon and the group may read and write, that is, connect; other users may not.
    private static let mode: mode_t = 0o660

    /// Creates the socket and listens.
    ///
    /// The socket is created under a temporary name and renamed when it is complete, so no client sees it with another
    /// mode or before it listens. A file left by a dead server is replaced.
    ///
    /// - Parameter report: receives an event if the group cannot be set.
    init(path: String, group: String, report: @Sendable (ControlServerEvent) -> Void) throws {
        self.path = path
        let temporaryPath = "\(path).\(getpid())"
        guard var address = UnixAddress(temporaryPath) else {
            throw PlainError(
                controlSocket: path, "the path is too long; a socket's may have \(UnixAddress.capacity) bytes")
        }
        try Self.checkPath(path)
        descriptor = try Self.socket(for: path)
        unsafe unlink(temporaryPath)
        var status = stat()
        guard address.bind(descriptor) == 0, unsafe chmod(temporaryPath, Self.mode) == 0,
            unsafe lstat(temporaryPath, &status) == 0
        else {
            throw Self.failure(path, closing: descriptor, removing: temporaryPath)
        }
        device = status.st_dev
        inode = status.st_ino
        if let reason = Self.setGroup(group, of: temporaryPath, now: status.st_gid) {
            report(.withoutGroup(group, reason: reason))
        }
        guard listen(descriptor, Self.backlog) == 0, unsafe rename(temporaryPath, path) == 0 else {
            throw Self.failure(path, closing: descriptor, removing: temporaryPath)
        }
    }

    /// Removes the file, unless it is another server's by now.
    func remove() {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        unsafe unlink(path)
    }

    /// Throws if something exists at the path that must not be replaced.
    private static func checkPath(_ path: String) throws {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw PlainError(controlSocket: path, "a file that is not a socket exists here: remove it")
        }
        let probe = try socket(for: path, Int32(SOCK_NONBLOCK.rawValue))
        defer { close(probe) }
        guard var address = UnixAddress(path), address.connect(probe) == 0 else {
            // No server listens: a dead server left the file.
            if errno == ECONNREFUSED || errno == ENOENT { return }
            // Its queue is full, or it is a datagram socket: in use.
            if errno == EAGAIN || errno == EPROTOTYPE { throw isTaken(path) }
            throw PlainError(controlSocket: path, "cannot connect to the existing socket: \(errnoText(errno))")
        }
        throw isTaken(path)
    }

    private static func socket(for path: String, _ flags: Int32 = 0) throws -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) | flags, 0)
        guard descriptor < 0 else { return descriptor }
        throw PlainError(controlSocket: path, "no socket: \(errnoText(errno))")
    }

    private static func isTaken(_ path: String) -> PlainError {
        PlainError(controlSocket: path, "another boardd is listening here: stop it first")
    }

    private static func failure(
        _ path: String, closing descriptor: Int32, removing temporaryPath: String
    ) -> PlainError {
        let code = errno
        close(descriptor)
        unsafe unlink(temporaryPath)
        return PlainError(controlSocket: path, "cannot be created (\(errnoText(code))): check its folder")
    }

    /// Sets the group of a file that has the group `now`. The installed daemon may not change groups: its own is
    /// `group` (systemd/boardd.service).
    ///
    /// - Returns: why the group cannot be set; nil on success.
    private static func setGroup(_ group: String, of file: String, now: gid_t) -> String? {
        var entry = unsafe Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        // Enough for a group with a thousand members; for a larger one getgrnam_r reports ERANGE.
        var buffer = [CChar](repeating: 0, count: 65_536)
        let code = unsafe getgrnam_r(group, &entry, &buffer, buffer.count, &found)
        guard code == 0 else { return errnoText(code) }
        guard unsafe found != nil else { return "no such group" }
        guard unsafe now == entry.gr_gid || chown(file, uid_t.max, entry.gr_gid) == 0 else { return errnoText(errno) }
        return nil
    }
}

extension PlainError {
    /// Why the control socket is not available: what was found and what to do.
    fileprivate init(controlSocket path: String, _ reason: String) {
        self.init("control socket \(path): \(reason)")
    }
}
