/// A missing system resource.
public struct ThreadFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        case noThread
        /// The descriptor of a ``WakeEvent``.
        case noWakeEvent
    }

    public let kind: Kind
    public let code: Int32

    public init(_ kind: Kind, code: Int32) {
        self.kind = kind
        self.code = code
    }

    /// What is missing, why, and what to check.
    public var description: String {
        switch kind {
        case .noThread: "cannot start a thread (\(errnoText(code))): check free memory and TasksMax in the unit"
        case .noWakeEvent:
            "cannot open an event (\(errnoText(code))): check the open files of this process (LimitNOFILE)"
        }
    }
}
