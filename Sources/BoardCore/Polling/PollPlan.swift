/// Schedules polls: intervals, quotas, back-off. A pure value that does not see the responses themselves.
struct PollPlan: Hashable, Sendable {
    static let quietInterval = Duration.seconds(300)
    private static let usualInterval = Duration.seconds(30)
    /// A press requests departures that are older than this.
    static let refreshAfter = Duration.seconds(15)
    /// A request without a result after this time counts as lost; far beyond every timeout.
    static let requestTimeout = Duration.seconds(120)

    /// What is polled: a stop on the board, or a query of another board, of which a stop may have several.
    private struct Key: Hashable {
        let stop: StopID
        var query: DepartureQuery?

        init(_ stop: StopID, _ query: DepartureQuery? = nil) {
            self.stop = stop
            self.query = query
        }
    }

    private struct Entry: Hashable {
        enum State: Hashable {
            /// Due as soon as the rate limit allows.
            case pending(since: Instant)
            case inFlight(since: Instant)
            /// Successful; due again one interval after the request, plus `jitter`.
            case polled(requestedAt: Instant, jitter: Duration)
            /// Failed temporarily.
            case failed(at: Instant, until: Instant)
            /// Rejected until a person resolves it.
            case rejected(at: Instant, until: Instant)
        }

        /// The request; a response to a different request does not count.
        let request: FeedRequest
        var state: State
        var failures = 0
        var lastResponseAt: Instant?
        /// The number of HTTP requests that the last poll took.
        var cost = 1
        /// How often other boards poll; nil: none does.
        var every: Duration?
    }

    private var entries: [Key: Entry] = [:]
    private var rateLimiters: [FeedName: RateLimiter] = [:]
    private var intervals: [FeedName: Duration] = [:]
    /// Per operator: no requests for trip details before this instant. Some operators count them separately from polls;
    /// where they do not, the next poll runs into the rate limit itself.
    private var detailsBlocked: [FeedName: Instant] = [:]
    private var random: RandomSource
    /// Whether it is a quiet hour and no press has lit the board.
    var isQuiet = false
    /// The stops on the display: polled first, and at their normal interval.
    var inView: [StopID] = []

    init(seed: UInt64) { random = RandomSource(seed: seed) }

    /// Applies a configuration. New requests are due at once, even while an old one is in flight, and so are rejected
    /// ones, because the cause may have been fixed.
    ///
    /// - Parameter others: the queries of other boards that this board polls for them.
    mutating func configure(
        _ requests: [FeedRequest], others: [PollQuery] = [], profiles: [FeedName: FeedProfile], at now: Instant
    ) {
        for (name, profile) in profiles {
            intervals[name] = profile.interval
            rateLimiters[name, default: RateLimiter(profile.quota)].quota = profile.quota
        }
        let old = entries
        entries = [:]
        for request in requests { insert(request, as: Key(request.stop), after: old, at: now) }
        for other in others where profiles[other.request.stop.feed] != nil {
            let (stop, query) = (other.request.stop, other.request.query)
            // A stop on the board is polled once, however many boards need it.
            let key = entries[Key(stop)]?.request.query == query ? Key(stop) : Key(stop, query)
            if key.query != nil, entries[key] == nil { insert(other.request, as: key, after: old, at: now) }
            let every = min(entries[key]?.every ?? other.interval, other.interval)
            entries[key]?.every = every
        }
    }

    private mutating func insert(_ request: FeedRequest, as key: Key, after old: [Key: Entry], at now: Instant) {
        let existing = old[key].flatMap { $0.request == request ? $0 : nil }
        var entry = existing ?? Entry(request: request, state: .pending(since: now))
        if case .rejected = entry.state { entry.state = .pending(since: now) }
        entry.every = nil
        entries[key] = entry
    }

    /// Whether a request is polled for other boards alone.
    func isForOthers(_ request: FeedRequest) -> Bool { entries[Key(request.stop)]?.request != request }

    /// The requests of the stops on the board, and how often each is polled.
    var queries: [PollQuery] {
        entries.filter { $0.key.query == nil }.map { key, entry in
            let normal = intervals[key.stop.feed] ?? Self.usualInterval
            return PollQuery(entry.request, every: isQuiet ? max(normal, Self.quietInterval) : normal)
        }.sorted { $0.request.stop.description < $1.request.stop.description }
    }

    /// Makes a poll due, because a user looks at the stop; does nothing while the departures are fresh or the request
    /// is rejected.
    mutating func pollSoon(_ stop: StopID, evenIfFresh: Bool = false, at now: Instant) {
        guard var entry = entries[Key(stop)] else { return }
        switch entry.state {
        case .pending, .inFlight, .rejected: return
        case .polled, .failed: break
        }
        if !evenIfFresh, let last = entry.lastResponseAt, now - last <= Self.refreshAfter { return }
        entry.state = .pending(since: now)
        entries[Key(stop)] = entry
    }

