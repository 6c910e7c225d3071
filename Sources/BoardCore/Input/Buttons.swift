/// A button by its place in the configuration.
public struct ButtonID: Hashable, Sendable {
    /// From 0: the first `[[button]]`.
    public let index: Int

    public static let first = ButtonID(0)

    public init(_ index: Int) {
        self.index = index
    }

    /// From 1, as users count.
    public init(number: Int) {
        self.init(number - 1)
    }

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

/// The buttons, real or simulated.
public protocol Buttons: Sendable {
    /// Passes every debounced change to `receive` until the task is cancelled or the device is lost.
    func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(ButtonFault)
}

/// Why buttons cannot be read: where, what was found, the remedy.
public struct ButtonFault: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
