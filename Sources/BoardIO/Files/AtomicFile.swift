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
    ///   - isDurable: whether the file must survive a loss of power: its content reaches the disk before its name does. Not
    ///     for a tmpfs, and not for a file that can be made again.
    public static func write(
        _ bytes: Span<UInt8>, to path: String, through new: String, in folder: Int32 = AT_FDCWD, mode: mode_t,
        owner: stat? = nil, isDurable: Bool = false
    ) throws(FileAccessFailure) {
        // Not opened again: it may be a link, or have another mode.
        _ = unsafe unlinkat(folder, new, 0)
        let descriptor = unsafe openat(folder, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileAccessFailure(errno: errno) }
        defer { _ = close(descriptor) }
        do throws(FileAccessFailure) {
            setMode(mode, owner: owner, of: descriptor)
            let number = writeAll(bytes, to: descriptor)
            guard number == 0, !isDurable || fsync(descriptor) == 0 else {
                throw FileAccessFailure(errno: number == 0 ? errno : number)
            }
            try rename(new, to: path, in: folder, isDurable: isDurable)
        } catch {
            unsafe unlinkat(folder, new, 0)
            throw error
        }
    }

    /// Synchronises a complete file, which another library wrote, and renames it over another durably.
    public static func replace(
        _ path: String, with new: String, mode: mode_t, owner: stat?
    ) throws(FileAccessFailure) {
        let descriptor = unsafe open(new, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw FileAccessFailure(errno: errno) }
        defer { _ = close(descriptor) }
        setMode(mode, owner: owner, of: descriptor)
        guard fsync(descriptor) == 0 else { throw FileAccessFailure(errno: errno) }
        try rename(new, to: path, isDurable: true)
    }

    /// Renames a file, over another where there is one.
    ///
    /// - Parameter isDurable: whether the new name reaches the disk before the call returns. Should that fail, a loss of power
    ///   could bring back the old file, complete.
    public static func rename(
        _ old: String, to path: String, in folder: Int32 = AT_FDCWD, isDurable: Bool = false
    ) throws(FileAccessFailure) {
        guard unsafe renameat(folder, old, folder, path) == 0 else {
            throw errno == EPERM ? FileAccessFailure(.foreignFile) : FileAccessFailure(errno: errno)
        }
        guard isDurable else { return }
        let parent = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        let descriptor = unsafe openat(folder, String(parent), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Sets the mode of an open file, and the owner and group of another, as far as this user and the file system allow.
    public static func setMode(_ mode: mode_t, owner: stat?, of descriptor: Int32) {
        // Only root may change the owner; other users may set a group of which they are members.
        if let owner, fchown(descriptor, owner.st_uid, owner.st_gid) != 0 {
            _ = fchown(descriptor, uid_t.max, owner.st_gid)
        }
        _ = fchmod(descriptor, mode)
    }
}
