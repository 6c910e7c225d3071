/// The `Date` header of one response with the instants between which the server wrote it.
public struct DateSample: Hashable, Sendable {
    /// The longest time from the start of a request, with name resolution and connection, to its `Date` header for
    /// which the sample may set the clock. `Date` has whole seconds; twice that adds an error of the same order.
    static let longestWait = Duration.seconds(2)
    /// `Date` has whole seconds, rounded down (RFC 9110 §5.6.7).
    private static let resolution = Duration.seconds(1)
    /// From 2026, when this program was written, to 2046: a server with another time has a broken clock, or is none.
    private static let plausible = Timestamp(seconds: 1_767_225_600)..<Timestamp(seconds: 2_398_377_600)

    /// The server, as host and port.
    public let host: String
    public let date: Timestamp
    /// When the request began.
    public let requested: Instant
    /// When the header line arrived.
    public let received: Instant

    /// Returns nil when the header arrived before the request began.
    public init?(host: String, date: Timestamp, requested: Instant, received: Instant) {
        guard requested <= received else { return nil }
        self.host = host
        self.date = date
        self.requested = requested
        self.received = received
    }

    /// Whether the time can be true.
    var isPlausible: Bool { Self.plausible.contains(date) }

    /// Whether the header took too long for the sample to set the clock.
    var isSlow: Bool { received - requested > Self.longestWait }

    /// Whether a clock that showed `wall` when the header arrived is consistent with the sample.
    public func agrees(with wall: Timestamp) -> Bool {
        offsets.contains(wall.microseconds.subtractingSaturated(received.microseconds))
    }

    /// The offsets from the elapsed-time clock to UTC, in microseconds, that are consistent with the sample: the server
    /// wrote `Date` at some instant of the request.
    var offsets: ClosedRange<Int64> {
        let least = date.microseconds.subtractingSaturated(received.microseconds)
        let most = (date + Self.resolution).microseconds.subtractingSaturated(requested.microseconds)
        return min(least, most)...most
    }

    /// The likeliest offset: the middle of the second, when the header arrived.
    var offset: Int64 {
        (date + Self.resolution / 2).microseconds.subtractingSaturated(received.microseconds)
    }
}

extension Int64 {
    func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }

    /// The absolute difference; saturates.
    func distance(from other: Int64) -> UInt64 {
        subtractingSaturated(other).magnitude
    }
}
