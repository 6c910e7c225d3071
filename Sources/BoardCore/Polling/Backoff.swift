/// The wait after failures: 5, 10, 20 … 300 s, without limit of attempts.
enum Backoff {
    static let first = Duration.seconds(5)
    static let longest = Duration.seconds(300)
    /// The wait after a rejection that only a person can resolve (401, 403, 404).
    static let rejected = Duration.seconds(900)

    /// The wait after `count` consecutive failures.
    static func wait(afterFailures count: Int) -> Duration {
        // 5 s doubled six times exceeds the longest wait: more would only overflow.
        min(longest, first * (1 << min(max(count - 1, 0), 6)))
    }
}
