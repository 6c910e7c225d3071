internal import BoardCore

/// The changes of presses that were asked for, each with the instant at which it is due.
struct PressQueue {
    /// Changes to come, in the order of their instants.
    private(set) var pending: [ButtonChange] = []
    private var free: Instant?

    /// The time between the end of a press and the next, as of a quick finger.
    private static let pause = Duration.milliseconds(80)
    /// Changes that may wait. A key held down repeats 30 times a second, and nobody wants the board to go on
    /// stepping when it is let go.
    private static let limit = 4

    /// Asks for a press; it begins now, or after those that were asked for before. Left out when too many wait.
    mutating func add(_ key: TerminalKey, at now: Instant) {
        guard pending.count < Self.limit else { return }
        var at = max(now, free ?? now)
        for step in key.steps {
            at = at + step.after
            pending.append(ButtonChange(button: step.button, isDown: step.isDown, at: at))
        }
        free = at + Self.pause
    }

    /// Takes the changes that are due.
    mutating func take(due now: Instant) -> [ButtonChange] {
        let due = pending.prefix { $0.at <= now }
        pending.removeFirst(due.count)
        return Array(due)
    }
}
