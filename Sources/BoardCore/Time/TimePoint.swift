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

    /// Decodes the number alone.
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

    public init(microseconds: Int64) { self.microseconds = microseconds }
}

/// A moment in UTC, in microseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: TimePoint, CustomStringConvertible {
    public let microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Saturates instead of overflowing.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64 { microseconds.dividedDown(by: 1_000_000) }

    /// Decodes RFC 3339.
    ///
    /// - Throws: `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let timestamp = Timestamp(rfc3339: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not an RFC 3339 timestamp")
        }
        self = timestamp
    }

    /// Encodes ``description``, of the nearest moment that can be decoded.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(min(max(self, .first), .last).description)
    }

    /// 0002-01-01T00:00:00Z and 9999-12-31T23:59:59Z: the range of ``init(rfc3339:)-(StringProtocol)``.
    private static let first = Timestamp(seconds: -62_104_060_800)
    private static let last = Timestamp(seconds: 253_402_300_799)

    /// RFC 3339 in UTC: "2026-05-04T12:04:30Z".
    public var description: String { rfc3339 }
}

extension Duration {
    /// In microseconds, rounded towards zero; saturates on overflow.
    public var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return product.addingSaturated(attoseconds / 1_000_000_000_000)
    }

    /// In seconds, rounded down.
    public var wholeSeconds: Int64 { wholeMicroseconds.dividedDown(by: 1_000_000) }

    var magnitude: Duration { self < .zero ? .zero - self : self }
}

extension BinaryInteger {
    /// The digits with leading zeros up to `width`; a sign is extra.
    public func padded(to width: Int, radix: Int = 10) -> String {
        let digits = String(magnitude, radix: radix)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    @usableFromInline func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    @usableFromInline func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// The quotient rounded towards minus infinity, so that times before 1970 work the same way.
    func dividedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The remainder of ``dividedDown(by:)``: never negative.
    func remainderDown(by divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension Duration {
    /// Parses a duration in files and commands, "30s", "4m" or "1h": a whole number and a unit. Nil for anything else,
    /// and on overflow.
    public init?(written text: some StringProtocol) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ units[$0] }), !digits.isEmpty, digits.allSatisfy(\.isDigit),
            let number = Int64(digits)
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        self = .seconds(seconds)
    }

    /// Whole seconds in the largest unit that gives a whole number; the inverse of ``init(written:)``.
    public var written: String {
        let seconds = wholeSeconds
        if seconds != 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
        if seconds != 0, seconds % 60 == 0 { return "\(seconds / 60)m" }
        return "\(seconds)s"
    }
}

extension Int {
    /// Parses a time of day such as "22:30" or "6:30", in minutes after midnight (0–1439); nil for anything else.
    public init?(timeOfDay text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy(\.isDigit) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        self = hour * 60 + minute
    }

    /// Minutes after midnight as "06:30".
    var asTimeOfDay: String { "\((self / 60).padded(to: 2)):\((self % 60).padded(to: 2))" }
}

extension Character {
    /// Whether it is one of 0 to 9.
    public var isDigit: Bool { ("0"..."9").contains(self) }
}
