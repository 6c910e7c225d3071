internal import Glibc

/// Why a file was not opened or read.
public struct FileAccessFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: Hashable, Sendable {
        /// A system call failed with this `errno`.
        case system(Int32)
        /// There is a symbolic link on the way that another user made.
        case foreignLink(String)
        /// It is no regular file; the word for what it is.
        case notAFile(String)
    }

    /// What went wrong.
    public let kind: Kind

    /// A failure.
    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// A system call that failed with this `errno`.
    public init(errno number: Int32) {
        self.init(.system(number))
    }

    /// The `errno`; of what no system call refused, the one that comes nearest.
    public var number: Int32 {
        switch kind {
        case .system(let number): number
        case .foreignLink: ELOOP
        case .notAFile: EINVAL
        }
    }

    /// What is wrong and what to do, as the end of a sentence.
    public var description: String {
        switch kind {
        case .system(let number): errnoText(number)
        case .foreignLink(let link):
            "\(link) is a symbolic link that another user made, which is not followed: replace it by an ordinary file"
        case .notAFile(let word): "it is \(word): replace it by an ordinary file"
        }
    }
}

extension FileAccessFailure.Kind {
    /// What a file of this mode is; nil for a regular one.
    init?(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFDIR: self = .system(EISDIR)
        case S_IFIFO: self = .notAFile("a named pipe")
        case S_IFSOCK: self = .notAFile("a socket")
        case S_IFCHR, S_IFBLK: self = .notAFile("a device")
        default: self = .notAFile("no ordinary file")
        }
    }
}
