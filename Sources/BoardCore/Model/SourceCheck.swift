/// One of the things that a feed works from, such as an address of its operator's, as it was found by whoever looked.
public struct SourceCheck: Hashable, Sendable {
    /// How it is.
    public enum Outcome: Hashable, Sendable {
        /// It is as it should be; the text says what is in it.
        case ok(String)
        /// It was read, and a person must do something about it: what was found and what to do, without an end.
        case fault(String)
        /// It could not be read.
        case failed(FeedFailure)
    }

    /// What people know it by: its address or its path.
    public let name: String
    /// How it is.
    public let outcome: Outcome

    /// A source that was looked at.
    public init(name: String, outcome: Outcome) {
        self.name = name
        self.outcome = outcome
    }
}
