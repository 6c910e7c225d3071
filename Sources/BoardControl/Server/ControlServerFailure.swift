/// Why there is no control socket.
public struct ControlServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a program can tell apart.
    public enum Kind: Hashable, Sendable {
        /// Another server answers on the path; it was left alone.
        case isTaken
        /// Something that is no socket is at the path; it was left alone.
        case notASocket
        /// The path is longer than a Unix socket's may be.
        case pathTooLong
        /// The socket cannot be made there (`errno`).
        case cannotBind(code: Int32)
        /// The system gives no thread, or too few descriptors.
        case noResources(code: Int32)
        /// The listening socket broke.
        case broken
    }

    /// What a program can tell apart.
    public let kind: Kind
    /// The path.
    public let path: String
    /// What was found and what to do, as the end of a sentence that begins with the path.
    private let reason: String

    init(_ kind: Kind, path: String, _ reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    /// The path, what was found there and what to do.
    public var description: String { "control socket \(path): \(reason)" }
}
