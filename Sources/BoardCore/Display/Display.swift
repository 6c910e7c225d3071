/// A piece of glass: an edge of the house, real or simulated.
///
/// A display is used from one thread. It may block for the time that its bus needs; it never throws, since a display
/// that is gone is a state of it and no reason to end.
public protocol Display {
    /// Brings the glass to `frame`, or tries to.
    ///
    /// - Parameters:
    ///   - frame: the newest picture.
    ///   - now: the instant of the attempt.
    /// - Returns: what became of it.
    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport

    /// Shows `frame` as the last picture, leaves the controller in phase and lets the bus go.
    mutating func close(last frame: Frame, at now: Instant)
}

/// What became of an attempt to show a frame.
public struct DisplayReport: Hashable, Sendable {
    /// What is wrong with a display, for the log: where, what was found, what to do.
    public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String

        /// A fault with its sentence.
        public init(_ description: String) {
            self.description = description
        }
    }

    /// Whether the glass shows the frame.
    public enum Health: Hashable, Sendable {
        /// The frame is on the glass.
        case shown
        /// The display is not there, or not to be talked to.
        case absent(Fault)
    }

    /// Whether the glass shows the frame.
    public let health: Health
    /// When the display wants to be called again although the frame has not changed (to heal, to re-synchronise).
    public let callAgainAt: Instant?

    /// A report.
    public init(_ health: Health, callAgainAt: Instant? = nil) {
        self.health = health
        self.callAgainAt = callAgainAt
    }
}
