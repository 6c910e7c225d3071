internal import BoardCore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Carries out poll commands: every question in a task of its own, so that an operator that never answers holds nobody
/// up. The transport bounds how many are under way at once.
final class PollService: Service {
    private struct State {
        var feeds: [FeedName: any DepartureFeed]
        /// Counts configurations of the feeds.
        var generation = 0
        var underWay: [Int: Task<Void, Never>] = [:]
        var asked = 0
        var isEnding = false
        var log: FaultLog
    }

    private let state: Mutex<State>
    private let clock: any MachineClock
    private let report: @Sendable (Board.Event) -> Void

    init(
        feeds: [FeedName: any DepartureFeed], clock: any MachineClock, logger: Logger,
        report: @escaping @Sendable (Board.Event) -> Void
    ) {
        state = Mutex(State(feeds: feeds, log: FaultLog(logger: logger)))
        self.clock = clock
        self.report = report
    }

    /// Asks, from any thread; the answer goes to the board.
    func ask(_ question: FeedQuestion) {
        state.withLock { state in
            guard !state.isEnding else { return }
            state.asked += 1
            let number = state.asked
            state.underWay[number] = Task { await self.carryOut(question, number: number) }
        }
    }

    /// Takes over the feeds of a new configuration. What the old ones were asked is asked of the new ones at once: what
    /// the old would say of a wrong key or address holds no longer.
    func replace(_ feeds: [FeedName: any DepartureFeed]) {
        let abandoned = state.withLock { state in
            state.feeds = feeds
            state.generation += 1
            return Array(state.underWay.values)
        }
        for task in abandoned { task.cancel() }
    }

    /// Forgets what was wrong with stops that are no favourites any more.
    func keep(_ stops: Set<StopID>) {
        state.withLock { $0.log.keep(stops) }
    }

    /// Waits for the end, and then abandons what is under way.
    func run() async throws {
        try? await gracefulShutdown()
        let abandoned = state.withLock { state in
            state.isEnding = true
            return Array(state.underWay.values)
        }
        for task in abandoned { task.cancel() }
    }

    private func carryOut(_ question: FeedQuestion, number: Int) async {
        let stop = question.stop
        let (feed, generation) = state.withLock { ($0.feeds[stop.feed], $0.generation) }
        guard let feed else { return state.withLock { $0.underWay[number] = nil } }
        let result: Result<FeedAnswer, FeedFailure>
        do throws(FeedFailure) {
            result = .success(try await feed.departures(question))
        } catch {
            result = .failure(error)
        }
        let now = clock.now()
        let isCurrent = state.withLock { state in
            state.underWay[number] = nil
            guard state.generation == generation else { return false }
            switch result {
            case .success(let answer): state.log.answered(answer, by: feed.profile, at: now)
            case .failure(let failure): state.log.failed(stop, failure, of: feed.profile, at: now)
            }
            return true
        }
        guard isCurrent else { return ask(question) }
        switch result {
        case .success(let answer): report(.answered(answer))
        case .failure(let failure): report(.failed(stop, failure))
        }
    }
}
