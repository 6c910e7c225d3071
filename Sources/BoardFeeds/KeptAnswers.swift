internal import BoardCore
internal import Synchronization

/// What operators tell once for several questions, or beside departures (names, zones): asked for when it is first wanted,
/// believed for a while, and outliving its time when nobody answers. Whoever wants what is being asked for waits for that.
final class KeptAnswers<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value?
        /// When the question began that `value` answers.
        var told: Instant
        /// When the last question began.
        var asked: Instant
        /// Why the last question got no answer.
        var trouble: FeedFailure?
    }

    private struct State: Sendable {
        var entries: [String: Entry] = [:]
        /// Who waits for the questions that are under way, by what is asked for.
        var underWay: [String: [Int: Waiter]] = [:]
        /// Counts those who waited.
        var count = 0
    }

    /// Is told what came of a question; nil: it was abandoned.
    private typealias Waiter = CheckedContinuation<Known?, Never>

    /// What is known of a thing.
    struct Known: Sendable {
        /// Nil: nothing.
        let value: Value?
        /// Why nothing newer is known; nil: nothing newer was wanted.
        let trouble: FeedFailure?
        /// How long ago `value` was told; nothing of one that was asked for just now.
        let age: Duration
        /// Requests that it cost; none where it was known, or another question had asked for it.
        let cost: Int
    }

    private enum Step {
        case known(Known)
        /// Another question is under way.
        case wait
        /// Nobody else asks.
        case ask(after: Entry?)
    }

    /// How long an answer is believed.
    private let life: Duration
    /// How long nobody is asked after a failure, and after an answer that did not have what was looked for.
    private let patience: Duration
    private let most: Int
    private let clock: any MachineClock
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: how long nobody is asked after a failure; nothing where whoever asks has a patience of their own.
    ///   - most: how many things are remembered.
    init(life: Duration, patience: Duration = .seconds(600), most: Int = 64, clock: any MachineClock) {
        self.life = life
        self.patience = patience
        self.most = most
        self.clock = clock
    }

    /// What is known of `key`; asked for where that is too old.
    ///
    /// - Parameters:
    ///   - suffices: whether an answer has what is looked for; one that does not is asked for again sooner.
    ///   - ask: asks the operator.
    func known(
        _ key: String, suffices: (Value) -> Bool = { _ in true },
        ask: () async throws(FeedFailure) -> Value
    ) async -> Known {
        while true {
            let now = clock.now()
            let step = state.withLock { state -> Step in
                let old = state.entries[key]
                if let old, now < believed(old, suffices: suffices) {
                    return .known(Known(value: old.value, trouble: old.trouble, age: now - old.told, cost: 0))
                }
                guard state.underWay[key] == nil else { return .wait }
                state.underWay[key] = [:]
                return .ask(after: old)
            }
            switch step {
            case .known(let known): return known
            case .ask(let old): return await question(key, after: old, at: now, ask)
            case .wait:
                if let known = await answer(of: key) { return known }
                // Who asked had to stop: somebody who waited asks now.
                guard Task.isCancelled else { continue }
                let abandoned = FeedFailure(.cancelled, detail: "the question was abandoned", requests: 0)
                return Known(value: nil, trouble: abandoned, age: .zero, cost: 0)
            }
        }
    }

    /// What is known of `key`, however old; nobody is asked.
    func kept(_ key: String) -> Value? {
        state.withLock { $0.entries[key]?.value }
    }

    /// Those of `keys` that would be asked for now, which have waited longest first.
    func due(_ keys: [String]) -> [String] {
        let now = clock.now()
        let never = Instant(microseconds: .min)
        return state.withLock { state in
            keys.filter { key in state.entries[key].map { now >= believed($0) } ?? true }
                .sorted { (state.entries[$0]?.asked ?? never, $0) < (state.entries[$1]?.asked ?? never, $1) }
        }
    }

    /// Asks, and tells all who wait what came of it.
    private func question(
        _ key: String, after old: Entry?, at now: Instant, _ ask: () async throws(FeedFailure) -> Value
    ) async -> Known {
        do throws(FeedFailure) {
            let value = try await ask()
            end(key, with: Entry(value: value, told: now, asked: now, trouble: nil), at: now)
            return Known(value: value, trouble: nil, age: .zero, cost: 1)
        } catch {
            // A question that was abandoned says nothing of the operator.
            let entry =
                error.kind == .cancelled
                ? nil : Entry(value: old?.value, told: old?.told ?? now, asked: now, trouble: error)
            end(key, with: entry, at: now)
            return Known(value: old?.value, trouble: error, age: now - (old?.told ?? now), cost: error.requests)
        }
    }

    /// Keeps what came of a question; nil: it was abandoned.
    private func end(_ key: String, with entry: Entry?, at now: Instant) {
        let waiters = state.withLock { state in
            if let entry {
                state.entries[key] = entry
                if state.entries.count > most, let oldest = state.entries.min(by: { $0.value.asked < $1.value.asked }) {
                    state.entries[oldest.key] = nil
                }
            }
            return state.underWay.removeValue(forKey: key) ?? [:]
        }
        let known = entry.map { Known(value: $0.value, trouble: $0.trouble, age: now - $0.told, cost: 0) }
        for waiter in waiters.values { waiter.resume(returning: known) }
    }

    /// Waits for the question about `key` that is under way; nil where it is not any more, and when this task is cancelled.
    private func answer(of key: String) async -> Known? {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let isWaiting = state.withLock { state in
                    guard state.underWay[key] != nil, !Task.isCancelled else { return false }
                    state.underWay[key]?[number] = waiter
                    return true
                }
                if !isWaiting { waiter.resume(returning: nil) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.underWay[key]?.removeValue(forKey: number) }
            waiter?.resume(returning: nil)
        }
    }

    /// Until when what is known is not asked for again.
    private func believed(_ entry: Entry, suffices: (Value) -> Bool = { _ in true }) -> Instant {
        let isGood = entry.trouble == nil && entry.value.map(suffices) ?? false
        return entry.asked + (isGood ? life : min(life, patience))
    }
}
