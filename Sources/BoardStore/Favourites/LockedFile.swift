internal import BoardIO
internal import Glibc

/// A file whose folder is locked (flock(2)): between reading and replacing it no other process that uses the lock changes
/// the file. The lock ends with the value or the process.
///
/// The lock is the folder's and not the file's, since the file is replaced by a new one.
struct LockedFile: ~Copyable {
    /// The pause between attempts; flock(2) has no timeout.
    private static let pause = Duration.milliseconds(20)

    private let path: String
    private let target: FilePath.Step
    private let folder: Int32

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - path: the file, which may be missing.
    ///   - timeout: the maximum wait.
    init(_ path: String, timeout: Duration) throws(FileFailure) {
        let target = try FilePath(following: path).writable
        let folder: Int32
        do throws(FileAccessFailure) {
            folder = try GuardedPath.open(target.folder, O_RDONLY | O_DIRECTORY)
        } catch {
            throw FileFailure(error, file: path)
        }
        let end = ContinuousClock.now + timeout
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            guard number == EWOULDBLOCK, ContinuousClock.now < end else {
                close(folder)
                throw number == EWOULDBLOCK
                    ? FileFailure(.busy, file: path) : FileFailure(errno: number, file: path)
            }
            usleep(UInt32(Self.pause / .microseconds(1)))
        }
        self.path = path
        self.target = target
        self.folder = folder
    }

    deinit {
        close(folder)
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

    /// Replaces the file atomically and durably, with the old file's owner and mode. After a failure the old file is
    /// unchanged.
    func replace(with bytes: [UInt8]) throws(FileFailure) {
        let old = try status()
        removeLeftovers()
        // Random, since a leftover of another user might not be removable.
        let name = "\(temporaryPrefix)\(UInt32.random(in: .min ... .max))"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe openat(folder, name, flags, 0o600)
        guard descriptor >= 0 else { throw FileFailure(errno: errno, file: path) }
        do throws(FileFailure) {
            defer { close(descriptor) }
            try copyOwner(of: old, to: descriptor)
            try write(bytes, to: descriptor)
        } catch {
            unsafe unlinkat(folder, name, 0)
            throw error
        }
        guard unsafe renameat(folder, name, folder, target.name) == 0 else {
            let number = errno
            unsafe unlinkat(folder, name, 0)
            throw FileFailure(errno: number, file: path, isRenaming: true)
        }
        // The new file is in place. Should this fail, a power cut could bring back the old one, complete.
        fsync(folder)
    }
}

// MARK: - Steps

extension LockedFile {
    /// The file's status; nil when there is none.
    private func status() throws(FileFailure) -> stat? {
        var status = stat()
        guard unsafe fstatat(folder, target.name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw FileFailure(errno: errno, file: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileFailure(.notAFile, file: path) }
        return status
    }

    /// Gives the new file the old one's owner and mode; without an old one, the folder's owner and mode 0644.
    private func copyOwner(of old: stat?, to descriptor: Int32) throws(FileFailure) {
        var model = stat()
        var own = stat()
        guard unsafe fstat(folder, &model) == 0, unsafe fstat(descriptor, &own) == 0 else {
            throw FileFailure(errno: errno, file: path)
        }
        if let old { model = old }
        if own.st_uid != model.st_uid || own.st_gid != model.st_gid {
            // Only root may change the owner; other users may only keep the group, if they are its members.
            if fchown(descriptor, model.st_uid, model.st_gid) != 0 { _ = fchown(descriptor, own.st_uid, model.st_gid) }
        }
        let mode = old.map { $0.st_mode & 0o777 } ?? 0o644
        guard fchmod(descriptor, mode) == 0 else { throw FileFailure(errno: errno, file: path) }
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileFailure) {
        let number = writeAll(bytes.span, to: descriptor)
        guard number == 0 else { throw FileFailure(errno: number, file: path) }
        guard fsync(descriptor) == 0 else { throw FileFailure(errno: errno, file: path) }
    }

    /// The prefix of temporary names: hidden, and never read as configuration.
    private var temporaryPrefix: String { ".\(target.name).new-" }

    /// Removes files of killed writers: only the holder of the lock writes.
    private func removeLeftovers() {
        guard let stream = unsafe opendir(target.folder) else { return }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(temporaryPrefix) { unsafe unlinkat(folder, name, 0) }
        }
    }
}

extension FileFailure {
    /// The failure for a file that cannot be opened or read.
    init(_ failure: FileAccessFailure, file: String) {
        switch failure.kind {
        case .system(let number): self.init(errno: number, file: file)
        case .foreignLink: self.init(.foreignLink, file: file)
        case .notAFile: self.init(.notAFile, file: file)
        }
    }

    /// The failure for an `errno`.
    ///
    /// - Parameter isRenaming: whether rename(2) failed, which a sticky folder denies to users other than the owner.
    init(errno number: Int32, file: String, isRenaming: Bool = false) {
        let kind: Kind =
            switch number {
            case EPERM where isRenaming: .notOwner
            case EACCES, EPERM: .notPermitted
            case EROFS: .readOnly
            case ENOSPC, EDQUOT: .noSpace
            case ENOENT, ENOTDIR: .noFolder
            default: .system(number)
            }
        self.init(kind, file: file)
    }
}
