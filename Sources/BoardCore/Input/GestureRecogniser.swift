public enum Gesture: String, CaseIterable, Hashable, Sendable, Codable {
    /// Released within 0.6 s.
    case short
    /// Released after 0.6 s.
    case hold
    /// Released after 1.5 s.
    case longHold = "long-hold"
    /// Two short presses within 300 ms.
    case double

    /// How long the button is held in each press of the gesture.
    var presses: [Duration] {
        switch self {
        case .short: [.zero]
        case .hold: [GestureRecogniser.holdAfter]
        case .longHold: [GestureRecogniser.longHoldAfter]
        case .double: [.zero, .zero]
        }
    }
}

/// Recognises the gestures of one button from debounced presses. Pure; also reports the gesture that a release now
/// would complete, so that the display can show it.
public struct GestureRecogniser: Hashable, Sendable {
    static let holdAfter = Duration.milliseconds(600)
    static let longHoldAfter = Duration.milliseconds(1_500)
    /// A press of this length is not a gesture, so that a person can change their mind.
    static let cancelAfter = Duration.seconds(3)
    /// A press of this length opens the set-up by phone.
    static let setupAfter = Duration.seconds(5)
    /// The longest gap between the two presses of a double press.
    static let doubleWithin = Duration.milliseconds(300)

    private enum State: Hashable {
        case up
        /// `isSecond`: a short press came just before.
        case down(since: Instant, isSecond: Bool)
        /// Released after a short press that may become a double press.
        case waiting(until: Instant)
    }

    private var state = State.up

    public init() {}

    var isDown: Bool {
        if case .down = state { return true }
        return false
    }

    /// The gesture if the button were released at `now`; nil while it is up, and when it has been held for too long.
    func pending(at now: Instant) -> Gesture? {
        guard case .down(let since, let isSecond) = state else { return nil }
        let held = now - since
        if held >= Self.cancelAfter { return nil }
        if held >= Self.longHoldAfter { return .longHold }
        if held >= Self.holdAfter { return .hold }
        return isSecond ? .double : .short
    }

    /// Whether a release now would open the set-up by phone.
    func opensSetup(at now: Instant) -> Bool {
        if case .down(let since, _) = state { now - since >= Self.setupAfter } else { false }
    }

    /// The next instant at which the result of ``pending(at:)`` or ``expire(at:)`` changes.
    public func deadline(after now: Instant) -> Instant? {
        switch state {
        case .up: nil
        case .down(let since, _):
            [Self.holdAfter, Self.longHoldAfter, Self.cancelAfter, Self.setupAfter].map { since + $0 }.first {
                $0 > now
            }
        case .waiting(let until): until
        }
    }

    /// - Returns: a previous short press, if this one comes too late to be its second.
    public mutating func press(at now: Instant) -> Gesture? {
        guard case .waiting(let until) = state else {
            state = .down(since: now, isSecond: false)
            return nil
        }
        let isSecond = now < until
        state = .down(since: now, isSecond: isSecond)
        return isSecond ? nil : .short
    }

    /// - Parameter awaitsDouble: whether the button has an action for a double press.
    /// - Returns: the completed gestures: a previous short press that stayed single, and this one unless it waits for a
    ///   second.
    public mutating func release(at now: Instant, awaitsDouble: Bool) -> [Gesture] {
        guard case .down(_, let isSecond) = state else { return [] }
        let gesture = pending(at: now)
        state = .up
        guard let gesture else { return isSecond ? [.short] : [] }
        if gesture == .short, awaitsDouble {
            state = .waiting(until: now + Self.doubleWithin)
            return []
        }
        return isSecond && gesture != .double ? [.short, gesture] : [gesture]
    }

    /// Completes a short press when the time for a second one is over.
    public mutating func expire(at now: Instant) -> Gesture? {
        guard case .waiting(let until) = state, until <= now else { return nil }
        state = .up
        return .short
    }
}
