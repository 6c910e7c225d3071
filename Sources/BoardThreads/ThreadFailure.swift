internal import Glibc

/// What the system did not give.
public struct ThreadFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was asked for.
    public enum Kind: Hashable, Sendable {
        /// Another thread.
        case noThread
        /// The two descriptors of a ``WakeEvent``.
        case noWakeEvent
    }

    /// What was asked for.
    public let kind: Kind
    /// The `errno`.
    public let code: Int32

    /// A failure with its `errno`.
    public init(_ kind: Kind, code: Int32) {
        self.kind = kind
        self.code = code
    }

    /// What is missing, why, and what to look at.
    public var description: String {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return switch kind {
        case .noThread: "no thread can be started (\(reason)): look at free memory and at TasksMax of the unit"
        case .noWakeEvent: "no pipe can be opened (\(reason)): look at the open files of this process (LimitNOFILE)"
        }
    }
}
