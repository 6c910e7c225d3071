/// When to ask whom: intervals, quotas, back-off. Pure; it knows no answer, only that there was one.
struct PollPlan: Hashable, Sendable {
    /// Quiet hours ask this seldom.
    static let quietInterval = Duration.seconds(300)
    /// A press asks for an answer that is older than this.
    static let refreshAfter = Duration.seconds(15)
    /// A question that nobody answered or failed by now is lost; far beyond every time-out.
    static let requestTimeout = Duration.seconds(120)

    private struct Entry: Hashable {
        enum State: Hashable {
            /// To be asked as soon as the operator allows.
            case pending(since: Instant)
            /// Asked.
            case inFlight(since: Instant)
            /// Answered; asked again an interval after the last question, and `jitter` later.
            case polled(requestedAt: Instant, jitter: Duration)
            /// Failed in a way that may pass.
            case failed(at: Instant, until: Instant)
            /// Refused in a way that only a person can end.
            case rejected(at: Instant, until: Instant)
        }

        /// What is asked; an answer to another question is none.
        let request: FeedRequest
        var state: State
        var failures = 0
        var lastResponseAt: Instant?
        /// Requests that the last question cost.
        var cost = 1
    }

    private var entries: [StopID: Entry] = [:]
    private var rateLimiters: [FeedName: RateLimiter] = [:]
    private var intervals: [FeedName: Duration] = [:]
    /// Before when an operator wants no questions about runs. Some count them apart from those about stops; where they are
    /// counted together, the next one about a stop is told so, too.
    private var detailsBlocked: [FeedName: Instant] = [:]
    private var random: RandomSource
    /// Whether it is a quiet hour and nobody has lit the board.
    var isQuiet = false
    /// The stops that a person sees: they come first, and their interval is never stretched.
    var inView: [StopID] = []

    init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    /// Takes over a configuration: new questions are wanted at once, also where the old one is under way, and so are those
    /// that were refused, since a person may have mended what was wrong.
    mutating func configure(_ questions: [FeedRequest], profiles: [FeedName: FeedProfile], at now: Instant) {
        for (name, profile) in profiles {
            intervals[name] = profile.interval
            rateLimiters[name, default: RateLimiter(profile.quota)].quota = profile.quota
        }
        let old = entries
        entries = [:]
        for request in questions {
            let known = old[request.stop].flatMap { $0.request == request ? $0 : nil }
            var entry = known ?? Entry(request: request, state: .pending(since: now))
            if case .rejected = entry.state { entry.state = .pending(since: now) }
            entries[request.stop] = entry
        }
    }

    /// Asks sooner, because somebody looks: unless the answer is fresh, or the operator refused.
    mutating func pollSoon(_ stop: StopID, evenIfFresh: Bool = false, at now: Instant) {
        guard var entry = entries[stop] else { return }
        switch entry.state {
        case .pending, .inFlight, .rejected: return
        case .polled, .failed: break
        }
        if !evenIfFresh, let last = entry.lastResponseAt, now - last <= Self.refreshAfter { return }
        entry.state = .pending(since: now)
        entries[stop] = entry
    }

    /// What to ask now, of the stops in view first; it counts as asked from here on.
    mutating func take(at now: Instant) -> [FeedRequest] {
        guard entries.contains(where: { self.due($0.value, of: $0.key) <= now }) else { return [] }
        let due = entries.compactMap { stop, entry -> (stop: StopID, due: Instant)? in
            let due = self.due(entry, of: stop)
            // Whose jitter alone is left goes along: one wake-up and one awake connection for all.
            let isNear =
                if case .polled(let requestedAt, _) = entry.state { requestedAt + interval(of: stop) <= now } else {
                    false
                }
            return due <= now || isNear ? (stop, due) : nil
        }
        let order = due.sorted { left, right in
            let (first, second) = (inView.contains(left.stop), inView.contains(right.stop))
            if first != second { return first }
            return (left.due, left.stop.description) < (right.due, right.stop.description)
        }
        return order.map(\.stop).compactMap { stop in
            guard var entry = entries[stop], var rateLimiter = rateLimiters[stop.feed],
                rateLimiter.nextAllowed(entry.cost, at: now) <= now
            else { return nil }
            rateLimiter.record(entry.cost, at: now)
            rateLimiters[stop.feed] = rateLimiter
            entry.state = .inFlight(since: now)
            entries[stop] = entry
            return entry.request
        }
    }

    /// The next instant at which ``take(at:)`` has something to ask.
    func nextDue(at now: Instant) -> Instant? {
        entries.map { stop, entry in
            let due = max(self.due(entry, of: stop), now)
            return rateLimiters[stop.feed]?.nextAllowed(entry.cost, at: due) ?? due
        }.min()
    }

    /// The soonest instant at which an operator may be asked about a run; nil: there is no such operator.
    func nextDetailsRequest(of feed: FeedName, at now: Instant) -> Instant? {
        rateLimiters[feed].map { max($0.nextAllowed(1, at: now), detailsBlocked[feed] ?? now) }
    }

    /// Whether an operator may be asked about a run now; the question is counted then.
    mutating func takeDetailsRequest(of feed: FeedName, at now: Instant) -> Bool {
        guard let free = nextDetailsRequest(of: feed, at: now), free <= now else { return false }
        rateLimiters[feed]?.record(1, at: now)
        return true
    }