    /// The requests to send now, stops in view first; they count as sent.
    mutating func take(at now: Instant) -> [FeedRequest] {
        let demand = demand
        guard entries.contains(where: { self.due($0.value, of: $0.key, demand) <= now }) else { return [] }
        let due = entries.compactMap { key, entry -> (key: Key, due: Instant)? in
            let due = self.due(entry, of: key, demand)
            // Also those for which only jitter remains: one wake-up and one active connection for all.
            let isNear =
                if case .polled(let requestedAt, _) = entry.state {
                    requestedAt + interval(of: entry, key, demand) <= now
                } else {
                    false
                }
            return due <= now || isNear ? (key, due) : nil
        }
        let order = due.sorted { left, right in
            let (first, second) = (isInView(left.key), isInView(right.key))
            if first != second { return first }
            return (left.due, left.key.stop.description) < (right.due, right.key.stop.description)
        }
        return order.map(\.key).compactMap { key in
            guard var entry = entries[key], var rateLimiter = rateLimiters[key.stop.feed],
                rateLimiter.nextAllowed(entry.cost, at: now) <= now
            else { return nil }
            rateLimiter.record(entry.cost, at: now)
            rateLimiters[key.stop.feed] = rateLimiter
            entry.state = .inFlight(since: now)
            entries[key] = entry
            return entry.request
        }
    }

    /// The next instant at which ``take(at:)`` returns a request.
    func nextDue(at now: Instant) -> Instant? {
        let demand = demand
        // The rate limit depends on the operator and the cost alone: a hub has thousands of entries.
        var earliest: [FeedName: [Int: Instant]] = [:]
        for (key, entry) in entries {
            let due = max(self.due(entry, of: key, demand), now)
            let other = earliest[key.stop.feed]?[entry.cost]
            earliest[key.stop.feed, default: [:]][entry.cost] = other.map { min($0, due) } ?? due
        }
        return earliest.flatMap { feed, costs in
            costs.map { cost, due in rateLimiters[feed]?.nextAllowed(cost, at: due) ?? due }
        }.min()
    }

    /// The next instant at which an operator allows a request for trip details; nil: there is no such operator.
    func nextDetailsRequest(of feed: FeedName, at now: Instant) -> Instant? {
        rateLimiters[feed].map { max($0.nextAllowed(1, at: now), detailsBlocked[feed] ?? now) }
    }

    /// Whether a request for trip details may be sent now; if so, counts it.
    mutating func takeDetailsRequest(of feed: FeedName, at now: Instant) -> Bool {
        guard let free = nextDetailsRequest(of: feed, at: now), free <= now else { return false }
        rateLimiters[feed]?.record(1, at: now)
        return true
    }

    /// The wait until the quota has room for one request besides a poll of every stop of the operator; nil: none.
    func lookWait(of feed: FeedName, at now: Instant) -> Duration? {
        let polls = entries.reduce(0) { $0 + ($1.key.stop.feed == feed ? $1.value.cost : 0) }
        guard let free = rateLimiters[feed]?.nextAllowed(polls + 1, at: now), free > now else { return nil }
        return free - now
    }

    /// Counts a request that a viewer caused.
    mutating func looked(at feed: FeedName, at now: Instant) { rateLimiters[feed]?.record(1, at: now) }

    mutating func detailsFailed(of feed: FeedName, _ failure: FeedError, at now: Instant) {
        guard let delay = Backoff.requestedWait(failure, otherwise: Backoff.polls.first) else { return }
        detailsBlocked[feed] = now + delay
    }

    /// - Parameters:
    ///   - query: a query of other boards; nil: the stop is on the board.
    ///   - age: the age of the data; the next poll is due as if this one had been sent then.
    mutating func polled(
        _ stop: StopID, for query: DepartureQuery? = nil, requests: Int, age: Duration = .zero, at now: Instant
    ) {
        let key = Key(stop, query)
        guard var entry = entries[key] else { return }
        settle(&entry, of: stop, requests: requests, at: now)
        let requestedAt = if case .inFlight(let since) = entry.state { since } else { now }
        // At least half an interval lies between two requests, whatever the feed reports.
        let interval = interval(of: entry, key, demand)
        let effective = requestedAt - min(age, interval / 2)
        entry.state = .polled(requestedAt: effective, jitter: random.part(of: interval / 10))
        let isBack = entry.failures > 0
        entry.failures = 0
        entry.lastResponseAt = now - age
        entries[key] = entry
        // The operator responds again: its other stops do not wait for the end of their back-off.
        guard isBack else { return }
        for (other, var waiting) in entries where other.stop.feed == stop.feed {
            guard case .failed = waiting.state else { continue }
            waiting.state = .pending(since: now)
            entries[other] = waiting
        }
    }

