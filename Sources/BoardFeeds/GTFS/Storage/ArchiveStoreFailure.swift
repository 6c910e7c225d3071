internal import BoardCore
internal import Glibc

/// Why an archive cannot be kept: which file, what the system says, what to do.
struct ArchiveStoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What could not be written.
    let path: String
    /// The system's `errno`.
    let code: Int32
    /// Whose archive it is.
    let feed: String

    /// - Parameter code: what the system says; where it is not given, what it says now.
    init(_ path: String, of feed: String, code: Int32 = errno) {
        self.code = code
        self.path = path
        self.feed = feed
    }

    /// The file, the reason and the advice.
    var description: String {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return "\(path): cannot be written: \(reason). \(advice)"
    }

    private var advice: String {
        let update = "sudo boardd stops update \(feed)"
        return switch code {
        case ENOSPC, EDQUOT: "Make room there, then: \(update)"
        case EACCES, EPERM: "Ask as somebody who may write there: \(update)"
        case ENOENT: "There is no such folder: sudo systemctl start boardd makes it"
        default: "Mend that, then: \(update)"
        }
    }
}
