internal import BoardCore
internal import BoardIO
internal import Glibc

/// Where the files of a folder are: one live file a feed, and what is made beside it.
struct DirectoryFiles: Hashable, Sendable {
    /// What distinguishes a file from the one that replaced it.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let node: UInt64
        let seconds: Int
        let nanoseconds: Int
        let bytes: Int
    }

    private static let beginning = "stops-"
    private static let ending = ".sqlite"

    /// The folder's path.
    let folder: String

    /// The file that is read.
    func live(_ feed: FeedName) -> String { "\(folder)/\(Self.beginning)\(Self.escaped(feed))\(Self.ending)" }

    /// The file that takes the stops of an update, page by page.
    func building(_ feed: FeedName) -> String { live(feed) + ".building" }

    /// The file that is made of a whole update, and renamed over the live one.
    func fresh(_ feed: FeedName) -> String { live(feed) + ".new" }

    /// Where a damaged file goes.
    func corrupt(_ feed: FeedName) -> String { live(feed) + ".corrupt" }

    /// The feeds that have a live file, by name.
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
            return Self.plain(name.dropFirst(Self.beginning.count).dropLast(Self.ending.count))
        }
        return feeds.sorted().map { FeedName($0) }
    }

    /// Which file stands at a path; nil when there is none.
    static func identity(_ path: String) throws(DirectoryFailure) -> Identity? {
        var status = stat()
        // A link is none of these files: boardd makes none.
        guard unsafe lstat(path, &status) == 0 else {
            // Of a name that is too long for a file there is none.
            if errno == ENOENT || errno == ENAMETOOLONG { return nil }
            throw .reading(errno: errno, file: path)
        }
        // A pipe would hold whoever opens it.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw DirectoryFailure(.corrupt("it is no regular file"), file: path)
        }
        return Identity(
            device: UInt64(status.st_dev), node: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec, bytes: Int(status.st_size))
    }

    /// A feed's name as file names may have it: "gtfs.lametro" as it is, a slash as %2F.
    private static func escaped(_ feed: FeedName) -> String {
        var text = ""
        for byte in feed.description.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    private static func plain(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