    /// A question about a run failed.
    mutating func detailsFailed(of feed: FeedName, _ failure: FeedFailure, at now: Instant) {
        guard let wanted = Self.retryDelay(failure, otherwise: Backoff.first) else { return }
        detailsBlocked[feed] = now + wanted
    }

    /// How long an operator is left alone that asks for it: neither "at once" nor "next week" helps anybody. Nil: it does not
    /// ask for it.
    ///
    /// - Parameter usual: what one asks for that is asked too often and does not say how long.
    private static func retryDelay(_ failure: FeedFailure, otherwise usual: Duration) -> Duration? {
        let isThrottled = if case .rateLimited = failure.kind { true } else { false }
        return (failure.retryAfter ?? (isThrottled ? usual : nil)).map {
            min(max($0, Backoff.first), RateLimiter.longestWait)
        }
    }

    /// An answer came.
    ///
    /// - Parameter age: how long ago it was told; the next question is due as if this one had been asked then.
    mutating func polled(_ stop: StopID, requests: Int, age: Duration = .zero, at now: Instant) {
        guard var entry = entries[stop] else { return }
        settle(&entry, of: stop, requests: requests, at: now)
        let requestedAt = if case .inFlight(let since) = entry.state { since } else { now }
        // Half an interval is kept between two questions whatever a feed says.
        let told = requestedAt - min(age, interval(of: stop) / 2)
        entry.state = .polled(requestedAt: told, jitter: random.part(of: interval(of: stop) / 10))
        let isBack = entry.failures > 0
        entry.failures = 0
        entry.lastResponseAt = now - age
        entries[stop] = entry
        // The operator is back: its other stops need not sit out their waits.
        guard isBack else { return }
        for (other, var waiting) in entries where other.feed == stop.feed {
            guard case .failed = waiting.state else { continue }
            waiting.state = .pending(since: now)
            entries[other] = waiting
        }
    }

    /// A question failed.
    mutating func failed(_ stop: StopID, _ failure: FeedFailure, at now: Instant) {
        guard var entry = entries[stop] else { return }
        settle(&entry, of: stop, requests: failure.requests, at: now)
        entry.failures += 1
        let wait = Backoff.wait(afterFailures: entry.failures)
        let until = now + wait + random.part(of: wait / 4)
        switch failure.kind {
        case .keyRejected, .keyMissing, .unknownStop:
            entry.state = .rejected(at: now, until: now + Backoff.rejected)
        case .rateLimited:
            let wait = Self.retryDelay(failure, otherwise: until - now) ?? (until - now)
            rateLimiters[stop.feed]?.block(for: wait, at: now)
            entry.state = .failed(at: now, until: now + wait)
        case .cancelled:
            // Nobody is to blame, but whoever abandons questions at once must not be asked in a circle.
            entry.failures -= 1
            entry.state = .failed(at: now, until: now + Backoff.first)
        case .noNetwork, .certificateDate, .certificate, .timedOut, .status, .unreadable:
            // One that is out of order and says until when is asked about no other stop before.
            let wanted = Self.retryDelay(failure, otherwise: .zero)
            if let wanted { rateLimiters[stop.feed]?.block(for: wanted, at: now) }
            entry.state = .failed(at: now, until: max(until, now + (wanted ?? .zero)))
        }
        entries[stop] = entry
    }

    /// When `stop` was last asked or failed, and when it will be asked next; nil while it is being asked.
    func wait(of stop: StopID, at now: Instant) -> (from: Instant, until: Instant)? {
        guard let entry = entries[stop] else { return nil }
        let until = max(due(entry, of: stop), rateLimiters[stop.feed]?.nextAllowed(entry.cost, at: now) ?? now)
        switch entry.state {
        case .inFlight, .pending: return nil
        case .polled(let from, _), .failed(let from, _), .rejected(let from, _): return (from, until)
        }
    }

    /// The time between two questions about a stop. More stops than the operator's quota has room for are asked less
    /// often, so that half of it stays for those in view.
    private func interval(of stop: StopID) -> Duration {
        let normal = intervals[stop.feed] ?? .seconds(30)
        if isQuiet { return max(normal, Self.quietInterval) }
        guard !inView.contains(stop), let quota = rateLimiters[stop.feed]?.quota else { return normal }
        let demand = entries.reduce(0) { $0 + ($1.key.feed == stop.feed ? $1.value.cost : 0) }
        return max(normal, quota.per * (2 * demand) / max(1, quota.requests))
    }

    private func due(_ entry: Entry, of stop: StopID) -> Instant {
        switch entry.state {
        case .pending(let since): since
        case .inFlight(let since): since + Self.requestTimeout
        case .polled(let requestedAt, let jitter): requestedAt + interval(of: stop) + jitter
        case .failed(_, let until), .rejected(_, let until): until
        }
    }

    /// Corrects what was counted when the question was asked by what it really cost.
    private mutating func settle(_ entry: inout Entry, of stop: StopID, requests: Int, at now: Instant) {
        if requests > entry.cost { rateLimiters[stop.feed]?.record(requests - entry.cost, at: now) }
        entry.cost = max(1, requests)
    }
}
