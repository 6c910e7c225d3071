/// Waits that double with each failure in a row, without limit of attempts.
public struct Backoff: Hashable, Sendable {
    static let polls = Backoff(from: .seconds(5), upTo: .seconds(300))
    /// The wait after a rejection that only a person can resolve (401, 403, 404).
    static let rejected = Duration.seconds(900)

    /// The wait after the first failure.
    let first: Duration
    private let longest: Duration

    public init(from first: Duration, upTo longest: Duration) {
        self.first = first
        self.longest = longest
    }

    public func wait(afterFailures count: Int) -> Duration {
        // More doublings than any user needs; without a limit they would overflow.
        min(longest, first * (1 << min(max(count - 1, 0), 20)))
    }
}
