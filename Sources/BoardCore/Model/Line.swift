/// What riders call the route: "73", "N109", "Victoria".
public struct Line: Hashable, Sendable, Codable {
    /// The operator's identifier ("n109").
    public let id: String
    /// The name for people ("N109").
    public let name: String

    /// A line.
    public init(id: String, name: String) {
        self.id = id
        self.name = name.truncatedForDisplay
    }

    /// Whether a person who wrote `text` meant this line: its identifier or name, in any case.
    public func isCalled(_ text: String) -> Bool {
        let folded = text.lowercased()
        return id.lowercased() == folded || name.lowercased() == folded
    }
}
