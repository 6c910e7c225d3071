/// A key that an operator gave a person: it goes into a request and nowhere else.
///
/// Printing it in any way (interpolation, `print`, `dump`, a debugger's summary) gives a placeholder, so that a key
/// reaches no log, no error and no recording by accident. Only ``revealed`` gives the text, and a reader can search
/// for that word.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key itself, for the request.
    public let revealed: String

    /// A secret of this text.
    public init(_ text: String) {
        revealed = text
    }

    /// A placeholder.
    public var description: String { "(hidden)" }
    /// A placeholder.
    public var debugDescription: String { description }
    /// Nothing, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
