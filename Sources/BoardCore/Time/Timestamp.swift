/// A moment in UTC, in microseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    public let microseconds: Int64

    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Saturates instead of overflowing.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64 {
        microseconds.dividedDown(by: 1_000_000)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Saturates instead of overflowing.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds.addingSaturated(duration.wholeMicroseconds))
    }

    /// Saturates instead of overflowing.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds.subtractingSaturated(duration.wholeMicroseconds))
    }

    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .microseconds(later.microseconds.subtractingSaturated(earlier.microseconds))
    }
}
