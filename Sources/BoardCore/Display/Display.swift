/// A display, real or simulated.
///
/// Used from one thread. It may block while its bus needs time. It never throws: an absent display is a state, not a
/// reason to end.
public protocol Display {
    /// Shows `frame`, if possible.
    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport

    /// Shows the last frame, leaves the controller synchronised and closes the bus.
    mutating func close(last frame: Frame, at now: Instant)
}

public struct DisplayReport: Hashable, Sendable {
    /// A fault of a display for the log: where, what was found, the remedy.
    public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String

        public init(_ description: String) {
            self.description = description
        }
    }

    public enum Health: Hashable, Sendable {
        case shown
        /// The display is not connected or not reachable.
        case absent(Fault)
    }

    public let health: Health
    /// When to call ``Display/show(_:at:)`` again although the frame is the same (to recover or re-synchronise).
    public let callAgainAt: Instant?

    public init(_ health: Health, callAgainAt: Instant? = nil) {
        self.health = health
        self.callAgainAt = callAgainAt
    }
}
