public import Glibc

/// Opens files by paths in which other users may have put symbolic links.
///
/// The daemon's user may write in /etc/boardd, /var/lib/boardd and /run/boardd. A link there is that user's choice of a
/// file, and a command that root runs must neither print that file nor write to it. The kernel alone guards
/// world-writable sticky folders (fs.protected_symlinks, proc_sys_fs(5)); this type guards every folder on the way, link by
/// link, with open descriptors, so that nothing can be exchanged between the check and the opening.
///
/// Hard links need no check: the kernel makes none to a file that its maker may not write (fs.protected_hardlinks).
public enum GuardedPath {
    /// As many as the kernel follows (path_resolution(7)).
    public static let maximumLinks = 40

    /// Whether this process follows a link: one of its own user or of root; for an ordinary user also one of the owner of
    /// the folder. Root does not take that owner's word.
    public static func mayFollow(linkOf owner: uid_t, inFolderOf folderOwner: uid_t) -> Bool {
        let user = geteuid()
        return owner == user || owner == 0 || (user != 0 && owner == folderOwner)
    }

    /// Opens what is there as open(2) does, with O_CLOEXEC; it makes no file.
    ///
    /// - Parameters:
    ///   - path: the file, or a folder with `O_DIRECTORY`.
    ///   - flags: those of open(2).
    /// - Returns: a descriptor, which the caller closes.
    public static func open(_ path: String, _ flags: Int32) throws(FileAccessFailure) -> Int32 {
        var walk = try Walk.begin(path)
        while true {
            if let descriptor = try walk.step(flags) { return descriptor }
        }
    }

    /// Opens a regular file to read it. What is a pipe, a socket or a device is not opened at all: opening alone may wait,
    /// or do something.
    ///
    /// - Returns: a descriptor, which the caller closes, and the file's status.
    public static func openFile(_ path: String) throws(FileAccessFailure) -> (descriptor: Int32, status: stat) {
        var status = stat()
        // This opens nothing but the name.
        let name = try open(path, nameOnly)
        let isSeen = unsafe fstat(name, &status) == 0
        let number = errno
        close(name)
        guard isSeen else { throw FileAccessFailure(errno: number) }
        if let kind = FileAccessFailure.Kind(mode: status.st_mode) { throw FileAccessFailure(kind) }
        // Not blocking: another file may be there by now.
        let descriptor = try open(path, O_RDONLY | O_NONBLOCK)
        guard unsafe fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw FileAccessFailure(errno: number)
        }
        if let kind = FileAccessFailure.Kind(mode: status.st_mode) {
            close(descriptor)
            throw FileAccessFailure(kind)
        }
        return (descriptor, status)
    }

    /// The path of a folder without links, for a library that opens files by their paths.
    public static func resolvedFolder(_ path: String) throws(FileAccessFailure) -> String {
        var walk = try Walk.begin(path)
        while true {
            guard let descriptor = try walk.step(nameOnly | O_DIRECTORY) else { continue }
            close(descriptor)
            return walk.resolved
        }
    }
}

/// Opens the name of a file and not the file (open(2)): O_PATH of <asm-generic/fcntl.h>, which glibc hides from Swift.
private let nameOnly: Int32 = 0o10000000

/// A path on its way to an open file, name by name.
private struct Walk: ~Copyable {
    /// The folder that is reached.
    private var folder: Int32
    /// The path of that folder without links.
    private var way: String
    /// The names that are left, the next one at the end.
    private var names: [Substring]
    /// Where the last name led.
    private(set) var resolved = ""
    private var links = 0

    private init(folder: Int32, way: String, names: [Substring]) {
        self.folder = folder
        self.way = way
        self.names = names.isEmpty ? ["."] : names
    }

    /// The start of a path. No initialiser that throws: Swift 6.2.3 crashes on one of a type with a `deinit`.
    static func begin(_ path: String) throws(FileAccessFailure) -> Walk {
        // An empty path names nothing (path_resolution(7)); "/" is the root itself.
        guard !path.isEmpty else { throw FileAccessFailure(errno: ENOENT) }
        let isAbsolute = path.hasPrefix("/")
        return Walk(folder: try start(isAbsolute), way: isAbsolute ? "" : ".", names: names(path))
    }

    deinit {
        close(folder)
    }

    private static func start(_ isAbsolute: Bool) throws(FileAccessFailure) -> Int32 {
        let descriptor = unsafe Glibc.open(isAbsolute ? "/" : ".", nameOnly | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileAccessFailure(errno: errno) }
        return descriptor
    }

    private static func names(_ path: some StringProtocol) -> [Substring] {
        path.split(separator: "/").map { Substring($0) }.reversed()
    }

    /// Takes the next name.
    ///
    /// - Returns: the descriptor where it was the last one; nil: there are more.
    mutating func step(_ flags: Int32) throws(FileAccessFailure) -> Int32? {
        guard let name = names.popLast() else { throw FileAccessFailure(errno: ENOENT) }
        let isLast = names.isEmpty
        // The name, whatever it is: a link is opened as itself.
        let descriptor = unsafe openat(folder, String(name), nameOnly | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileAccessFailure(errno: errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw FileAccessFailure(errno: number)
        }
        if status.st_mode & S_IFMT == S_IFLNK {
            defer { close(descriptor) }
            try follow(descriptor, status, name)
            return nil
        }
        let place = "\(way)/\(name)"
        guard isLast else {
            close(folder)
            folder = descriptor
            if name != "." { way = place }
            return nil
        }
        close(descriptor)
        resolved = name == "." ? (way.isEmpty ? "/" : way) : place
        let opened = unsafe openat(folder, String(name), flags | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw FileAccessFailure(errno: errno) }
        return opened
    }

    /// Puts what a link names in its place, if it may be followed.
    private mutating func follow(
        _ link: Int32, _ status: stat, _ name: Substring
    ) throws(FileAccessFailure) {
        var owner = stat()
        guard unsafe fstat(folder, &owner) == 0 else { throw FileAccessFailure(errno: errno) }
        guard GuardedPath.mayFollow(linkOf: status.st_uid, inFolderOf: owner.st_uid) else {
            throw FileAccessFailure(.foreignLink("\(way)/\(name)"))
        }
        links += 1
        guard links <= GuardedPath.maximumLinks else { throw FileAccessFailure(errno: ELOOP) }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(link, "", &buffer, buffer.count)
        guard count > 0 else { throw FileAccessFailure(errno: count < 0 ? errno : ENOENT) }
        let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        if target.hasPrefix("/") {
            let root = try Self.start(true)
            close(folder)
            folder = root
            way = ""
        }
        names += Self.names(target)
        if names.isEmpty { names = ["."] }
    }
}
