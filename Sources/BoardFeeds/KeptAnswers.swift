internal import BoardCore
internal import Synchronization

/// What operators tell beside departures and change once in a while (names, zones): asked for when it is first wanted,
/// believed for hours, and outliving its time when nobody answers.
final class KeptAnswers<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value?
        var asked: Instant
        /// Why the last question got no answer.
        var trouble: FeedFailure?
    }

    /// What is known of a thing.
    struct Known: Sendable {
        /// Nil: nothing.
        let value: Value?
        /// Why nothing newer is known; nil: nothing newer was wanted.
        let trouble: FeedFailure?
        /// Requests that it cost.
        let cost: Int
    }

    /// How long an answer is believed.
    private let life: Duration
    /// How long nobody is asked after a failure, and after an answer that did not have what was looked for.
    private let patience: Duration
    private let most: Int
    private let clock: any MachineClock
    private let entries = Mutex<[String: Entry]>([:])

    /// - Parameter most: how many things are remembered.
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
        let now = clock.now()
        let old = entries.withLock { $0[key] }
        if let old, now < believed(old, suffices: suffices) {
            return Known(value: old.value, trouble: old.trouble, cost: 0)
        }
        do throws(FeedFailure) {
            let value = try await ask()
            keep(Entry(value: value, asked: now, trouble: nil), as: key)
            return Known(value: value, trouble: nil, cost: 1)
        } catch {
            // A question that was abandoned says nothing of the operator.
            if error.kind != .cancelled { keep(Entry(value: old?.value, asked: now, trouble: error), as: key) }
            return Known(value: old?.value, trouble: error, cost: error.requests)
        }
    }

    /// Those of `keys` that would be asked for now, which have waited longest first.
    func due(_ keys: [String]) -> [String] {
        let now = clock.now()
        let never = Instant(microseconds: .min)
        return entries.withLock { entries in
            keys.filter { key in entries[key].map { now >= believed($0) } ?? true }
                .sorted { (entries[$0]?.asked ?? never, $0) < (entries[$1]?.asked ?? never, $1) }
        }
    }

    /// Until when what is known is not asked for again.
    private func believed(_ entry: Entry, suffices: (Value) -> Bool = { _ in true }) -> Instant {
        let isGood = entry.trouble == nil && entry.value.map(suffices) ?? false
        return entry.asked + (isGood ? life : min(life, patience))
    }

    private func keep(_ entry: Entry, as key: String) {
        entries.withLock { entries in
            entries[key] = entry
            if entries.count > most, let oldest = entries.min(by: { $0.value.asked < $1.value.asked }) {
                entries[oldest.key] = nil
            }
        }
    }
}
