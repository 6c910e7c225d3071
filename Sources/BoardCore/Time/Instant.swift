/// A time of the elapsed-time clock: CLOCK_BOOTTIME, in microseconds since boot.
///
/// The board measures all waits in instants, so that a jump of the system clock has no effect. Operators' times are
/// ``Timestamp``s; ``CorrectedClock`` converts between the two.
public struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since boot.
    public let microseconds: Int64

    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Saturates instead of overflowing.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(microseconds: instant.microseconds.addingSaturated(duration.wholeMicroseconds))
    }

    /// Saturates instead of overflowing.
    public static func - (instant: Instant, duration: Duration) -> Instant {
        Instant(microseconds: instant.microseconds.subtractingSaturated(duration.wholeMicroseconds))
    }

    public static func - (later: Instant, earlier: Instant) -> Duration {
        .microseconds(later.microseconds.subtractingSaturated(earlier.microseconds))
    }
}
