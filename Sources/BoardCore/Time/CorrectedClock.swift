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
        /// The `Date` of responses.
        case feed
        /// The same, of hosts that disagree: the time nearest to this machine's own clock.
        case disputed
        /// The unsynchronised wall clock: the clock on the glass says so.
        case wall
    }

    /// Smaller differences between two readings are noise, not a step: two clocks cannot be read at one instant.
    private static let noise = Duration.milliseconds(10)
    /// How long after its last synchronisation the kernel's clock counts as much as a host's: a crystal that is 100 ppm off
    /// drifts by 9 s in it, and the kernel itself declares a clock unsynchronised after hours without NTP.
    private static let holdover = Duration.seconds(86_400)
    /// Ten thousand years in microseconds: no clock is further from the start of its machine.
    private static let farthest: UInt64 = 315_569_520_000_000_000

    /// Whom the time comes from.
    public private(set) var source: Source
    /// Microseconds from the clock of elapsed time to UTC.
    private var offset: Int64
    /// The offset of this machine's own clock: when it was synchronised last, or before any host was heard.
    private var own: Int64
    private var isSynchronised: Bool
    /// When the kernel last said that its clock is synchronised; nil: never.
    private var synchronisedAt: Instant?
    private var hosts = HostClocks()

    /// A clock that knows one reading, taken at `now`.
    public init(_ reading: Reading, at now: Instant) {
        offset = reading.wall.microseconds.subtractingSaturated(now.microseconds)
        own = offset
        isSynchronised = reading.isSynchronised
        synchronisedAt = reading.isSynchronised ? now : nil
        source = reading.isSynchronised ? .kernel : .wall
    }

    /// A clock that was kept.
    ///
    /// - Throws: `DecodingError` for one that no machine can have had.
    public init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        source = try kept.decode(Source.self, forKey: .source)
        offset = try kept.decode(Int64.self, forKey: .offset)
        own = try kept.decode(Int64.self, forKey: .own)
        isSynchronised = try kept.decode(Bool.self, forKey: .isSynchronised)
        synchronisedAt = try kept.decodeIfPresent(Instant.self, forKey: .synchronisedAt)
        hosts = try kept.decode(HostClocks.self, forKey: .hosts)
        guard Self.isValid(offset: offset), Self.isValid(offset: own) else {
            throw DecodingError.invalid("an offset of ages", in: decoder)
        }
    }

    /// Whether a machine's clock can have this offset.
    static func isValid(offset: Int64) -> Bool { offset.magnitude <= farthest }

    /// Whether the time is that of an unsynchronised clock, or hosts disagree about it.
    public var isUncertain: Bool { source == .wall || source == .disputed }

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

    /// Takes the `Date` of a response in; it is of no use while the kernel's clock is synchronised.
    public mutating func take(_ sample: DateSample) {
        guard !isSynchronised, Self.isValid(offset: sample.offset) else { return }
        guard !sample.isSlow else {
            // It does not set the clock; but an unsynchronised one that it contradicts is wrong by so much at least.
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
