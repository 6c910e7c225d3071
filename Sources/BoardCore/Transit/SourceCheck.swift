/// The result of checking one of a feed's data sources, such as an address of its operator.
public struct SourceCheck: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// The source is valid; the text describes its content.
        case ok(String)
        /// The source was read and needs action: what was found and the remedy, without a full stop.
        case fault(String)
        /// The source could not be read.
        case failed(FeedFailure)
    }

    public let name: String
    public let outcome: Outcome

    public init(name: String, outcome: Outcome) {
        self.name = name
        self.outcome = outcome
    }
}
