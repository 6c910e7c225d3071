internal import BoardCore

/// How long a display has been away, and when to try again: 0.1, 0.2, 0.4 … 5 s after each failure.
struct ReconnectBackoff: Hashable, Sendable {
    /// The latest fault; nil before the first try.
    private(set) var fault: BusFault?
    /// When to try again.
    private(set) var nextTry = Instant(microseconds: .min)
    private var failures = 0

    private static let first: Duration = .milliseconds(100)
    private static let longest: Duration = .seconds(5)
    /// A line held down blocks each try for the whole time-out, and is often let go again by itself.
    private static let longestWhileStuck: Duration = .seconds(3)

    /// Counts one more failure.
    mutating func extend(by fault: BusFault, at now: Instant) {
        let delay = Self.first * (1 << min(failures, 10))
        let longest = fault.cause == .stuck ? Self.longestWhileStuck : Self.longest
        nextTry = now + min(delay, longest)
        self.fault = fault
        failures += 1
    }
}
