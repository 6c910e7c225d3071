internal import BoardCore
internal import Glibc

/// The archive that is kept of a city: `NAME.zip` with `NAME.zip.origin` beside it, the next one as `NAME.zip.part` while
/// it comes, and `NAME.zip.bad`, which ended the program when it was read. Calls block; the live files are replaced in one step and never written in place.
struct ArchiveStore: Sendable {
    /// A file at a moment: another one has other numbers.
    struct FileIdentity: Hashable, Sendable {
        let inode: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64
    }

    /// Everybody may read it: people search stops as themselves.
    private static let mode: mode_t = 0o644

    let folder: String
    /// Where it is noted that an archive is being read.
    let runtimeFolder: String
    /// `gtfs.lametro`.
    let name: String

    /// The archive.
    var path: String { "\(folder)/\(name).zip" }
    /// The one that is to take its place.
    var part: String { "\(path).part" }
    /// One that was set aside.
    var bad: String { "\(path).bad" }
    private var originPath: String { "\(path).origin" }

    /// What the file at `path` is now; nil: there is none.
    static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileIdentity(
            inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: Int64(status.st_mtim.tv_sec),
            nanoseconds: Int64(status.st_mtim.tv_nsec))
    }

    /// Where the archive came from; nil: there is none, or nobody knows.
    var origin: ArchiveOrigin? {
        guard Self.identity(of: path) != nil, let bytes = try? RecordingFiles.read(originPath, limit: 16_384) else {
            return nil
        }
        return ArchiveOrigin(String(decoding: bytes, as: UTF8.self))
    }

    /// Says anew where the archive came from. Only whoever holds the lock does so.
    func note(_ origin: ArchiveOrigin) throws(ArchiveStoreFailure) {
        do throws(RecordingFailure) {
            try RecordingFiles.write(Array(origin.text.utf8), to: originPath, mode: Self.mode)
        } catch {
            throw ArchiveStoreFailure(originPath, of: name)
        }
    }

    /// What notes that an archive is being read, of the one that is to come another than of the others.
    func mark(of archive: String) -> CrashMarker {
        CrashMarker(path: "\(runtimeFolder)/\(name)\(archive == part ? ".part" : "").reading")
    }

    /// Takes the archive out of use, for people to look at.
    func setAside() throws(ArchiveStoreFailure) {
        guard unsafe rename(path, bad) == 0 else { throw ArchiveStoreFailure(bad, of: name) }
        _ = unsafe unlink(originPath)
    }

    /// Begins the next archive; nil: somebody else does so just now.
    func begin() throws(ArchiveStoreFailure) -> PartFile? {
        try PartFile.make(part, mode: Self.mode, feed: name)
    }

    /// Puts the next archive in the old one's place. An end in between leaves the new one with the old one's origin: it is
    /// asked for once more.
    func commit(_ file: PartFile, from origin: ArchiveOrigin) throws(ArchiveStoreFailure) {
        try file.move(path)
        try note(origin)
    }
}
