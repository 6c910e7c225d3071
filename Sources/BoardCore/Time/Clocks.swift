/// The machine's clocks, real or simulated.
public protocol MachineClock: Sendable {
    /// CLOCK_BOOTTIME.
    func now() -> Instant
    func reading() -> CorrectedClock.Reading
    /// Sleeps until an instant, or until the task is cancelled.
    func sleep(until instant: Instant) async
}

extension MachineClock {
    /// Sleeps for a while, or until the task is cancelled.
    public func sleep(for duration: Duration) async { await sleep(until: now() + duration) }

    /// Waits for the first element of a stream; nil: none came within the limit, or the stream or the task ended.
    public func first<Element: Sendable>(of stream: AsyncStream<Element>, within limit: Duration) async -> Element? {
        await withTaskGroup(of: Element?.self) { group in
            group.addTask { await stream.first { _ in true } }
            group.addTask {
                await sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

/// A clock stopped at a moment, for what is computed at once. Its sleeps end at once.
public struct StoppedClock: MachineClock {
    private let moment: Timestamp

    public init(_ moment: Timestamp) { self.moment = moment }

    /// Late enough after boot for every duration before it.
    public func now() -> Instant { Instant(microseconds: 86_400_000_000) }
    public func reading() -> CorrectedClock.Reading { .init(wall: moment, isSynchronised: true) }
    public func sleep(until instant: Instant) async {}
}

/// The clocks of responding servers, as offsets from the elapsed-time clock, and their consensus.
///
/// Each host has one vote, so that one with a wrong clock does not change the times of other hosts' departures.
struct HostClocks: Hashable, Sendable, Codable {
    struct Consensus: Hashable, Sendable {
        /// The offsets of the majority, in microseconds.
        let offsets: ClosedRange<Int64>
        /// Whether as many others agree on a different time, and only this machine's own clock decides.
        let isDisputed: Bool
    }

    private struct Host: Hashable, Sendable, Codable {
        var offset: Int64
        /// When its last sample arrived.
        var lastResponseAt: Instant
        /// The different offset of its last samples, if they contradict `offset`.
        var other: Int64?
        /// How many consecutive samples agree on `other`.
        var others = 0

        /// Applies a sample of this host. A consistent sample moves the offset only as far as necessary: while the
        /// host's clock is right, no sample makes the offset worse, however its seconds are rounded.
        mutating func take(_ sample: DateSample) {
            lastResponseAt = sample.received
            let agreeing = { (offset: Int64) in
                offset.distance(from: offset.clamped(to: sample.offsets)) <= HostClocks.jitter
            }
            if agreeing(offset) {
                offset = offset.clamped(to: sample.offsets)
                other = nil
                others = 0
                return
            }
            if let last = other, agreeing(last) {
                other = last.clamped(to: sample.offsets)
                others += 1
            } else {
                other = sample.offset
                others = 1
            }
            guard others >= HostClocks.replacedAfter, let replacement = other else { return }
            offset = replacement
            other = nil
            others = 0
        }
    }

    /// The number of consecutive samples that must contradict a host's offset and agree with each other to replace it:
    /// a load balancer may have one server with a wrong clock.
    private static let replacedAfter = 3
    /// How far outside a sample's range an offset of the same host may be, in microseconds: servers behind one name
    /// differ.
    private static let jitter: UInt64 = 1_500_000
    /// The largest difference between two hosts that agree, in microseconds: servers with NTP differ by less than a
    /// second, and a sample may be off by the wait that ``DateSample`` allows.
    private static let agreement: UInt64 = 3_000_000
    /// How long a host keeps its vote after its last response. A crystal that is 100 ppm off drifts by 1 s in this
    /// time.
    private static let voteDuration = Duration.seconds(3 * 3_600)
    /// The maximum number of hosts; a board uses a dozen.
    private static let maximumHosts = 16

    private var hosts: [String: Host] = [:]

    /// Whether the clocks can have resulted from samples.
    var isValid: Bool {
        hosts.count <= Self.maximumHosts
            && hosts.values.allSatisfy { host in
                CorrectedClock.isValid(offset: host.offset) && host.other.isNilOr(CorrectedClock.isValid)
                    && (0..<Self.replacedAfter).contains(host.others)
            }
    }

    /// Adds a sample, and removes hosts that have not responded recently.
    mutating func take(_ sample: DateSample) {
        hosts = hosts.filter { sample.received - $0.value.lastResponseAt < Self.voteDuration }
        if hosts[sample.host] == nil, hosts.count >= Self.maximumHosts,
            let oldest = hosts.min(by: { ($0.value.lastResponseAt, $0.key) < ($1.value.lastResponseAt, $1.key) })
        {
            hosts[oldest.key] = nil
        }
        var host = hosts[sample.host] ?? Host(offset: sample.offset, lastResponseAt: sample.received)
        host.take(sample)
        hosts[sample.host] = host
    }

    /// The offsets of the largest group of hosts that agree; of groups of equal size the one nearest to this machine's
    /// own clock, which has a vote too if it `counts`, because it was synchronised recently. Nil without hosts.
    func consensus(own: Int64, counts: Bool) -> Consensus? {
        let votes = hosts.values.map(\.offset) + (counts ? [own] : [])
        let groups = votes.map { vote in votes.filter { $0.distance(from: vote) <= Self.agreement } }
        let size = groups.map(\.count).max() ?? 0
        let best = zip(votes, groups).filter { $0.1.count == size }
        guard !hosts.isEmpty,
            let chosen = best.min(by: { ($0.0.distance(from: own), $0.0) < ($1.0.distance(from: own), $1.0) }),
            let least = chosen.1.min(), let greatest = chosen.1.max()
        else { return nil }
        let isDivided = best.contains { $0.0.distance(from: chosen.0) > Self.agreement }
        return Consensus(offsets: least...greatest, isDisputed: isDivided && !(counts && chosen.1.contains(own)))
    }
}

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
        let ownCounts = synchronisedAt.isSomeAnd { sample.received - $0 < Self.holdover }
        guard let consensus = hosts.consensus(own: own, counts: ownCounts) else { return }
        offset = offset.clamped(to: consensus.offsets)
        guard !(ownCounts && consensus.offsets.contains(own)) else { return source = .kernel }
        source = consensus.isDisputed ? .disputed : .feed
    }
}

/// The `Date` header of one response with the instants between which the server wrote it.
public struct DateSample: Hashable, Sendable {
    /// The longest time from the start of a request, with name resolution and connection, to its `Date` header for
    /// which the sample may set the clock. `Date` has whole seconds; twice that adds an error of the same order.
    static let maximumWait = Duration.seconds(2)
    /// `Date` has whole seconds, rounded down (RFC 9110 §5.6.7).
    private static let resolution = Duration.seconds(1)
    /// From 2026, when this program was written, to 2046: a server with another time has a broken clock, or none.
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
    var isSlow: Bool { received - requested > Self.maximumWait }

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
    var offset: Int64 { (date + Self.resolution / 2).microseconds.subtractingSaturated(received.microseconds) }
}

extension Int64 {
    func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }

    /// The absolute difference; saturates.
    func distance(from other: Int64) -> UInt64 { subtractingSaturated(other).magnitude }
}
