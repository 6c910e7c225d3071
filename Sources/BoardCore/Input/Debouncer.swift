/// Makes settled presses of one contact's bouncing edges.
///
/// A change counts when the level has been the same for 10 ms: every edge starts the wait again (trailing, as the kernel's
/// own debouncing does). So no edge is ever locked out, and both ends of a press are late by the same time. A change
/// carries the instant of the edge that began the settled level, the last of its train: press and release alike, so that
/// the time between them is how long the button was held.
///
/// An edge says which level followed it. When edges may have been lost (two equal ones in a row, a gap in their numbers, a
/// full queue) the last one known need not be the last there was: ``needsLevel`` asks for the level, and takes it as the
/// truth. A button that is down at the start is stuck or leant upon, and says nothing until it has been up.
public struct Debouncer: Sendable {
    /// How long a level must last: 5–30 ms are usual, kernel drivers take 5 and libgpiod's example 10.
    public static let stability = Duration.milliseconds(10)

    /// The button.
    public let button: ButtonID
    /// The settled level.
    public private(set) var isDown: Bool
    /// When ``settle(at:level:)`` wants to be called; nil while the contact rests.
    public private(set) var deadline: Instant?
    /// Whether ``settle(at:level:)`` wants the level read, since edges may have been lost.
    public private(set) var needsLevel = false

    /// What the last edge said, or the level at the start.
    private var lastLevel: Bool
    /// When the last edge was.
    private var lastEdge: Instant?
    /// The number of the last edge; they count from 1.
    private var lastSequence: UInt32 = 0
    /// Whether the button has been down since the start.
    private var isHeldFromStart: Bool

    /// A debouncer of a contact.
    ///
    /// - Parameters:
    ///   - button: the button.
    ///   - isDown: the level now.
    public init(button: ButtonID, isDown: Bool) {
        self.button = button
        self.isDown = isDown
        lastLevel = isDown
        isHeldFromStart = isDown
    }

    /// Takes an edge; edges come in order.
    ///
    /// - Parameters:
    ///   - isDown: the level after it.
    ///   - at: when it was, not when it was read.
    ///   - sequence: its number on its line, one more than that of the edge before; 0 where edges are not numbered.
    /// - Returns: the change that had settled before this edge, when the edges were read late.
    public mutating func edge(isDown level: Bool, at instant: Instant, sequence: UInt32 = 0) -> ButtonChange? {
        // The past's level cannot be read any more: what the last edge said is the best that is known of it.
        let settled = deadline.flatMap { $0 <= instant ? settle(at: instant, level: lastLevel) : nil }
        if level == lastLevel || (sequence != 0 && sequence != lastSequence &+ 1) { needsLevel = true }
        lastLevel = level
        lastSequence = sequence
        lastEdge = instant
        deadline = instant + Self.stability
        return settled
    }

    /// Says that edges may have been lost after the last one known.
    ///
    /// - Parameter now: the instant at which that was noticed.
    public mutating func noteLostEdges(at now: Instant) {
        needsLevel = true
        lastEdge = lastEdge ?? now
        deadline = deadline ?? now + Self.stability
    }

    /// Ends the wait when its ``deadline`` has come.
    ///
    /// - Parameters:
    ///   - now: the instant.
    ///   - level: whether the button is down now, where ``needsLevel`` asks for it.
    /// - Returns: the change, if the settled level is another one.
    public mutating func settle(at now: Instant, level: Bool? = nil) -> ButtonChange? {
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
