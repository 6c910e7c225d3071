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

        /// Applies a sample of this host. A consistent sample moves the offset only as far as necessary: while the host's
        /// clock is right, no sample makes the offset worse, however its seconds are rounded.
        mutating func take(_ sample: DateSample) {
            lastResponseAt = sample.received
            let agreeing = { (offset: Int64) in
                offset.distance(from: offset.clamped(to: sample.offsets)) <= HostClocks.jitter
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
            guard others >= HostClocks.replacedAfter, let replacement = other else { return }
            offset = replacement
            (other, others) = (nil, 0)
        }
    }

    /// The number of consecutive samples that must contradict a host's offset and agree with each other to replace it:
    /// a load balancer may have one server with a wrong clock.
    private static let replacedAfter = 3
    /// How far outside the range of a sample an offset of the same host may be, in microseconds: servers behind one name
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

    /// Whether the clocks can result from samples.
    var isValid: Bool {
        hosts.count <= Self.maximumHosts
            && hosts.values.allSatisfy { host in
                CorrectedClock.isValid(offset: host.offset) && host.other.map(CorrectedClock.isValid) ?? true
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
