internal import BoardCore
internal import BoardIO
internal import Glibc

/// The paths of a folder's files: one live file per feed, and the files of its update.
struct DirectoryFiles: Hashable, Sendable {
    /// Distinguishes a file from its replacement.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let node: UInt64
        let seconds: Int
        let nanoseconds: Int
        let bytes: Int
    }

    private static let beginning = "stops-"
    private static let ending = ".sqlite"

    let folder: String

    /// The file for queries.
    func live(_ feed: FeedName) -> String {
        "\(folder)/\(Self.beginning)\(PercentEncoding.encoded(feed.description))\(Self.ending)"
    }

    /// The file that collects the stops of an update, page by page.
    func building(_ feed: FeedName) -> String { live(feed) + ".building" }

    /// The file that is built from a complete update and renamed over the live one.
    func fresh(_ feed: FeedName) -> String { live(feed) + ".new" }

    /// The path to which a damaged file is moved.
    func corrupt(_ feed: FeedName) -> String { live(feed) + ".corrupt" }

    /// The feeds that have a live file, sorted by name.
    func feeds() throws(DirectoryFailure) -> [FeedName] {
        let names: [String]
        do throws(FileAccessFailure) {
            names = try SmallFile.names(in: folder)
        } catch {
            throw .reading(error, file: folder)
        }
        let feeds = names.compactMap { name -> String? in
            guard name.hasPrefix(Self.beginning), name.hasSuffix(Self.ending),
                name.count > Self.beginning.count + Self.ending.count
            else { return nil }
            let text = name.dropFirst(Self.beginning.count).dropLast(Self.ending.count)
            return PercentEncoding.decoded(text).map { String(decoding: $0, as: UTF8.self) } ?? String(text)
        }
        return feeds.sorted().map { FeedName($0) }
    }

    /// The identity of the file at a path; nil when there is none.
    static func identity(_ path: String) throws(DirectoryFailure) -> Identity? {
        var status = stat()
        // boardd creates no links here: a link is not one of its files.
        guard unsafe lstat(path, &status) == 0 else {
            // A file whose name is too long cannot exist.
            if errno == ENOENT || errno == ENAMETOOLONG { return nil }
            throw .reading(errno: errno, file: path)
        }
        // Opening a pipe would block.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw DirectoryFailure(.corrupt("not a regular file"), file: path)
        }
        return Identity(
            device: UInt64(status.st_dev), node: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec, bytes: Int(status.st_size))
    }
}
