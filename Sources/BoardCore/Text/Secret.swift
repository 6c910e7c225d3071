/// An operator's API key: used in requests and nowhere else.
///
/// Printing it in any way (interpolation, `print`, `dump`, a debugger's summary) gives ``description``, a fixed text,
/// so that a key does not reach a log, an error or a recording by accident. Only ``revealed`` returns the key, which
/// makes its uses searchable.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public let revealed: String

    public init(_ text: String) { revealed = text }

    public var description: String { "(hidden)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
