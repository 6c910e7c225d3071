/// Why the control socket is not available.
public struct ControlServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// Another server listens on the path; it was not disturbed.
        case isTaken
        /// A file that is not a socket exists at the path; it was not changed.
        case notASocket
        case pathTooLong
        /// The socket cannot be created there (`errno`).
        case cannotBind(code: Int32)
        /// The system provides no thread, or too few descriptors.
        case noResources(code: Int32)
        case broken
    }

    public let kind: Kind
    public let path: String
    /// What was found and what to do.
    let reason: String

    public var description: String { "control socket \(path): \(reason)" }
}
