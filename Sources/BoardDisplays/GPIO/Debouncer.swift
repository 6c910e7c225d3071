import BoardCore

/// Debounces the edges of one contact.
///
/// A change counts when the level has been stable for 10 ms: every edge restarts the wait (trailing, like the kernel's
/// debouncing). So no edge is lost, and both ends of a press are late by the same time. A change has the instant of the
/// last edge of its train, for press and release alike, so that their difference is how long the button was held.
///
/// An edge contains the level after it. When edges may have been lost (two equal ones in a row, a gap in their numbers,
/// a full queue) the last received edge may be outdated: ``needsLevel`` then requests the current level, which takes
/// precedence. A button that is down at the start is stuck or blocked, and reports nothing until it has been up.
struct Debouncer: Sendable {
    /// How long a level must be stable: 5–30 ms are usual, kernel drivers use 5 and libgpiod's example 10.
    static let stability = Duration.milliseconds(10)

    let button: ButtonID
    private(set) var isDown: Bool
    /// When to call ``settle(at:level:)``; nil while the contact is stable.
    private(set) var deadline: Instant?
    /// Whether ``settle(at:level:)`` needs the current level, because edges may have been lost.
    private(set) var needsLevel = false

    /// The level after the last edge, or at the start.
    private var lastLevel: Bool
    private var lastEdge: Instant?
    /// The number of the last edge; they count from 1.
    private var lastSequence: UInt32 = 0
    private var isHeldFromStart: Bool

    init(button: ButtonID, isDown: Bool) {
        self.button = button
        self.isDown = isDown
        lastLevel = isDown
        isHeldFromStart = isDown
    }

    /// Handles an edge, in order, with the level after it and its own instant, not when it was read.
    ///
    /// - Parameter sequence: its number on its line, consecutive; 0 if edges are not numbered.
    /// - Returns: the change that was due before this edge, when the edges were read late.
    mutating func edge(isDown level: Bool, at instant: Instant, sequence: UInt32 = 0) -> ButtonChange? {
        // A past level cannot be read: the last edge is the best information about it.
        let settled = deadline.flatMap { $0 <= instant ? settle(at: instant, level: lastLevel) : nil }
        if level == lastLevel || (sequence != 0 && sequence != lastSequence &+ 1) { needsLevel = true }
        lastLevel = level
        lastSequence = sequence
        lastEdge = instant
        deadline = instant + Self.stability
        return settled
    }

    /// Reports that edges may have been lost after the last received one.
    mutating func noteLostEdges(at now: Instant) {
        needsLevel = true
        lastEdge = lastEdge ?? now
        deadline = deadline ?? now + Self.stability
    }

    /// Ends the wait at its ``deadline``, with the current level if ``needsLevel``; returns the change, if any.
    mutating func settle(at now: Instant, level: Bool? = nil) -> ButtonChange? {
        guard let deadline, deadline <= now else { return nil }
        let settled = needsLevel ? level ?? lastLevel : lastLevel
        self.deadline = nil
        needsLevel = false
        lastLevel = settled
        guard settled != isDown else { return nil }
        isDown = settled
        guard !isHeldFromStart else {
            isHeldFromStart = false
            return nil
        }
        return ButtonChange(button: button, isDown: settled, at: lastEdge ?? now)
    }
}
