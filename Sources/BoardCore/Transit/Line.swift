/// A route's public name: "73", "N109", "Victoria".
public struct Line: Hashable, Sendable, Codable {
    /// The operator's identifier ("n109").
    public let id: String
    /// The public name ("N109").
    public let name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name.truncatedForDisplay
    }

    /// Whether `text` is this line's identifier or name, ignoring case.
    public func isCalled(_ text: String) -> Bool {
        let folded = text.lowercased()
        return id.lowercased() == folded || name.lowercased() == folded
    }
}
