internal import BoardCore
internal import Glibc

/// The time of the next connection attempt: 0.1, 0.2, 0.4 … 5 s after each failure.
struct ReconnectBackoff: Hashable, Sendable {
    /// The latest fault; nil before the first attempt.
    private(set) var fault: BusFault?
    private(set) var nextTry = Instant(microseconds: .min)
    private var failures = 0

    mutating func extend(by fault: BusFault, at now: Instant) {
        failures += 1
        // A stuck line blocks each attempt for the whole time-out, and is often released again.
        let longest: Duration = fault.errno == ETIMEDOUT ? .seconds(3) : .seconds(5)
        nextTry = now + Backoff(from: .milliseconds(100), upTo: longest).wait(afterFailures: failures)
        self.fault = fault
    }
}
