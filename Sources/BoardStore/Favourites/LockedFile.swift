import BoardIO
import Glibc

/// A file whose folder is locked (flock(2)): between reading and replacing it no other process that uses the lock changes
/// the file. The lock ends with the value or the process.
///
/// The lock is the folder's and not the file's, since the file is replaced by a new one.
struct LockedFile {
    private let path: String
    private let target: FilePath.Step
    private let folder: FileLock

    /// Waits for the lock, at most `timeout`. The file may be missing.
    init(_ path: String, timeout: Duration) throws(FileFailure) {
        self.path = path
        target = try FilePath(following: path).writable
        do throws(FileAccessFailure) {
            folder = try FileLock(GuardedPath.open(target.folder, O_RDONLY | O_DIRECTORY), timeout: timeout)
        } catch {
            throw FileFailure(error, file: path)
        }
    }

    /// The file's bytes, one more than `limit` of a larger one; nil when there is none.
    func read(limit: Int) throws(FileFailure) -> [UInt8]? {
        guard try status() != nil else { return nil }
        do throws(FileAccessFailure) {
            return try SmallFile.read(target.path, limit: limit).bytes
        } catch {
            throw FileFailure(error, file: path)
        }
    }

    /// Replaces the file atomically and durably, with the old file's owner and mode; without an old one, with the folder's
    /// owner and `mode`. After a failure the old file is unchanged.
    func replace(with bytes: [UInt8], mode: mode_t = 0o644) throws(FileFailure) {
        let old = try status()
        removeLeftovers()
        do throws(FileAccessFailure) {
            var parent = stat()
            guard unsafe fstat(folder.descriptor, &parent) == 0 else { throw FileAccessFailure(errno: errno) }
            // Random, since a leftover of another user might not be removable.
            try AtomicFile.write(
                bytes.span, to: target.name, through: "\(temporaryPrefix)\(UInt32.random(in: .min ... .max))",
                in: folder.descriptor, mode: old.map { $0.st_mode & 0o777 } ?? mode, owner: old ?? parent,
                isDurable: true)
        } catch {
            throw FileFailure(error, file: path)
        }
    }

    /// The file's status; nil when there is none.
    private func status() throws(FileFailure) -> stat? {
        var status = stat()
        guard unsafe fstatat(folder.descriptor, target.name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw FileFailure(errno: errno, file: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileFailure(.notAFile, file: path) }
        return status
    }

    /// The prefix of temporary names: hidden, and never read as configuration.
    private var temporaryPrefix: String { ".\(target.name).new-" }

    /// Removes files of killed writers: only the holder of the lock writes.
    private func removeLeftovers() {
        for name in (try? SmallFile.names(in: target.folder)) ?? [] where name.hasPrefix(temporaryPrefix) {
            unsafe unlinkat(folder.descriptor, name, 0)
        }
    }
}

extension FileFailure {
    init(_ failure: FileAccessFailure, file: String) {
        switch failure.kind {
        case .system(let number): self.init(errno: number, file: file)
        case .foreignLink: self.init(.foreignLink, file: file)
        case .notAFile: self.init(.notAFile, file: file)
        case .foreignFile: self.init(.notOwner, file: file)
        }
    }

    init(errno number: Int32, file: String) {
        let kind: Kind =
            switch number {
            case EWOULDBLOCK: .busy
            case EACCES, EPERM: .notPermitted
            case EROFS: .readOnly
            case ENOSPC, EDQUOT: .noSpace
            case ENOENT, ENOTDIR: .noFolder
            default: .system(number)
            }
        self.init(kind, file: file)
    }
}

/// The folder and name of a file after following symbolic links, whether or not the file exists.
public struct FilePath: Hashable, Sendable {
    public struct Step: Hashable, Sendable {
        public let folder: String
        public let name: String

        init(_ path: String) {
            let end = path.lastIndex(of: "/")
            let folder = end.map { path[..<$0] } ?? "."
            self.folder = folder.isEmpty ? "/" : String(folder)
            name = String(path[(end.map(path.index(after:)) ?? path.startIndex)...])
        }

        public var path: String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }
    }

    /// The path itself, then the target of each link; the last is not a link, unless there are more than the kernel follows.
    public let steps: [Step]

    public init(following path: String) {
        var steps = [Step(path)]
        while steps.count <= GuardedPath.maximumLinks, let last = steps.last, let target = Self.target(of: last.path) {
            steps.append(Step(target.hasPrefix("/") ? target : "\(last.folder)/\(target)"))
        }
        self.steps = steps
    }

    /// The target of a link; nil where there is none.
    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// The file at the end of the links, if they may be followed for writing (``GuardedPath``): the daemon may create files
    /// in /etc/boardd, but must not choose which file root writes.
    var writable: Step {
        get throws(FileFailure) {
            for step in steps.dropLast() {
                var link = stat()
                var folder = stat()
                guard unsafe lstat(step.path, &link) == 0, unsafe stat(step.folder, &folder) == 0 else {
                    throw FileFailure(errno: errno, file: step.path)
                }
                guard GuardedPath.mayFollow(linkOf: link.st_uid, inFolderOf: folder.st_uid) else {
                    throw FileFailure(.foreignLink, file: step.path)
                }
            }
            guard let last = steps.last, steps.count <= GuardedPath.maximumLinks else {
                throw FileFailure(.system(ELOOP), file: steps.first?.path ?? "")
            }
            return last
        }
    }
}
