internal import BoardCore
internal import ServiceLifecycle
internal import Synchronization

/// Carries out poll commands: every question in a task of its own, so that an operator that never answers holds nobody
/// up. The transport bounds how many are under way at once.
final class PollService: Service {
    private struct State {
        var feeds: [FeedName: any DepartureFeed]
        var inFlight: [InFlightKey: InFlightRequest] = [:]
        /// Counts questions.
        var count = 0
        var isEnding = false
        var log: FaultLog
    }

    private enum Request: Hashable {
        case departures(FeedRequest)
        case run(Departure)

        var feed: FeedName {
            switch self {
            case .departures(let question): question.stop.feed
            case .run(let departure): departure.stop.feed
            }
        }

        var subject: InFlightKey {
            switch self {
            case .departures(let question): .stop(question.stop)
            case .run: .run
            }
        }
    }

    /// Of what one question is under way at most.
    private enum InFlightKey: Hashable {
        case stop(StopID)
        /// The run that a person looks at: there is one page.
        case run
    }

    private struct InFlightRequest {
        let question: Request
        let number: Int
        let task: Task<Void, Never>
    }

    private let state: Mutex<State>
    private let clock: any MachineClock
    private let report: @Sendable (Board.Event) -> Void

    init(
        feeds: [FeedName: any DepartureFeed], clock: any MachineClock, log: RateLimitedLog,
        report: @escaping @Sendable (Board.Event) -> Void
    ) {
        state = Mutex(State(feeds: feeds, log: FaultLog(log)))
        self.clock = clock
        self.report = report
    }

    /// Asks, from any thread; the answer goes to the board.
    func poll(_ question: FeedRequest) { begin(.departures(question)) }

    /// Asks about the run of a departure, from any thread; what is told goes to the board.
    func fetchDetails(_ departure: Departure) { begin(.run(departure)) }

    /// Takes over the feeds of a new configuration. What the old ones were asked is asked of the new ones at once: what
    /// the old would say of a wrong key or address holds no longer.
    func replace(_ feeds: [FeedName: any DepartureFeed]) {
        let abandoned = state.withLock { state in
            state.feeds = feeds
            defer { state.inFlight = [:] }
            return Array(state.inFlight.values)
        }
        for old in abandoned {
            old.task.cancel()
            begin(old.question)
        }
    }

    /// Forgets what was wrong with stops that are no favourites any more.
    func retain(_ stops: Set<StopID>) {
        state.withLock { $0.log.retain(stops) }
    }

    /// Waits for the end, and then abandons what is under way.
    func run() async throws {
        try? await gracefulShutdown()
        let abandoned = state.withLock { state in
            state.isEnding = true
            return Array(state.inFlight.values)
        }
        for old in abandoned { old.task.cancel() }
    }

    /// Begins a question. One that is under way is not asked a second time: the board asks again later, and questions must
    /// not pile up on a feed that hangs. Another one about the same takes its place, and its answer is not waited for.
    private func begin(_ question: Request) {
        let replaced = state.withLock { state -> Task<Void, Never>? in
            let old = state.inFlight[question.subject]
            guard !state.isEnding, old?.question != question, let feed = state.feeds[question.feed] else { return nil }
            state.count += 1
            let number = state.count
            let task = Task { await self.perform(question, in: feed, number) }
            state.inFlight[question.subject] = InFlightRequest(question: question, number: number, task: task)
            return old?.task
        }
        replaced?.cancel()
    }

    private func perform(_ asked: Request, in feed: any DepartureFeed, _ number: Int) async {
        let profile = feed.profile
        switch asked {
        case .departures(let question):
            do throws(FeedFailure) {
                let answer = try await feed.departures(question)
                end(asked, number, with: .polled(answer)) { $0.succeeded(answer, by: profile, at: $1) }
            } catch {
                end(asked, number, with: .failed(question.stop, error)) {
                    $0.failed(question.stop, error, of: profile, at: $1)
                }
            }
        case .run(let departure):
            do throws(FeedFailure) {
                let service = try await feed.tripDetails(of: departure)
                end(asked, number, with: .detailsFetched(departure, service)) {
                    $0.detailsSucceeded(by: profile, at: $1)
                }
            } catch {
                end(asked, number, with: .detailsFailed(departure, error)) {
                    $0.detailsFailed(error, of: profile, at: $1)
                }
            }
        }
    }

    /// A question has ended: that is said in the log and told to the board, unless another one took its place.
    private func end(
        _ question: Request, _ number: Int, with event: Board.Event, say: (inout FaultLog, Instant) -> Void
    ) {
        let now = clock.now()
        let isCurrent = state.withLock { state in
            guard state.inFlight[question.subject]?.number == number else { return false }
            state.inFlight[question.subject] = nil
            say(&state.log, now)
            return true
        }
        if isCurrent { report(event) }
    }
}
