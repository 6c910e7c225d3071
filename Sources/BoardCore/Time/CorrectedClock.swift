/// What time it is, told by the best of what was heard: the kernel's synchronised clock, a feed's `Date` header, the
/// wall clock.
///
/// A Pi has no battery clock: after a power cut its wall clock may be years off until the network is back. Time is
/// therefore kept as an offset from the clock of elapsed time, and a jump of the wall clock alone moves nothing.
public struct CorrectedClock: Hashable, Sendable, Codable {
    /// What the machine's wall clock says.
    public struct Reading: Hashable, Sendable {
        /// The wall clock (CLOCK_REALTIME).
        public let wall: Timestamp
        /// Whether the kernel says that it is synchronised (STA_UNSYNC is not set).
        public let isSynchronised: Bool

        /// A reading.
        public init(wall: Timestamp, isSynchronised: Bool) {
            self.wall = wall
            self.isSynchronised = isSynchronised
        }
    }

    /// Whom the time comes from, best first.
    public enum Source: Hashable, Sendable, Codable {
        /// The kernel's clock while it was synchronised.
        case kernel
        /// The `Date` of a feed's answers.
        case feed
        /// The wall clock that nobody has vouched for: the clock on the glass says so.
        case wall
    }

    /// Smaller differences between two readings are noise, not a step: two clocks cannot be read at one instant.
    private static let noise = Duration.milliseconds(10)
    /// `Date` has whole seconds, rounded down: the middle of the second is the best guess.
    private static let middleOfSecond = Duration.milliseconds(500)
    /// A `Date` this close to the corrected time agrees with it (its rounding, and the way of the answer).
    private static let agreement = Duration.milliseconds(1_500)
    /// One server with a wrong clock must not move the board; as many in a row are believed.
    private static let believedAfter = 3
    /// The share of a new `Date` in the smoothed offset.
    private static let smoothing: Int64 = 8

    /// Ten thousand years in microseconds: no clock is further from the start of its machine.
    private static let farthest: UInt64 = 315_569_520_000_000_000

    /// Whom the time comes from.
    public private(set) var source: Source
    /// Microseconds from the clock of elapsed time to UTC.
    private var offset: Int64
    private var isSynchronised: Bool
    private var disagreements = 0

    /// A clock that knows one reading, taken at `now`.
    public init(_ reading: Reading, at now: Instant) {
        offset = reading.wall.microseconds.subtractingSaturated(now.microseconds)
        isSynchronised = reading.isSynchronised
        source = reading.isSynchronised ? .kernel : .wall
    }

    /// A clock that was kept.
    ///
    /// - Throws: `DecodingError` for one that no machine can have had.
    public init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        source = try kept.decode(Source.self, forKey: .source)
        offset = try kept.decode(Int64.self, forKey: .offset)
        isSynchronised = try kept.decode(Bool.self, forKey: .isSynchronised)
        disagreements = try kept.decode(Int.self, forKey: .disagreements)
        guard offset.magnitude <= Self.farthest else { throw DecodingError.unsound("an offset of ages", in: decoder) }
        guard (0..<Self.believedAfter).contains(disagreements) else {
            throw DecodingError.unsound("no count of disagreements", in: decoder)
        }
    }

    /// Whether nobody has vouched for the time.
    public var isUnsure: Bool { source == .wall }

    /// The time at `instant`.
    public func timestamp(at instant: Instant) -> Timestamp {
        Timestamp(microseconds: instant.microseconds.addingSaturated(offset))
    }

    /// The instant at which it is, was or will be `moment`.
    public func instant(of moment: Timestamp) -> Instant {
        Instant(microseconds: moment.microseconds.subtractingSaturated(offset))
    }

    /// Takes a reading of the wall clock at `now`.
    public mutating func read(_ reading: Reading, at now: Instant) {
        isSynchronised = reading.isSynchronised
        guard reading.isSynchronised || source == .wall else { return }
        if reading.isSynchronised {
            source = .kernel
            disagreements = 0
        }
        let heard = reading.wall.microseconds.subtractingSaturated(now.microseconds)
        if heard.subtractingSaturated(offset).magnitude > UInt64(Self.noise.wholeMicroseconds) {
            offset = heard
        }
    }

    /// Hears a feed's `Date`, received at `now`.
    public mutating func hear(date: Timestamp, at now: Instant) {
        guard !isSynchronised else { return }
        let heard = (date + Self.middleOfSecond).microseconds.subtractingSaturated(now.microseconds)
        let difference = heard.subtractingSaturated(offset)
        if difference.magnitude <= UInt64(Self.agreement.wholeMicroseconds) {
            disagreements = 0
            // A clock that was synchronised once is finer than whole seconds.
            if source != .kernel {
                offset = offset.addingSaturated(difference / Self.smoothing)
                source = .feed
            }
            return
        }
        disagreements += 1
        guard source == .wall || disagreements >= Self.believedAfter else { return }
        offset = heard
        source = .feed
        disagreements = 0
    }
}
