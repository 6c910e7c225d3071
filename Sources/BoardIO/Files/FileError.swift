import Glibc

/// Why a file could not be opened, read, locked or replaced.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// A system call failed with this `errno`.
        case system(Int32)
        /// The path has a symbolic link that another user created.
        case foreignLink(String)
        /// The file is not a regular file; contains the word for its type.
        case notAFile(String)
        /// The file belongs to another user, in a sticky folder: this user may write there, but not replace it.
        case foreignFile
        /// A recording, or a file like one, cannot be read or written; always with a sentence.
        case recording
    }

    public let kind: Kind
    private let sentence: String?

    /// - Parameter sentence: what happened, where and what to do; nil: the end of a sentence, by the kind.
    public init(_ kind: Kind, _ sentence: String? = nil) {
        self.kind = kind
        self.sentence = sentence
    }

    public init(errno number: Int32) {
        self.init(.system(number))
    }

    /// The `errno`; the closest one if no system call failed.
    public var number: Int32 {
        switch kind {
        case .system(let number): number
        case .foreignLink: ELOOP
        case .notAFile: EINVAL
        case .foreignFile: EPERM
        case .recording: EIO
        }
    }

    /// What is wrong and what to do: the end of a sentence that names the file, unless a sentence was given.
    public var description: String {
        if let sentence { return sentence }
        return switch kind {
        case .system(let number): errnoText(number)
        case .foreignLink(let link):
            "\(link) is a symbolic link owned by another user and is not followed: replace it with a regular file"
        case .notAFile(let word): "it is \(word): replace it with a regular file"
        case .foreignFile: errnoText(EPERM)
        case .recording: errnoText(EIO)
        }
    }
}

extension FileError.Kind {
    /// The failure for a file of this mode; nil for a regular one.
    init?(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFDIR: self = .system(EISDIR)
        case S_IFIFO: self = .notAFile("a named pipe")
        case S_IFSOCK: self = .notAFile("a socket")
        case S_IFCHR, S_IFBLK: self = .notAFile("a device")
        default: self = .notAFile("not a regular file")
        }
    }
}

/// The system's text for an error number, thread-safe (strerror(3) is not).
public func errnoText(_ number: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
