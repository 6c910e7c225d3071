import BoardIO
import Glibc

/// A file whose folder is locked (flock(2)): between reading and replacing it, no other process that uses the lock
/// changes it. The lock ends with the value or the process.
///
/// The lock is on the folder, not the file, since a new file replaces the old one.
struct LockedFile {
    private let path: String
    private let target: FilePath.Step
    private let folder: FileLock

    /// Waits for the lock, at most `timeout`. The file may be missing.
    init(_ path: String, timeout: Duration) throws(FileError) {
        self.path = path
        target = try FilePath(following: path).writable
        do throws(FileError) {
            folder = try FileLock(GuardedPath.open(target.folder, O_RDONLY | O_DIRECTORY), timeout: timeout)
        } catch {
            throw FileError(replacing: path, error)
        }
    }

    /// The file's bytes, or `limit` + 1 of a larger one; nil if there is none.
    func read(limit: Int) throws(FileError) -> [UInt8]? {
        guard try status() != nil else { return nil }
        do throws(FileError) {
            return try SmallFile.read(target.path, limit: limit).bytes
        } catch {
            throw FileError(replacing: path, error)
        }
    }

    /// Replaces the file atomically and durably, with the old file's owner and mode; without an old one, with the
    /// folder's owner and `mode`. After a failure the old file is unchanged.
    func replace(with bytes: [UInt8], mode: mode_t = 0o644) throws(FileError) {
        let old = try status()
        removeLeftovers()
        do throws(FileError) {
            var parent = stat()
            guard unsafe fstat(folder.descriptor, &parent) == 0 else { throw FileError(errno: errno) }
            // Random, since a leftover of another user might not be removable.
            try AtomicFile.write(
                bytes.span, to: target.name, through: "\(temporaryPrefix)\(UInt32.random(in: .min ... .max))",
                in: folder.descriptor, mode: old.map { $0.st_mode & 0o777 } ?? mode, owner: old ?? parent,
                isDurable: true)
        } catch {
            throw FileError(replacing: path, error)
        }
    }

    /// The file's status; nil if there is none.
    private func status() throws(FileError) -> stat? {
        var status = stat()
        guard unsafe fstatat(folder.descriptor, target.name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw FileError(replacing: path, errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError(replacing: path, FileError(.notAFile("not a regular file")))
        }
        return status
    }

    /// The prefix of temporary names: hidden, and never read as configuration.
    private var temporaryPrefix: String { ".\(target.name).new-" }

    /// Removes what killed writers left: only the holder of the lock writes.
    private func removeLeftovers() {
        for name in (try? SmallFile.names(in: target.folder)) ?? [] where name.hasPrefix(temporaryPrefix) {
            unsafe unlinkat(folder.descriptor, name, 0)
        }
    }
}

extension FileError {
    /// The failure to replace a file, which is unchanged.
    init(replacing file: String, _ error: FileError) {
        let sentence =
            switch error.kind {
            case .system(EWOULDBLOCK): "\(file): locked by another process; try again"
            case .system(EACCES), .system(EPERM):
                "\(file): permission denied; use sudo, or join the group boardd-control"
            case .system(EROFS): "\(file) is on a read-only file system: make it writable (sudo mount -o remount,rw …)"
            case .system(ENOSPC), .system(EDQUOT):
                "\(file): the disk is full; the file is unchanged. Free some space and try again"
            case .system(ENOENT), .system(ENOTDIR): "\(file): no such folder; create it first"
            case .foreignLink:
                "\(file) is a symbolic link owned by another user and is not followed: replace it with a regular file"
            case .notAFile: "\(file) is not a regular file and is not replaced"
            case .foreignFile:
                "\(file) is owned by another user in a sticky folder: use sudo, or give it to the daemon "
                    + "(sudo chown boardd \(file))"
            case .system, .recording: "\(file) cannot be written: \(errnoText(error.number)); the file is unchanged"
            }
        self.init(error.kind, sentence)
    }

    init(replacing file: String, errno number: Int32) { self.init(replacing: file, FileError(errno: number)) }
}

extension FilePath {
    /// The file at the end of the links, if they may be followed for writing (``GuardedPath``): the daemon may create
    /// files in /etc/boardd, but must not choose which file root writes.
    var writable: Step {
        get throws(FileError) {
            for step in steps.dropLast() {
                var link = stat()
                var folder = stat()
                guard unsafe lstat(step.path, &link) == 0, unsafe stat(step.folder, &folder) == 0 else {
                    throw FileError(replacing: step.path, errno: errno)
                }
                guard GuardedPath.mayFollow(linkOf: link.st_uid, inFolderOf: folder.st_uid) else {
                    throw FileError(replacing: step.path, FileError(.foreignLink(step.path)))
                }
            }
            guard let last = steps.last, steps.count <= GuardedPath.maximumLinks else {
                throw FileError(replacing: steps.first?.path ?? "", errno: ELOOP)
            }
            return last
        }
    }
}