    /// - Parameter query: as in ``polled(_:for:requests:age:at:)``.
    mutating func failed(_ stop: StopID, for query: DepartureQuery? = nil, _ failure: FeedError, at now: Instant) {
        let key = Key(stop, query)
        guard var entry = entries[key] else { return }
        settle(&entry, of: stop, requests: failure.requests, at: now)
        entry.failures += 1
        let wait = Backoff.polls.wait(afterFailures: entry.failures)
        let until = now + wait + random.part(of: wait / 4)
        switch failure.kind {
        case .keyRejected, .keyMissing, .unknownStop: entry.state = .rejected(at: now, until: now + Backoff.rejected)
        case .rateLimited:
            let wait = Backoff.requestedWait(failure, otherwise: until - now) ?? (until - now)
            rateLimiters[stop.feed]?.block(for: wait, at: now)
            entry.state = .failed(at: now, until: now + wait)
        case .cancelled:
            // Not a failure of the operator, but a feed that cancels every request at once must not cause a busy loop.
            entry.failures -= 1
            entry.state = .failed(at: now, until: now + Backoff.polls.first)
        case .noNetwork, .certificateDate, .certificate, .timedOut, .status, .unreadable, .noZone:
            // The wait that a failing operator requests applies to all of its stops.
            let delay = Backoff.requestedWait(failure, otherwise: .zero)
            if let delay { rateLimiters[stop.feed]?.block(for: delay, at: now) }
            entry.state = .failed(at: now, until: max(until, now + (delay ?? .zero)))
        }
        entries[key] = entry
    }

    /// The instants of the last and the next poll of `stop`; nil while a poll is in flight or due.
    func wait(of stop: StopID, at now: Instant) -> (from: Instant, until: Instant)? {
        guard let entry = entries[Key(stop)] else { return nil }
        let until = max(
            due(entry, of: Key(stop), demand), rateLimiters[stop.feed]?.nextAllowed(entry.cost, at: now) ?? now)
        switch entry.state {
        case .inFlight, .pending: return nil
        case .polled(let from, _), .failed(let from, _), .rejected(let from, _): return (from, until)
        }
    }

    private func isInView(_ key: Key) -> Bool { key.query == nil && inView.contains(key.stop) }

    /// The number of HTTP requests of one poll of everything, by feed.
    private var demand: [FeedName: Int] {
        entries.reduce(into: [:]) { $0[$1.key.stop.feed, default: 0] += $1.value.cost }
    }

    /// The time between two polls. With more stops than the quota allows, those not in view are polled less often, so
    /// that half of the quota remains for those in view. Queries of other boards keep those boards' intervals.
    private func interval(of entry: Entry, _ key: Key, _ demand: [FeedName: Int]) -> Duration {
        let normal = intervals[key.stop.feed] ?? Self.usualInterval
        var demanded = isQuiet ? max(normal, Self.quietInterval) : normal
        if let every = entry.every { demanded = max(normal, key.query == nil ? min(demanded, every) : every) }
        guard !isQuiet || entry.every != nil, !isInView(key), let quota = rateLimiters[key.stop.feed]?.quota else {
            return demanded
        }
        return max(demanded, quota.per * (2 * (demand[key.stop.feed] ?? 0)) / max(1, quota.requests))
    }

    private func due(_ entry: Entry, of key: Key, _ demand: [FeedName: Int]) -> Instant {
        switch entry.state {
        case .pending(let since): since
        case .inFlight(let since): since + Self.requestTimeout
        case .polled(let requestedAt, let jitter): requestedAt + interval(of: entry, key, demand) + jitter
        case .failed(_, let until), .rejected(_, let until): until
        }
    }

    /// Corrects the usage counted at the start of the request to the actual number.
    private mutating func settle(_ entry: inout Entry, of stop: StopID, requests: Int, at now: Instant) {
        if requests > entry.cost { rateLimiters[stop.feed]?.record(requests - entry.cost, at: now) }
        guard requests > 0 else {
            // A cache or another board has responded: nothing was sent, and the cost of a poll is unchanged.
            if case .inFlight(let since) = entry.state {
                rateLimiters[stop.feed]?.refund(entry.cost, recordedAt: since)
            }
            return
        }
        entry.cost = requests
    }
}

/// A request that is repeated, and how often.
public struct PollQuery: Hashable, Sendable {
    public var request: FeedRequest
    /// Between two polls.
    public var interval: Duration

    public init(_ request: FeedRequest, every interval: Duration) {
        self.request = request
        self.interval = interval
    }
}
