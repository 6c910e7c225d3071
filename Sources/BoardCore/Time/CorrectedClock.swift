/// The current time from the best available source: the kernel's synchronised clock, the feeds' `Date` headers, the
/// unsynchronised system clock.
///
/// A Pi has no battery clock: after a power cut its system clock may be years off until the network is up. The time is
/// therefore stored as an offset from the elapsed-time clock, and a jump of the system clock alone has no effect.
public struct CorrectedClock: Hashable, Sendable, Codable {
    public struct Reading: Hashable, Sendable {
        /// The system clock (CLOCK_REALTIME).
        public let wall: Timestamp
        /// Whether the kernel reports the clock as synchronised (STA_UNSYNC is not set).
        public let isSynchronised: Bool

        public init(wall: Timestamp, isSynchronised: Bool) {
            self.wall = wall
            self.isSynchronised = isSynchronised
        }
    }

    /// The source of the time, best first.
    public enum Source: String, CaseIterable, Sendable, Codable {
        /// The kernel's clock while it was synchronised.
        case kernel
        /// The `Date` headers of responses.
        case feed
        /// `Date` headers of hosts that disagree: the time nearest to this machine's own clock.
        case disputed
        /// The unsynchronised system clock: the clock on the display shows `?`.
        case wall
    }

    /// Smaller differences between two readings are noise, not a step: two clocks cannot be read at one instant.
    private static let noise = Duration.milliseconds(10)
    /// How long after its last synchronisation the kernel's clock counts as much as a host's: a crystal that is 100 ppm
    /// off drifts by 9 s in this time, and the kernel declares a clock unsynchronised after hours without NTP.
    private static let holdover = Duration.seconds(86_400)
    /// Ten thousand years in microseconds: the limit of a valid offset.
    private static let farthest: UInt64 = 315_569_520_000_000_000

    public private(set) var source: Source
    /// Microseconds from the elapsed-time clock to UTC.
    private var offset: Int64
    /// The offset of this machine's own clock at its last synchronisation, or before the first `Date` header.
    private var own: Int64
    private var isSynchronised: Bool
    /// When the kernel last reported the clock as synchronised; nil: never.
    private var synchronisedAt: Instant?
    private var hosts = HostClocks()

    public init(_ reading: Reading, at now: Instant) {
        offset = reading.wall.microseconds.subtractingSaturated(now.microseconds)
        own = offset
        isSynchronised = reading.isSynchronised
        synchronisedAt = reading.isSynchronised ? now : nil
        source = reading.isSynchronised ? .kernel : .wall
    }

    var isValid: Bool { Self.isValid(offset: offset) && Self.isValid(offset: own) && hosts.isValid }

    /// Whether a machine's clock can have this offset.
    static func isValid(offset: Int64) -> Bool { offset.magnitude <= farthest }

    /// Whether the clock is unsynchronised, or hosts disagree about the time.
    public var isUncertain: Bool { source == .wall || source == .disputed }

    public func timestamp(at instant: Instant) -> Timestamp {
        Timestamp(microseconds: instant.microseconds.addingSaturated(offset))
    }

    public func instant(of moment: Timestamp) -> Instant {
        Instant(microseconds: moment.microseconds.subtractingSaturated(offset))
    }

    public mutating func read(_ reading: Reading, at now: Instant) {
        isSynchronised = reading.isSynchronised
        guard reading.isSynchronised || source == .wall else { return }
        let read = reading.wall.microseconds.subtractingSaturated(now.microseconds)
        if reading.isSynchronised {
            source = .kernel
            synchronisedAt = now
            hosts = HostClocks()
            own = offset
        }
        guard read.distance(from: own) > Self.noise.wholeMicroseconds.magnitude else { return }
        offset = read
        own = read
    }

    /// Applies the `Date` header of a response; ignores it while the kernel's clock is synchronised.
    public mutating func take(_ sample: DateSample) {
        guard !isSynchronised, sample.isPlausible, Self.isValid(offset: sample.offset) else { return }
        guard !sample.isSlow else {
            // Not precise enough to set the clock, but it limits the error of an unsynchronised one.
            if source == .wall { offset = offset.clamped(to: sample.offsets) }
            return
        }
        hosts.take(sample)
        let ownCounts = synchronisedAt.map { sample.received - $0 < Self.holdover } ?? false
        guard let consensus = hosts.consensus(own: own, counts: ownCounts) else { return }
        offset = offset.clamped(to: consensus.offsets)
        guard !(ownCounts && consensus.offsets.contains(own)) else { return source = .kernel }
        source = consensus.isDisputed ? .disputed : .feed
    }
}
