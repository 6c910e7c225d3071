internal import BoardCore
internal import BoardIO
internal import Glibc

/// The files of a folder: one live file per feed, and the files of its update.
struct DirectoryFiles: Hashable, Sendable {
    private static let beginning = "stops-"
    private static let ending = ".sqlite"
    /// All users may read the directory, whatever the umask.
    static let mode: mode_t = 0o644

    let folder: String

    /// The file for queries.
    func live(_ feed: FeedName) -> String {
        "\(folder)/\(Self.beginning)\(PercentEncoding.encoded(feed.description))\(Self.ending)"
    }

    /// The file that collects the stops of an update, page by page.
    func building(_ feed: FeedName) -> String { live(feed) + ".building" }

    /// The path to which a damaged file is moved.
    func corrupt(_ feed: FeedName) -> String { live(feed) + ".corrupt" }

    /// The feeds that have a live file, sorted by name; empty where there is no folder.
    func feeds() throws(DirectoryFailure) -> [FeedName] {
        let names: [String]
        do throws(FileAccessFailure) {
            names = try SmallFile.names(in: folder)
        } catch {
            if error.number == ENOENT { return [] }
            throw .reading(error, file: folder)
        }
        let feeds = names.compactMap { name -> String? in
            guard name.hasPrefix(Self.beginning), name.hasSuffix(Self.ending),
                name.count > Self.beginning.count + Self.ending.count
            else { return nil }
            let text = name.dropFirst(Self.beginning.count).dropLast(Self.ending.count)
            return PercentEncoding.decoded(text).map { String(decoding: $0, as: UTF8.self) } ?? String(text)
        }
        return feeds.filter { !$0.isEmpty }.sorted().map { FeedName($0) }
    }

    /// The identity of the file at a path; nil when there is none.
    static func identity(_ path: String) throws(DirectoryFailure) -> FileIdentity? {
        var status = stat()
        // boardd creates no links here: a link is not one of its files.
        guard unsafe lstat(path, &status) == 0 else {
            // A file whose name is too long cannot exist.
            if errno == ENOENT || errno == ENAMETOOLONG { return nil }
            throw .reading(FileAccessFailure(errno: errno), file: path)
        }
        // Opening a pipe would block.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw DirectoryFailure(.corrupt("not a regular file"), file: path)
        }
        return FileIdentity(status)
    }

    /// Builds a new file and replaces a feed's live one by it, durably. An error leaves the live file as it was, and no other.
    func replace(
        _ feed: FeedName, _ build: (String) throws(SQLiteFailure) -> Void
    ) throws(DirectoryFailure) {
        let (live, fresh) = (live(feed), live(feed) + ".new")
        func remove() {
            for path in [fresh, fresh + "-journal"] { unsafe unlink(path) }
        }
        // Left by a process that was killed at this point.
        remove()
        do throws(DirectoryFailure) {
            try DirectoryFailure.writing(fresh) { () throws(SQLiteFailure) in try build(fresh) }
            do throws(FileAccessFailure) {
                try AtomicFile.replace(live, with: fresh, mode: Self.mode, owner: owner)
            } catch {
                throw .writing(error, file: live)
            }
        } catch {
            remove()
            throw error
        }
    }

    /// The folder, whose owner owns the files: the daemon could not resume an update that root began otherwise.
    var owner: stat? {
        var status = stat()
        return unsafe stat(folder, &status) == 0 ? status : nil
    }
}
