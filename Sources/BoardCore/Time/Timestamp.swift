/// A moment in UTC, in microseconds since 1970-01-01T00:00:00Z: what an operator writes and what a clock shows.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// The moment `microseconds` after 1970-01-01T00:00:00Z.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The moment `seconds` after 1970-01-01T00:00:00Z; saturates instead of overflowing.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64 {
        microseconds.dividedDown(by: 1_000_000)
    }

    /// Whether `left` is the earlier one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The moment `duration` later; saturates instead of overflowing.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds.addingSaturated(duration.wholeMicroseconds))
    }

    /// The moment `duration` earlier; saturates instead of overflowing.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds.subtractingSaturated(duration.wholeMicroseconds))
    }

    /// The time from `earlier` to `later`.
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .microseconds(later.microseconds.subtractingSaturated(earlier.microseconds))
    }
}
