/// A limit in a rolling window: of an operator's requests, with the end of a requested wait; of lines in the log; of
/// tries.
public struct RateLimiter: Hashable, Sendable {
    private struct Usage: Hashable {
        let at: Instant
        let requests: Int
    }

    var quota: FeedProfile.Quota
    private var usage: [Usage] = []
    private var blockedUntil: Instant?

    init(_ quota: FeedProfile.Quota) { self.quota = quota }

    public init(_ count: Int, per duration: Duration) { self.init(FeedProfile.Quota(requests: count, per: duration)) }

    /// Counts one, if it is allowed now.
    ///
    /// - Returns: the wait until it is; nil: it was counted.
    public mutating func take(at now: Instant) -> Duration? {
        if let wait = wait(at: now) { return wait }
        record(1, at: now)
        return nil
    }

    /// Counts one, if it is allowed now; returns whether it is the last for now, nil: it is not allowed.
    public mutating func takeLast(at now: Instant) -> Bool? { take(at: now) == nil ? wait(at: now) != nil : nil }

    /// The wait until one more is allowed; nil: it is now.
    public func wait(at now: Instant) -> Duration? {
        let free = nextAllowed(1, at: now)
        return free > now ? free - now : nil
    }

    /// The first instant, not before `now`, at which `requests` more are allowed.
    func nextAllowed(_ requests: Int, at now: Instant) -> Instant {
        var free = max(now, blockedUntil ?? now)
        var used = usage.reduce(0) { $0 + ($1.at + quota.per > free ? $1.requests : 0) }
        // A poll that takes more than the whole quota is allowed alone in a window.
        for entry in usage where used > 0 && used + requests > quota.requests && entry.at + quota.per > free {
            free = entry.at + quota.per
            used -= entry.requests
        }
        return free
    }

    mutating func record(_ requests: Int = 1, at now: Instant) {
        usage.removeAll { $0.at + quota.per <= now }
        usage.append(Usage(at: now, requests: requests))
    }

    /// Takes back requests that were recorded at an instant: they were not sent.
    mutating func refund(_ requests: Int, recordedAt instant: Instant) {
        var left = requests
        while left > 0, let index = usage.lastIndex(where: { $0.at == instant }) {
            let entry = usage.remove(at: index)
            if entry.requests > left { usage.insert(Usage(at: instant, requests: entry.requests - left), at: index) }
            left -= entry.requests
        }
    }

    mutating func block(for wait: Duration, at now: Instant) {
        let until = now + wait
        blockedUntil = max(until, blockedUntil ?? until)
    }
}
