import BoardCore
import Synchronization

/// A cache of operators' responses that serve several requests (names, zones). It fetches on first use, caches for a
/// TTL, and returns the old value if a fetch fails. Fetches are single-flight: concurrent requests for a key share one.
final class ResponseCache<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value?
        /// When the fetch of `value` began.
        var fetchedAt: Instant
        /// When the last fetch began.
        var requestedAt: Instant
        var failure: FeedError?

        func lookup(at now: Instant) -> Lookup { Lookup(value: value, failure: failure, age: now - fetchedAt) }
    }

    private struct State: Sendable {
        var entries: [String: Entry] = [:]
        /// The waiters of the fetches in flight, by key. They receive the result, unless the fetch is cancelled.
        var inFlight: [String: [AsyncStream<Lookup>.Continuation]] = [:]
    }

    struct Lookup: Sendable {
        let value: Value?
        /// Why the value could not be refreshed; nil: it is fresh.
        let failure: FeedError?
        /// The age of `value`; zero if just fetched.
        let age: Duration

        func get() throws(FeedError) -> Value {
            guard let value else { throw failure ?? FeedError(.cancelled, detail: "the request was cancelled") }
            return value
        }
    }

    private enum Step {
        case value(Lookup)
        /// Another fetch is in flight.
        case wait
        /// No fetch is in flight.
        case fetch(after: Entry?)
    }

    private let ttl: Duration
    /// The pause after a failure, and after a value that did not suffice.
    private let backOff: Duration
    private let capacity: Int
    private let clock: any MachineClock
    private let state = Mutex(State())

    /// - Parameter backOff: the pause after a failure; zero if the caller has its own.
    init(ttl: Duration, backOff: Duration = .seconds(600), capacity: Int = 64, clock: any MachineClock) {
        self.ttl = ttl
        self.backOff = backOff
        self.capacity = capacity
        self.clock = clock
    }

    /// The value of `key`, fetched if absent or older than the TTL.
    ///
    /// - Parameter suffices: whether a value has what the caller needs; if not, it is fetched again after `backOff`.
    func value(
        _ key: String, suffices: (Value) -> Bool = { _ in true },
        fetch: () async throws -> Value
    ) async -> Lookup {
        while true {
            let now = clock.now()
            let step = state.withLock { state -> Step in
                let old = state.entries[key]
                if let old, now < freshUntil(old, suffices: suffices) { return .value(old.lookup(at: now)) }
                guard state.inFlight[key] == nil else { return .wait }
                state.inFlight[key] = []
                return .fetch(after: old)
            }
            switch step {
            case .value(let lookup): return lookup
            case .fetch(let old): return await performFetch(key, after: old, at: now, fetch)
            case .wait:
                if let lookup = await waitForFetch(of: key) { return lookup }
                // The fetch was cancelled: a waiter starts the next one.
                guard Task.isCancelled else { continue }
                let cancelled = FeedError(.cancelled, detail: "the request was cancelled")
                return Lookup(value: nil, failure: cancelled, age: .zero)
            }
        }
    }

    /// The cached value of `key`; never fetches.
    ///
    /// - Parameter age: the age from which a value is left out; nil: any age is returned.
    func cached(_ key: String, within age: Duration? = nil) -> Value? {
        let now = clock.now()
        return state.withLock { state in
            state.entries[key].flatMap { entry in age.isNilOr { now < entry.fetchedAt + $0 } ? entry.value : nil }
        }
    }

    /// How many requests wait for the fetch of `key` in flight, for tests.
    func waiting(for key: String) -> Int { state.withLock { $0.inFlight[key]?.count ?? 0 } }

    func remove(_ key: String) { _ = state.withLock { $0.entries.removeValue(forKey: key) } }

    /// The `keys` that are due for a fetch, longest since their last fetch first.
    func due(_ keys: [String]) -> [String] {
        let now = clock.now()
        let never = Instant(microseconds: .min)
        return state.withLock { state in
            keys.filter { key in state.entries[key].isNilOr { now >= freshUntil($0) } }
                .sorted {
                    (state.entries[$0]?.requestedAt ?? never, $0) < (state.entries[$1]?.requestedAt ?? never, $1)
                }
        }
    }

    private func performFetch(
        _ key: String, after old: Entry?, at now: Instant, _ fetch: () async throws -> Value
    ) async -> Lookup {
        var entry = Entry(value: old?.value, fetchedAt: old?.fetchedAt ?? now, requestedAt: now)
        do {
            entry.value = try await fetch()
            entry.fetchedAt = now
        } catch {
            entry.failure = error as? FeedError ?? FeedError(.cancelled, detail: "\(error)")
        }
        // A cancelled request is not the operator's failure.
        finish(key, with: entry.failure?.kind == .cancelled ? nil : entry, at: now)
        return entry.lookup(at: now)
    }

    /// Stores the result of a fetch; nil: it was cancelled.
    private func finish(_ key: String, with entry: Entry?, at now: Instant) {
        let waiters = state.withLock { state in
            if let entry {
                state.entries[key] = entry
                if state.entries.count > capacity,
                    let oldest = state.entries.min(by: { $0.value.requestedAt < $1.value.requestedAt })
                {
                    state.entries[oldest.key] = nil
                }
            }
            return state.inFlight.removeValue(forKey: key) ?? []
        }
        let lookup = entry?.lookup(at: now)
        for waiter in waiters {
            if let lookup { waiter.yield(lookup) }
            waiter.finish()
        }
    }

    /// Waits for the fetch of `key` in flight; nil if it has ended, and when this task is cancelled.
    private func waitForFetch(of key: String) async -> Lookup? {
        let (end, waiter) = AsyncStream.makeStream(of: Lookup.self)
        state.withLock { if $0.inFlight[key]?.append(waiter) == nil { waiter.finish() } }
        return await end.first { _ in true }
    }

    /// When an entry may be fetched again. An operator's `Retry-After` may lengthen the pause.
    private func freshUntil(_ entry: Entry, suffices: (Value) -> Bool = { _ in true }) -> Instant {
        let isGood = entry.failure == nil && entry.value.isSomeAnd(suffices)
        let retryAfter = backOff > .zero ? entry.failure?.retryAfter ?? .zero : .zero
        return entry.requestedAt + (isGood ? ttl : max(min(ttl, backOff), retryAfter))
    }
}
