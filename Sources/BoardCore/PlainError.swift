/// An error that callers only print, or compare with a constant: what happened, where, and what to do.
public struct PlainError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
