public import Glibc

/// Opens files by paths in which other users may have created symbolic links.
///
/// The daemon's user may write in /etc/boardd, /var/lib/boardd and /run/boardd. A link there is that user's choice of a
/// file, and a command that root runs must neither print nor write that file. The kernel protects only world-writable
/// sticky folders (fs.protected_symlinks, proc_sys_fs(5)). This type checks every folder of the path, link by link,
/// with open descriptors, so that nothing can be exchanged between the check and the opening.
///
/// Hard links need no check: the kernel creates none to a file that the user may not write (fs.protected_hardlinks).
public enum GuardedPath {
    /// The kernel's limit (path_resolution(7)).
    public static let maximumLinks = 40

    /// Whether this process follows a link: its own user's or root's; for an ordinary user also one that belongs to the
    /// folder's owner. Root does not trust the folder's owner.
    public static func mayFollow(linkOf owner: uid_t, inFolderOf folderOwner: uid_t) -> Bool {
        let user = geteuid()
        return owner == user || owner == 0 || (user != 0 && owner == folderOwner)
    }

    /// Opens an existing file like open(2), with O_CLOEXEC.
    ///
    /// - Parameter path: the file, or a folder with `O_DIRECTORY`.
    /// - Returns: a descriptor, which the caller closes.
    public static func open(_ path: String, _ flags: Int32) throws(FileError) -> Int32 {
        var walk = try Walk.begin(path)
        while true {
            if let descriptor = try walk.step(flags) { return descriptor }
        }
    }

    /// Opens a regular file for reading. Pipes, sockets and devices are not opened at all: opening alone may block, or
    /// have an effect.
    ///
    /// - Returns: a descriptor, which the caller closes, and the file's status.
    public static func openFile(_ path: String) throws(FileError) -> (descriptor: Int32, status: stat) {
        var status = stat()
        // Opens only the name.
        let name = try open(path, nameOnly)
        let isRead = unsafe fstat(name, &status) == 0
        let number = errno
        close(name)
        guard isRead else { throw FileError(errno: number) }
        if let kind = FileError.Kind(mode: status.st_mode) { throw FileError(kind) }
        // Non-blocking: the file may have been replaced by now.
        let descriptor = try open(path, O_RDONLY | O_NONBLOCK)
        guard unsafe fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw FileError(errno: number)
        }
        if let kind = FileError.Kind(mode: status.st_mode) {
            close(descriptor)
            throw FileError(kind)
        }
        return (descriptor, status)
    }

    /// The path of a folder without links, for a library that opens files by path.
    public static func resolvedFolder(_ path: String) throws(FileError) -> String {
        var walk = try Walk.begin(path)
        while true {
            guard let descriptor = try walk.step(nameOnly | O_DIRECTORY) else { continue }
            close(descriptor)
            return walk.resolved
        }
    }
}

/// Opens a file's name and not the file (open(2)): O_PATH of <asm-generic/fcntl.h>, which glibc hides from Swift.
private let nameOnly: Int32 = 0o10000000

/// The resolution of a path, name by name.
private struct Walk: ~Copyable {
    private var folder: Int32
    /// The path of that folder without links.
    private var folderPath: String
    /// The remaining names, the next one at the end.
    private var names: [Substring]
    /// The path of the last name.
    private(set) var resolved = ""
    private var links = 0

    private init(folder: Int32, folderPath: String, names: [Substring]) {
        self.folder = folder
        self.folderPath = folderPath
        self.names = names.isEmpty ? ["."] : names
    }

    /// Starts a resolution. Not a throwing initialiser: Swift 6.2.3 crashes on one in a type with a `deinit`.
    static func begin(_ path: String) throws(FileError) -> Walk {
        // An empty path is an error (path_resolution(7)); "/" is the root itself.
        guard !path.isEmpty else { throw FileError(errno: ENOENT) }
        let isAbsolute = path.hasPrefix("/")
        return Walk(folder: try start(isAbsolute), folderPath: isAbsolute ? "" : ".", names: names(path))
    }

    deinit {
        close(folder)
    }

    private static func start(_ isAbsolute: Bool) throws(FileError) -> Int32 {
        let descriptor = unsafe Glibc.open(isAbsolute ? "/" : ".", nameOnly | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(errno: errno) }
        return descriptor
    }

    private static func names(_ path: some StringProtocol) -> [Substring] {
        path.split(separator: "/").map { Substring($0) }.reversed()
    }

    /// Resolves the next name.
    ///
    /// - Returns: the descriptor for the last name; nil: there are more.
    mutating func step(_ flags: Int32) throws(FileError) -> Int32? {
        guard let name = names.popLast() else { throw FileError(errno: ENOENT) }
        let isLast = names.isEmpty
        // The name itself: a link is not followed.
        let descriptor = unsafe openat(folder, String(name), nameOnly | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(errno: errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw FileError(errno: number)
        }
        if status.st_mode & S_IFMT == S_IFLNK {
            defer { close(descriptor) }
            try follow(descriptor, status, name)
            return nil
        }
        let path = "\(folderPath)/\(name)"
        guard isLast else {
            close(folder)
            folder = descriptor
            if name != "." { folderPath = path }
            return nil
        }
        close(descriptor)
        resolved = name == "." ? (folderPath.isEmpty ? "/" : folderPath) : path
        let opened = unsafe openat(folder, String(name), flags | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw FileError(errno: errno) }
        return opened
    }

    /// Replaces a link with its target, if it may be followed.
    private mutating func follow(_ link: Int32, _ status: stat, _ name: Substring) throws(FileError) {
        var owner = stat()
        guard unsafe fstat(folder, &owner) == 0 else { throw FileError(errno: errno) }
        guard GuardedPath.mayFollow(linkOf: status.st_uid, inFolderOf: owner.st_uid) else {
            throw FileError(.foreignLink("\(folderPath)/\(name)"))
        }
        links += 1
        guard links <= GuardedPath.maximumLinks else { throw FileError(errno: ELOOP) }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(link, "", &buffer, buffer.count)
        guard count > 0 else { throw FileError(errno: count < 0 ? errno : ENOENT) }
        let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        if target.hasPrefix("/") {
            let root = try Self.start(true)
            close(folder)
            folder = root
            folderPath = ""
        }
        names += Self.names(target)
        if names.isEmpty { names = ["."] }
    }
}

/// The folder and name of a file after following symbolic links, whether or not the file exists.
public struct FilePath: Hashable, Sendable {
    public struct Step: Hashable, Sendable {
        public let folder: String
        public let name: String

        public init(_ path: String) {
            let end = path.lastIndex(of: "/")
            let folder = end.map { path[..<$0] } ?? "."
            self.folder = folder.isEmpty ? "/" : String(folder)
            name = String(path[(end.map(path.index(after:)) ?? path.startIndex)...])
        }

        public var path: String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }
    }

    /// The path itself, then the target of each link; the last is not a link, unless there are too many to follow.
    public let steps: [Step]

    public init(following path: String) {
        var steps = [Step(path)]
        while steps.count <= GuardedPath.maximumLinks, let last = steps.last, let target = Self.target(of: last.path) {
            steps.append(Step(target.hasPrefix("/") ? target : "\(last.folder)/\(target)"))
        }
        self.steps = steps
    }

    /// The target of a link; nil if the path is not one.
    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
