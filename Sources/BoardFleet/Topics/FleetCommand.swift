/// A command that a message of the broker gives to a board: what a person at its buttons can do, and nothing else.
public struct FleetCommand: Hashable, Sendable {
    /// The last level of the topic.
    public enum Name: String, CaseIterable, Sendable {
        case press, refresh, page, light, message
    }
}
