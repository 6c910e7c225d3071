internal import BoardCore
internal import BoardIO
internal import Glibc

/// A failure to store an archive: the file, the system's error and advice.
struct ArchiveStoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
    let path: String
    /// The system's `errno`.
    let code: Int32
    /// The name of the feed.
    let feed: String

    init(_ path: String, of feed: String, code: Int32 = errno) {
        self.code = code
        self.path = path
        self.feed = feed
    }

    var description: String {
        "\(path): cannot be written: \(errnoText(code)). \(advice)"
    }

    private var advice: String {
        let update = "sudo boardd stops update \(feed)"
        return switch code {
        case ENOSPC, EDQUOT: "Free disk space there, then: \(update)"
        case EACCES, EPERM: "Run it as a user with write permission: \(update)"
        case ENOENT: "There is no such folder: sudo systemctl start boardd makes it"
        default: "Fix that, then: \(update)"
        }
    }
}
