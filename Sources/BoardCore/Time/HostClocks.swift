/// The clocks of the servers that answer, each as an offset from the clock of elapsed time, and what most of them agree on.
///
/// Each host has one vote, so that one with a wrong clock does not move the time of the others' departures.
struct HostClocks: Hashable, Sendable {
    /// What the hosts agree on.
    struct Consensus: Hashable, Sendable {
        /// The offsets of those that agree, in microseconds.
        let offsets: ClosedRange<Int64>
        /// Whether as many others agree on another time, and nothing but this machine's own clock decides.
        let isDisputed: Bool
    }

    /// One server's clock.
    fileprivate struct Host: Hashable, Sendable, Codable {
        /// Microseconds from the clock of elapsed time to UTC.
        var offset: Int64
        /// When its last sample arrived.
        var lastResponseAt: Instant
        /// The other offset of its last samples, where they disagree with `offset`.
        var other: Int64?
        /// How many samples in a row agree on `other`.
        var others = 0
    }

    /// As many samples in a row that disagree with a host's offset and agree with each other replace it: a load balancer
    /// may have one server with a wrong clock.
    fileprivate static let replacedAfter = 3
    /// How far outside the range of a sample an offset of the same host may lie: servers behind one name differ.
    fileprivate static let jitter = Duration.milliseconds(1_500)
    /// Two hosts whose clocks differ by no more agree: servers with NTP differ by less than a second, and a sample may be
    /// off by the wait that ``DateSample`` allows.
    private static let agreement = Duration.seconds(3)
    /// How long a host that answers no more keeps its vote. A crystal that is 100 ppm off drifts by 1 s in it.
    private static let memory = Duration.seconds(3 * 3_600)
    /// The most hosts that are remembered; a board asks a dozen.
    private static let most = 16

    private var hosts: [String: Host] = [:]

    /// The clocks of no host.
    init() {}

    /// Takes a sample in, and forgets hosts that have not answered for long.
    mutating func take(_ sample: DateSample) {
        hosts = hosts.filter { sample.received - $0.value.lastResponseAt < Self.memory }
        if hosts[sample.host] == nil, hosts.count >= Self.most,
            let oldest = hosts.min(by: { ($0.value.lastResponseAt, $0.key) < ($1.value.lastResponseAt, $1.key) })
        {
            hosts[oldest.key] = nil
        }
        var host = hosts[sample.host] ?? Host(offset: sample.offset, lastResponseAt: sample.received)
        host.take(sample)
        hosts[sample.host] = host
    }

    /// What the most hosts agree on; of groups of one size the one nearest to this machine's own clock. Nil without hosts.
    ///
    /// - Parameters:
    ///   - own: the offset of this machine's own clock.
    ///   - counts: whether that clock has a vote too, since it was synchronised not long ago.
    func consensus(own: Int64, counts: Bool) -> Consensus? {
        let votes = hosts.values.map(\.offset) + (counts ? [own] : [])
        let groups = votes.map { vote in votes.filter { $0.distance(from: vote) <= Self.agreement.magnitude } }
        let size = groups.map(\.count).max() ?? 0
        let best = zip(votes, groups).filter { $0.1.count == size }
        guard !hosts.isEmpty,
            let chosen = best.min(by: { ($0.0.distance(from: own), $0.0) < ($1.0.distance(from: own), $1.0) }),
            let least = chosen.1.min(), let greatest = chosen.1.max()
        else { return nil }
        let isDivided = best.contains { $0.0.distance(from: chosen.0) > Self.agreement.magnitude }
        return Consensus(offsets: least...greatest, isDisputed: isDivided && !(counts && chosen.1.contains(own)))
    }
}

extension HostClocks.Host {
    /// Takes a sample of this host in. One that agrees moves the offset only as far as the sample demands: while the host's
    /// clock is right, no sample makes the offset worse, however its seconds are rounded.
    fileprivate mutating func take(_ sample: DateSample) {
        lastResponseAt = sample.received
        let agreeing = { (offset: Int64) in
            offset.distance(from: offset.clamped(to: sample.offsets)) <= HostClocks.jitter.magnitude
        }
        if agreeing(offset) {
            offset = offset.clamped(to: sample.offsets)
            (other, others) = (nil, 0)
            return
        }
        if let last = other, agreeing(last) {
            other = last.clamped(to: sample.offsets)
            others += 1
        } else {
            (other, others) = (sample.offset, 1)
        }
        guard others >= HostClocks.replacedAfter, let believed = other else { return }
        offset = believed
        (other, others) = (nil, 0)
    }
}

extension Duration {
    /// Whole microseconds of a duration that is not negative.
    fileprivate var magnitude: UInt64 { wholeMicroseconds.magnitude }
}

extension HostClocks: Codable {
    /// Clocks that were kept.
    ///
    /// - Throws: `DecodingError` for those that no machine can have had.
    init(from decoder: any Decoder) throws {
        hosts = try decoder.singleValueContainer().decode([String: Host].self)
        let isValid =
            hosts.count <= Self.most
            && hosts.values.allSatisfy { host in
                CorrectedClock.isValid(offset: host.offset) && host.other.map(CorrectedClock.isValid) ?? true
                    && (0..<Self.replacedAfter).contains(host.others)
            }
        guard isValid else { throw DecodingError.invalid("clocks of hosts that cannot be", in: decoder) }
    }

    /// Keeps them.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hosts)
    }
}
