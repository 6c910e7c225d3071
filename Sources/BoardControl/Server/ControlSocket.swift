internal import Glibc

/// The listening socket and its file.
struct ControlSocket {
    /// The listening descriptor; whoever takes it closes it.
    let descriptor: Int32

    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Clients that may wait to be taken.
    private static let backlog: Int32 = 64
    /// The daemon and the group may read and write, that is, connect; nobody else.
    private static let mode: mode_t = 0o660

    /// Makes the socket and listens.
    ///
    /// It is made beside its place and moved there when it is complete, so nobody meets it with another mode or before
    /// it listens. A file that a dead server left is replaced.
    ///
    /// - Parameters:
    ///   - path: its place.
    ///   - group: the group that may use it.
    ///   - report: hears when the group cannot be given.
    /// - Throws: ``ControlServerFailure``.
    init(
        path: String, group: String, report: @Sendable (ControlServerEvent) -> Void
    ) throws(ControlServerFailure) {
        self.path = path
        let making = "\(path).\(getpid())"
        guard var address = UnixAddress(making) else {
            throw ControlServerFailure(
                .pathTooLong, path: path, "the path is too long; a socket's may have \(UnixAddress.capacity) bytes")
        }
        try Self.checkPlace(path)
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            let code = errno
            throw ControlServerFailure(.noResources(code: code), path: path, "no socket: \(errorText(code))")
        }
        unsafe unlink(making)
        var status = stat()
        guard address.bind(descriptor) == 0, unsafe chmod(making, Self.mode) == 0, unsafe lstat(making, &status) == 0
        else {
            throw Self.failure(path, closing: descriptor, removing: making)
        }
        device = status.st_dev
        inode = status.st_ino
        if let reason = Self.give(making, to: group) { report(.withoutGroup(group, reason: reason)) }
        guard listen(descriptor, Self.backlog) == 0, unsafe rename(making, path) == 0 else {
            throw Self.failure(path, closing: descriptor, removing: making)
        }
    }

    /// Removes the file, unless another server's is there by now.
    func remove() {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        unsafe unlink(path)
    }

    /// Refuses a place at which something is that must stay.
    private static func checkPlace(_ path: String) throws(ControlServerFailure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ControlServerFailure(.notASocket, path: path, "there is something that is no socket: move it away")
        }
        let probe = Glibc.socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0, var address = UnixAddress(path) else {
            let code = errno
            throw ControlServerFailure(.noResources(code: code), path: path, "no socket: \(errorText(code))")
        }
        defer { close(probe) }
        guard address.connect(probe) == 0 else {
            // Nobody listens: a file that a dead server left.
            if errno == ECONNREFUSED || errno == ENOENT { return }
            // Its queue is full, or it speaks datagrams: alive.
            if errno == EAGAIN || errno == EPROTOTYPE { throw isTaken(path) }
            let code = errno
            throw ControlServerFailure(
                .cannotBind(code: code), path: path, "there is a socket that cannot be asked: \(errorText(code))")
        }
        throw isTaken(path)
    }

    private static func isTaken(_ path: String) -> ControlServerFailure {
        ControlServerFailure(.isTaken, path: path, "another boardd answers there: stop it first")
    }

    private static func failure(
        _ path: String, closing descriptor: Int32, removing making: String
    ) -> ControlServerFailure {
        let code = errno
        close(descriptor)
        unsafe unlink(making)
        return ControlServerFailure(
            .cannotBind(code: code), path: path, "cannot be made (\(errorText(code))): look at its folder")
    }

    /// Gives a file to a group.
    ///
    /// - Returns: why not; nil when it is given.
    private static func give(_ file: String, to group: String) -> String? {
        var entry = unsafe Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        // A group with some hundred members is longer than this; then the daemon says so.
        var buffer = [CChar](repeating: 0, count: 65_536)
        let code = unsafe getgrnam_r(group, &entry, &buffer, buffer.count, &found)
        guard code == 0 else { return errorText(code) }
        guard unsafe found != nil else { return "there is no such group" }
        guard unsafe chown(file, uid_t.max, entry.gr_gid) == 0 else { return errorText(errno) }
        return nil
    }
}
