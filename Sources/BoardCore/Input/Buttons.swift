/// A button by its place in the configuration.
public struct ButtonID: Hashable, Sendable {
    /// From 0: the first `[[button]]`.
    public let index: Int

    public static let first = ButtonID(0)

    public init(_ index: Int) { self.index = index }

    /// From 1, as users count.
    public init(number: Int) { self.init(number - 1) }

    /// From 1, as users count.
    public var number: Int { index + 1 }
}

/// A debounced change of one button.
public struct ButtonChange: Hashable, Sendable {
    public let button: ButtonID
    public let isDown: Bool
    /// When the contact closed or opened: the instant of the edge, not of its reading.
    public let at: Instant

    public init(button: ButtonID, isDown: Bool, at: Instant) {
        self.button = button
        self.isDown = isDown
        self.at = at
    }
}

/// The board's response to a gesture.
public enum ButtonAction: String, CaseIterable, Sendable, Codable {
    case next, previous, sort, open, back, refresh, none
}

/// The actions of one button's gestures.
public struct ButtonBinding: Hashable, Sendable {
    /// A press shorter than 0.6 s.
    public let short: ButtonAction
    /// A press of 0.6 to 1.5 s.
    public let hold: ButtonAction
    /// A press of 1.5 to 3 s; a longer one does nothing.
    public let longHold: ButtonAction
    /// Two short presses within 300 ms; anything but `none` delays every short press by that time.
    public let double: ButtonAction

    /// The defaults are those of the first button.
    public init(
        short: ButtonAction = .next, hold: ButtonAction = .open, longHold: ButtonAction = .sort,
        double: ButtonAction = .none
    ) {
        self.short = short
        self.hold = hold
        self.longHold = longHold
        self.double = double
    }

    public static let second = ButtonBinding(short: .open, hold: .back, longHold: .none)
}
