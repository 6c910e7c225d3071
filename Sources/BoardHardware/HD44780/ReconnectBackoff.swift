internal import BoardCore
internal import Glibc

/// The time of the next connection attempt: 0.1, 0.2, 0.4 … 5 s after each failure.
struct ReconnectBackoff: Hashable, Sendable {
    /// The latest fault; nil before the first attempt.
    private(set) var fault: BusFault?
    private(set) var nextTry = Instant(microseconds: .min)
    private var failures = 0

    private static let first: Duration = .milliseconds(100)
    private static let maximum: Duration = .seconds(5)
    /// A stuck line blocks each attempt for the whole time-out, and is often released again.
    private static let maximumWhileStuck: Duration = .seconds(3)

    mutating func extend(by fault: BusFault, at now: Instant) {
        let delay = Self.first * (1 << min(failures, 10))
        let maximum = fault.errno == ETIMEDOUT ? Self.maximumWhileStuck : Self.maximum
        nextTry = now + min(delay, maximum)
        self.fault = fault
        failures += 1
    }
}
