/// What a press meant.
public enum Gesture: Hashable, Sendable {
    /// Released within 0.6 s.
    case short
    /// Released after 0.6 s.
    case hold
    /// Released after 1.5 s.
    case longHold
    /// Two short presses within 300 ms.
    case double

    /// How long the button is held at each press of the gesture.
    var presses: [Duration] {
        switch self {
        case .short: [.zero]
        case .hold: [GestureRecogniser.holdAfter]
        case .longHold: [GestureRecogniser.longHoldAfter]
        case .double: [.zero, .zero]
        }
    }
}

/// Debounced presses of one button, to gestures: pure, and asked for what a release would mean while the button is
/// down, so that the glass can show it.
struct GestureRecogniser: Hashable, Sendable {
    /// From here on a release is a hold.
    static let holdAfter = Duration.milliseconds(600)
    /// From here on a release is a long hold.
    static let longHoldAfter = Duration.milliseconds(1_500)
    /// The longest gap between the two presses of a double one.
    static let doubleWithin = Duration.milliseconds(300)

    private enum State: Hashable {
        case up
        /// Pressed; `isSecond` when a short press came just before.
        case down(since: Instant, isSecond: Bool)
        /// Released after a short press that may become a double one.
        case waiting(until: Instant)
    }

    private var state = State.up

    /// Whether the button is down.
    var isDown: Bool {
        if case .down = state { return true }
        return false
    }

    /// What letting go at `now` would mean; nil while the button is up.
    func pending(at now: Instant) -> Gesture? {
        guard case .down(let since, let isSecond) = state else { return nil }
        let held = now - since
        if held >= Self.longHoldAfter { return .longHold }
        if held >= Self.holdAfter { return .hold }
        return isSecond ? .double : .short
    }

    /// The next instant at which ``pending(at:)`` or ``expire(at:)`` says something else.
    func deadline(after now: Instant) -> Instant? {
        switch state {
        case .up: nil
        case .down(let since, _): [since + Self.holdAfter, since + Self.longHoldAfter].first { $0 > now }
        case .waiting(let until): until
        }
    }

    /// The button went down.
    ///
    /// - Returns: a short press that was waiting for a second one in vain.
    mutating func press(at now: Instant) -> Gesture? {
        guard case .waiting(let until) = state else {
            state = .down(since: now, isSecond: false)
            return nil
        }
        let isSecond = now < until
        state = .down(since: now, isSecond: isSecond)
        return isSecond ? nil : .short
    }

    /// The button came up.
    ///
    /// - Parameter awaitsDouble: whether a second short press would mean something else.
    /// - Returns: what the press meant, after the short one before it that found no second; nothing while it waits for a
    ///   second one itself.
    mutating func release(at now: Instant, awaitsDouble: Bool) -> [Gesture] {
        guard case .down(_, let isSecond) = state, let meant = pending(at: now) else { return [] }
        state = .up
        if meant == .short, awaitsDouble {
            state = .waiting(until: now + Self.doubleWithin)
            return []
        }
        return isSecond && meant != .double ? [.short, meant] : [meant]
    }

    /// Gives up waiting for a second press when its time is over.
    mutating func expire(at now: Instant) -> Gesture? {
        guard case .waiting(let until) = state, until <= now else { return nil }
        state = .up
        return .short
    }

    /// Forgets a press that is under way: its release means nothing.
    mutating func forget() {
        state = .up
    }
}
