internal import BoardCore
internal import Synchronization

/// What operators tell once for several questions, or beside departures (names, zones): asked for when it is first wanted,
/// believed for a while, and outliving its time when nobody answers. Whoever wants what is being asked for waits for that.
final class ResponseCache<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value?
        /// When the question began that `value` answers.
        var fetchedAt: Instant
        /// When the last question began.
        var requestedAt: Instant
        /// Why the last question got no answer.
        var failure: FeedFailure?
    }

    private struct State: Sendable {
        var entries: [String: Entry] = [:]
        /// Who waits for the questions that are under way, by what is asked for.
        var inFlight: [String: [Int: Waiter]] = [:]
        /// Counts those who waited.
        var count = 0
    }

    /// Is told what came of a question; nil: it was abandoned.
    private typealias Waiter = CheckedContinuation<Lookup?, Never>

    /// What is known of a thing.
    struct Lookup: Sendable {
        /// Nil: nothing.
        let value: Value?
        /// Why nothing newer is known; nil: nothing newer was wanted.
        let failure: FeedFailure?
        /// How long ago `value` was told; nothing of one that was asked for just now.
        let age: Duration
        /// Requests that it cost; none where it was known, or another question had asked for it.
        let requests: Int
    }

    private enum Step {
        case value(Lookup)
        /// Another question is under way.
        case wait
        /// Nobody else asks.
        case fetch(after: Entry?)
    }

    /// How long an answer is believed.
    private let ttl: Duration
    /// How long nobody is asked after a failure, and after an answer that did not have what was looked for.
    private let backOff: Duration
    private let capacity: Int
    private let clock: any MachineClock
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: how long nobody is asked after a failure; nothing where whoever asks has a patience of their own.
    ///   - most: how many things are remembered.
    init(ttl: Duration, backOff: Duration = .seconds(600), capacity: Int = 64, clock: any MachineClock) {
        self.ttl = ttl
        self.backOff = backOff
        self.capacity = capacity
        self.clock = clock
    }

    /// What is known of `key`; asked for where that is too old.
    ///
    /// - Parameters:
    ///   - suffices: whether an answer has what is looked for; one that does not is asked for again sooner.
    ///   - ask: asks the operator.
    func value(
        _ key: String, suffices: (Value) -> Bool = { _ in true },
        fetch: () async throws(FeedFailure) -> Value
    ) async -> Lookup {
        while true {
            let now = clock.now()
            let step = state.withLock { state -> Step in
                let old = state.entries[key]
                if let old, now < freshUntil(old, suffices: suffices) {
                    return .value(Lookup(value: old.value, failure: old.failure, age: now - old.fetchedAt, requests: 0))
                }
                guard state.inFlight[key] == nil else { return .wait }
                state.inFlight[key] = [:]
                return .fetch(after: old)
            }
            switch step {
            case .value(let known): return known
            case .fetch(let old): return await performFetch(key, after: old, at: now, fetch)
            case .wait:
                if let known = await waitForFetch(of: key) { return known }
                // Who asked had to stop: somebody who waited asks now.
                guard Task.isCancelled else { continue }
                let abandoned = FeedFailure(.cancelled, detail: "the question was abandoned", requests: 0)
                return Lookup(value: nil, failure: abandoned, age: .zero, requests: 0)
            }
        }
    }

    /// What is known of `key`, however old; nobody is asked.
    func cached(_ key: String) -> Value? {
        state.withLock { $0.entries[key]?.value }
    }

    /// Those of `keys` that would be asked for now, which have waited longest first.
    func due(_ keys: [String]) -> [String] {
        let now = clock.now()
        let never = Instant(microseconds: .min)
        return state.withLock { state in
            keys.filter { key in state.entries[key].map { now >= freshUntil($0) } ?? true }
                .sorted {
                    (state.entries[$0]?.requestedAt ?? never, $0) < (state.entries[$1]?.requestedAt ?? never, $1)
                }
        }
    }

    /// Asks, and tells all who wait what came of it.
    private func performFetch(
        _ key: String, after old: Entry?, at now: Instant, _ fetch: () async throws(FeedFailure) -> Value
    ) async -> Lookup {
        do throws(FeedFailure) {
            let value = try await fetch()
            finish(key, with: Entry(value: value, fetchedAt: now, requestedAt: now, failure: nil), at: now)
            return Lookup(value: value, failure: nil, age: .zero, requests: 1)
        } catch {
            // A question that was abandoned says nothing of the operator.
            let entry =
                error.kind == .cancelled
                ? nil : Entry(value: old?.value, fetchedAt: old?.fetchedAt ?? now, requestedAt: now, failure: error)
            finish(key, with: entry, at: now)
            return Lookup(
                value: old?.value, failure: error, age: now - (old?.fetchedAt ?? now), requests: error.requests)
        }
    }

    /// Keeps what came of a question; nil: it was abandoned.
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
            return state.inFlight.removeValue(forKey: key) ?? [:]
        }
        let known = entry.map { Lookup(value: $0.value, failure: $0.failure, age: now - $0.fetchedAt, requests: 0) }
        for waiter in waiters.values { waiter.resume(returning: known) }
    }

    /// Waits for the question about `key` that is under way; nil where it is not any more, and when this task is cancelled.
    private func waitForFetch(of key: String) async -> Lookup? {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let isWaiting = state.withLock { state in
                    guard state.inFlight[key] != nil, !Task.isCancelled else { return false }
                    state.inFlight[key]?[number] = waiter
                    return true
                }
                if !isWaiting { waiter.resume(returning: nil) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.inFlight[key]?.removeValue(forKey: number) }
            waiter?.resume(returning: nil)
        }
    }

    /// Until when what is known is not asked for again.
    private func freshUntil(_ entry: Entry, suffices: (Value) -> Bool = { _ in true }) -> Instant {
        let isGood = entry.failure == nil && entry.value.map(suffices) ?? false
        return entry.requestedAt + (isGood ? ttl : min(ttl, backOff))
    }
}
