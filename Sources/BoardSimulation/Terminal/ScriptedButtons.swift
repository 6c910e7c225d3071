public import BoardCore

/// Buttons whose changes were written down beforehand: for tests, and for programs that show a fixed story.
public struct ScriptedButtons: Buttons {
    /// The changes, in order.
    public let changes: [ButtonChange]

    /// Buttons that do this and no more.
    public init(_ changes: [ButtonChange] = []) {
        self.changes = changes
    }

    /// Hands all changes over at once, each with its own instant, and waits until the task is cancelled.
    public func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(ButtonFault) {
        for change in changes { receive(change) }
        let (never, continuation) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        continuation.finish()
    }
}
