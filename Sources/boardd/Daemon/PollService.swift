internal import BoardCore
internal import ServiceLifecycle
internal import Synchronization

/// Carries out poll commands: every question in a task of its own, so that an operator that never answers holds nobody
/// up. The transport bounds how many are under way at once.
final class PollService: Service {
    private struct State {
        var feeds: [FeedName: any DepartureFeed]
        /// Counts configurations of the feeds.
        var generation = 0
        /// One question a stop at most.
        var underWay: [StopID: UnderWay] = [:]
        /// One question about a run, of the page that is looked at.
        var following: Task<Void, Never>?
        var isEnding = false
        var log: FaultLog
    }

    private struct UnderWay {
        let question: FeedQuestion
        let task: Task<Void, Never>
    }

    private let state: Mutex<State>
    private let clock: any MachineClock
    private let report: @Sendable (Board.Event) -> Void

    init(
        feeds: [FeedName: any DepartureFeed], clock: any MachineClock, voice: FaultVoice,
        report: @escaping @Sendable (Board.Event) -> Void
    ) {
        state = Mutex(State(feeds: feeds, log: FaultLog(voice)))
        self.clock = clock
        self.report = report
    }

    /// Asks, from any thread; the answer goes to the board. A stop of which a question is under way is not asked of a
    /// second time: the board asks again later, and questions must not pile up on a feed that hangs.
    func ask(_ question: FeedQuestion) {
        state.withLock { state in
            guard !state.isEnding, state.underWay[question.stop] == nil,
                let feed = state.feeds[question.stop.feed]
            else { return }
            let generation = state.generation
            let task = Task { await self.carryOut(question, in: feed, of: generation) }
            state.underWay[question.stop] = UnderWay(question: question, task: task)
        }
    }

    /// Asks about the run of a departure, from any thread; what is told goes to the board. The page that is looked at is one,
    /// so an older question is abandoned; a failure is no news, since the departures tell of it.
    func follow(_ departure: Departure) {
        state.withLock { state in
            guard !state.isEnding, let feed = state.feeds[departure.stop.feed] else { return }
            state.following?.cancel()
            state.following = Task { [report] in
                do throws(FeedFailure) {
                    report(.followed(departure, try await feed.service(of: departure)))
                } catch {}
            }
        }
    }

    /// Takes over the feeds of a new configuration. What the old ones were asked is asked of the new ones at once: what
    /// the old would say of a wrong key or address holds no longer.
    func replace(_ feeds: [FeedName: any DepartureFeed]) {
        let abandoned = state.withLock { state in
            state.feeds = feeds
            state.generation += 1
            defer { state.underWay = [:] }
            return Array(state.underWay.values)
        }
        for old in abandoned {
            old.task.cancel()
            ask(old.question)
        }
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
        for old in abandoned { old.task.cancel() }
    }

    private func carryOut(_ question: FeedQuestion, in feed: any DepartureFeed, of generation: Int) async {
        let stop = question.stop
        let result: Result<FeedAnswer, FeedFailure>
        do throws(FeedFailure) {
            result = .success(try await feed.departures(question))
        } catch {
            result = .failure(error)
        }
        let now = clock.now()
        let isCurrent = state.withLock { state in
            // Else the stop's place is that of a question to the new feeds.
            guard state.generation == generation else { return false }
            state.underWay[stop] = nil
            switch result {
            case .success(let answer): state.log.answered(answer, by: feed.profile, at: now)
            case .failure(let failure): state.log.failed(stop, failure, of: feed.profile, at: now)
            }
            return true
        }
        guard isCurrent else { return }
        switch result {
        case .success(let answer): report(.answered(answer))
        case .failure(let failure): report(.failed(stop, failure))
        }
    }
}
