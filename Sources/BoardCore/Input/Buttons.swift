/// A button's place in the configuration: the first `[[button]]` is 0.
public struct ButtonID: Hashable, Sendable {
    /// The place, from 0.
    public let index: Int

    /// The button at `index`.
    public init(_ index: Int) {
        self.index = index
    }
}

/// A debounced change of one button.
public struct ButtonChange: Hashable, Sendable {
    /// The button.
    public let button: ButtonID
    /// Whether it is down now.
    public let isDown: Bool
    /// When the contact closed or opened: the edge's own instant, not when it was read.
    public let at: Instant

    /// A change.
    public init(button: ButtonID, isDown: Bool, at: Instant) {
        self.button = button
        self.isDown = isDown
        self.at = at
    }
}

/// The buttons: an edge of the house, real or simulated.
public protocol Buttons: Sendable {
    /// Hands every debounced change to `receive` until the task is cancelled, or until the buttons are lost.
    func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(ButtonFault)
}

/// Why buttons cannot be watched: where, what was found, what to do.
public struct ButtonFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    /// A fault with its sentence.
    public init(_ description: String) {
        self.description = description
    }
}
