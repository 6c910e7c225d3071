public import BoardCore

/// Buttons with predefined changes, for tests and demonstrations.
public struct ScriptedButtons: Buttons {
    public let changes: [ButtonChange]

    public init(_ changes: [ButtonChange] = []) {
        self.changes = changes
    }

    /// Passes on all changes at once, each with its own instant, and waits until the task is cancelled.
    public func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(ButtonFault) {
        for change in changes { receive(change) }
        let (never, continuation) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        continuation.finish()
    }
}
