/// What one operator allows: requests in a rolling window, and a time before which it wants none.
struct RateLimiter: Hashable, Sendable {
    /// The longest time that an operator's Retry-After is believed.
    static let longestWait = Duration.seconds(3_600)

    private struct Usage: Hashable {
        let at: Instant
        let requests: Int
    }

    /// What the operator allows.
    var quota: FeedProfile.Quota
    private var usage: [Usage] = []
    private var blockedUntil: Instant?

    init(_ quota: FeedProfile.Quota) {
        self.quota = quota
    }

    /// The soonest instant, not before `now`, at which `requests` more are allowed.
    func nextAllowed(_ requests: Int, at now: Instant) -> Instant {
        var free = max(now, blockedUntil ?? now)
        var used = usage.reduce(0) { $0 + ($1.at + quota.per > free ? $1.requests : 0) }
        // A question dearer than the whole quota must still be asked one day: alone in its window.
        for entry in usage where used > 0 && used + requests > quota.requests && entry.at + quota.per > free {
            free = entry.at + quota.per
            used -= entry.requests
        }
        return free
    }

    /// Counts requests made at `now`.
    mutating func record(_ requests: Int, at now: Instant) {
        usage.removeAll { $0.at + quota.per <= now }
        usage.append(Usage(at: now, requests: requests))
    }

    /// Asks nothing before `wait` has passed.
    mutating func block(for wait: Duration, at now: Instant) {
        let until = now + wait
        blockedUntil = max(until, blockedUntil ?? until)
    }

    /// Lets an operator be asked again at once.
    mutating func unblock() {
        blockedUntil = nil
    }
}
