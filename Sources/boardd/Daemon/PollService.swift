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
        var underWay: [Int: Task<FeedAnswer, any Error>] = [:]
        var asked = 0
        var log: FaultLog
    }

    private let state: Mutex<State>
    private let questions = Relay<FeedQuestion>()
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
        questions.send(question)
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

    func run() async throws {
        await withDiscardingTaskGroup { group in
            for await question in questions.elements().cancelOnGracefulShutdown() {
                group.addTask { await self.carryOut(question) }
            }
            group.cancelAll()
        }
    }

    private func carryOut(_ question: FeedQuestion) async {
        let stop = question.stop
        let begun = state.withLock { state in
            state.feeds[stop.feed].map { feed in
                state.asked += 1
                let task = Task { try await feed.departures(question) }
                state.underWay[state.asked] = task
                return (feed.profile, task, state.asked, state.generation)
            }
        }
        guard let (profile, task, number, generation) = begun else { return }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        let isCurrent = state.withLock { state in
            state.underWay[number] = nil
            return state.generation == generation
        }
        guard isCurrent || Task.isCancelled else { return await carryOut(question) }
        let now = clock.now()
        do {
            let answer = try result.get()
            state.withLock { $0.log.answered(answer, by: profile, at: now) }
            report(.answered(answer))
        } catch {
            let failure = (error as? FeedFailure) ?? FeedFailure(.unreadable, detail: "\(error)")
            state.withLock { $0.log.failed(stop, failure, of: profile, at: now) }
            report(.failed(stop, failure))
        }
    }
}
