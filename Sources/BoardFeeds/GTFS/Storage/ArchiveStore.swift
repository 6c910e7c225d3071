import BoardCore
import BoardIO
import Glibc

/// The stored archive of a feed: `NAME.zip` with `NAME.zip.origin`; `NAME.zip.part` is a download in progress, and
/// `NAME.zip.bad` an archive that crashed boardd. Calls block. Files are replaced atomically, never written in place.
struct ArchiveStore: Sendable {
    /// World-readable, since `boardd stops` may run as any user.
    private static let mode: mode_t = 0o644

    let folder: String
    let runtimeFolder: String
    /// Such as `gtfs.lametro`.
    let name: String

    var path: String { "\(folder)/\(name).zip" }
    var part: String { "\(path).part" }
    var bad: String { "\(path).bad" }
    private var originPath: String { "\(path).origin" }

    /// The identity of the file now at `path`; nil if there is no regular file.
    static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileIdentity(status)
    }

    var origin: ArchiveOrigin? {
        guard Self.identity(of: path) != nil, let file = try? SmallFile.read(originPath, limit: 16_384) else {
            return nil
        }
        return ArchiveOrigin(file.text)
    }

    /// Replaces the origin. The caller must hold the lock.
    func setOrigin(_ origin: ArchiveOrigin) throws {
        do throws(FileError) {
            try AtomicFile.write(
                Array(origin.text.utf8).span, to: originPath, through: "\(originPath).part", mode: Self.mode)
        } catch {
            throw PlainError(archive: originPath, of: name, code: error.number)
        }
    }

    /// The crash marker of an archive: one for downloads in progress, one for the others.
    func crashMarker(of archive: String) -> CrashMarker {
        CrashMarker(path: "\(runtimeFolder)/\(name)\(archive == part ? ".part" : "").reading")
    }

    /// Renames the archive to `NAME.zip.bad`, for inspection.
    func setAside() throws {
        guard unsafe rename(path, bad) == 0 else { throw PlainError(archive: bad, of: name) }
        _ = unsafe unlink(originPath)
    }

    /// Begins a download; nil if another process is downloading.
    func begin() throws -> PartFile? { try PartFile(part, mode: Self.mode, feed: name) }

    /// Replaces the archive. A crash in between leaves the new archive with the old origin: it is downloaded once more.
    func commit(_ file: PartFile, from origin: ArchiveOrigin) throws {
        try file.move(to: path)
        try setOrigin(origin)
    }
}

extension PlainError {
    /// The archive of a feed cannot be written.
    init(archive path: String, of feed: String, code: Int32 = errno) {
        let update = "sudo boardd stops update \(feed)"
        let advice =
            switch code {
            case ENOSPC, EDQUOT: "Free disk space there, then: \(update)"
            case EACCES, EPERM: "Run it as a user with write permission: \(update)"
            case ENOENT: "There is no such folder: sudo systemctl start boardd makes it"
            default: "Fix that, then: \(update)"
            }
        self.init("\(path): cannot be written: \(errnoText(code)). \(advice)")
    }
}

/// A stored archive's URL and the validators of conditional requests: stored next to it as lines of text.
struct ArchiveOrigin: Hashable, Sendable {
    /// The URL without API keys.
    var url: String
    var etag: String?
    var lastModified: String?
    var checkedAt: Timestamp
    /// The start of the operator's next archive, which was found and postponed until then; nil if none.
    var next: Timestamp?
}

extension ArchiveOrigin {
    init?(_ text: String) {
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let blank = line.firstIndex(of: " ") else { return nil }
            values[String(line[..<blank])] = String(line[line.index(after: blank)...])
        }
        guard let url = values["url"], let checkedAt = values["checked"].flatMap({ Int64($0) }) else { return nil }
        self.init(
            url: url, etag: values["etag"], lastModified: values["last-modified"],
            checkedAt: Timestamp(seconds: checkedAt),
            next: values["next"].flatMap { Int64($0) }.map { Timestamp(seconds: $0) })
    }

    var text: String {
        var lines = ["url \(url)", "checked \(checkedAt.seconds)"]
        if let next { lines.append("next \(next.seconds)") }
        if let etag { lines.append("etag \(etag)") }
        if let lastModified { lines.append("last-modified \(lastModified)") }
        return lines.map { $0 + "\n" }.joined()
    }

    var conditions: [HTTPResponse.Header] {
        [etag.map { .init("If-None-Match", $0) }, lastModified.map { .init("If-Modified-Since", $0) }]
            .compactMap(\.self)
    }
}
