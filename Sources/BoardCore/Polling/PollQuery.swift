/// A request that is repeated, and how often.
public struct PollQuery: Hashable, Sendable {
    public var request: FeedRequest
    /// Between two polls.
    public var interval: Duration

    public init(_ request: FeedRequest, every interval: Duration) {
        self.request = request
        self.interval = interval
    }
}
