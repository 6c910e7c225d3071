/// A point on the clock of elapsed time: CLOCK_BOOTTIME, in microseconds since the machine started.
///
/// All that the board waits for is kept in instants, so that a jump of the wall clock moves nothing. What an operator
/// says comes as a ``Timestamp``; ``CorrectedClock`` relates the two.
public struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since the machine started.
    public let microseconds: Int64

    /// The instant `microseconds` after the machine started.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Whether `left` is the earlier one.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The instant `duration` later; saturates instead of overflowing.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(microseconds: instant.microseconds.addingSaturated(duration.wholeMicroseconds))
    }

    /// The instant `duration` earlier; saturates instead of overflowing.
    public static func - (instant: Instant, duration: Duration) -> Instant {
        Instant(microseconds: instant.microseconds.subtractingSaturated(duration.wholeMicroseconds))
    }

    /// The time from `earlier` to `later`.
    public static func - (later: Instant, earlier: Instant) -> Duration {
        .microseconds(later.microseconds.subtractingSaturated(earlier.microseconds))
    }
}
