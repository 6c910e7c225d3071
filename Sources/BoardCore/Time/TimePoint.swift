/// A point in time in microseconds. Arithmetic saturates instead of overflowing.
public protocol TimePoint: Hashable, Comparable, Sendable, Codable {
    var microseconds: Int64 { get }

    init(microseconds: Int64)
}

extension TimePoint {
    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }

    @inlinable
    public static func + (time: Self, duration: Duration) -> Self {
        Self(microseconds: time.microseconds.addingSaturated(duration.wholeMicroseconds))
    }

    @inlinable
    public static func - (time: Self, duration: Duration) -> Self {
        Self(microseconds: time.microseconds.subtractingSaturated(duration.wholeMicroseconds))
    }

    @inlinable
    public static func - (later: Self, earlier: Self) -> Duration {
        .microseconds(later.microseconds.subtractingSaturated(earlier.microseconds))
    }

    /// Decodes the number alone: a snapshot contains hundreds.
    public init(from decoder: any Decoder) throws {
        self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}

/// A time of the elapsed-time clock: CLOCK_BOOTTIME, in microseconds since boot.
///
/// The board measures all waits in instants, so that a jump of the system clock has no effect. Operators' times are
/// ``Timestamp``s; ``CorrectedClock`` converts between the two.
public struct Instant: TimePoint {
    public let microseconds: Int64

    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }
}

/// A moment in UTC, in microseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: TimePoint {
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
}
