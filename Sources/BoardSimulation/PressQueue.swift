internal import BoardCore

/// Changes of requested presses, each with its due instant.
struct PressQueue {
    /// The changes to come, in the order of their instants.
    private(set) var pending: [ButtonChange] = []
    private var nextFree: Instant?

    /// The pause between two presses, as of a quick finger.
    private static let pause = Duration.milliseconds(80)
    /// The maximum number of pending changes. A key held down repeats 30 times a second, and the board must stop stepping
    /// when it is released.
    private static let limit = 4

    /// Adds a press, now or after the pending ones. Drops it when too many are pending.
    mutating func add(_ key: TerminalKey, at now: Instant) {
        guard pending.count < Self.limit else { return }
        var at = max(now, nextFree ?? now)
        for step in key.steps {
            at = at + step.after
            pending.append(ButtonChange(button: step.button, isDown: step.isDown, at: at))
        }
        nextFree = at + Self.pause
    }

    mutating func take(due now: Instant) -> [ButtonChange] {
        let due = pending.prefix { $0.at <= now }
        pending.removeFirst(due.count)
        return Array(due)
    }
}
