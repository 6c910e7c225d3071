/// How long to wait after failures: 5, 10, 20 … 300 s, for ever.
enum Backoff {
    /// The wait after the first failure.
    static let first = Duration.seconds(5)
    /// The longest wait.
    static let longest = Duration.seconds(300)
    /// The wait after a refusal that only a person can end (401, 403, 404).
    static let rejected = Duration.seconds(900)

    /// The wait after as many failures in a row.
    static func wait(afterFailures count: Int) -> Duration {
        // 5 s doubled six times is over the longest wait: more would only overflow.
        min(longest, first * (1 << min(max(count - 1, 0), 6)))
    }
}
