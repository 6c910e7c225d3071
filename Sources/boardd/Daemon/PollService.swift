import BoardCore
import BoardIO
import ServiceLifecycle
import Synchronization

/// Performs poll commands: each request in its own task, so that an operator that does not respond delays no other.
/// The transport limits how many are in flight at once.
final class PollService: Service {
    private struct State {
        var feeds: [FeedName: any DepartureFeed]
        var inFlight: [Key: (request: Request, job: ChildTasks.Job)] = [:]
        var log: FaultLog
    }

    private enum Request: Hashable {
        case departures(FeedRequest)
        /// Departures for other boards of the fleet.
        case others(FeedRequest)
        case details(Departure)

        var feed: FeedName {
            switch self {
            case .departures(let request), .others(let request): request.stop.feed
            case .details(let departure): departure.stop.feed
            }
        }

        var key: Key {
            switch self {
            case .departures(let request): .stop(request.stop)
            case .others(let request): .query(request.query)
            case .details: .details
            }
        }
    }

    /// At most one request of a key is in flight.
    private enum Key: Hashable {
        case stop(StopID)
        case query(DepartureQuery)
        /// There is one detail page.
        case details
    }

    private let state: Mutex<State>
    private let tasks = ChildTasks()
    private let sharing: @Sendable (any DepartureFeed) -> any DepartureFeed
    private let report: @Sendable (Board.Event) -> Void

    /// - Parameter sharing: wraps a feed so that other boards share its responses.
    init(
        feeds: [FeedName: any DepartureFeed], log: RateLimitedLog,
        sharing: @escaping @Sendable (any DepartureFeed) -> any DepartureFeed = { $0 },
        report: @escaping @Sendable (Board.Event) -> Void
    ) {
        state = Mutex(State(feeds: feeds, log: FaultLog(log)))
        self.sharing = sharing
        self.report = report
    }

    /// Polls a stop, from any thread; the response goes to the board.
    func poll(_ request: FeedRequest) { begin(.departures(request)) }

    /// Polls a stop for other boards of the fleet, which get the response from the feed.
    func pollForOthers(_ request: FeedRequest) { begin(.others(request)) }

    /// Fetches the trip details of a departure, from any thread; the response goes to the board.
    func fetchDetails(_ departure: Departure) { begin(.details(departure)) }

    /// Uses the feeds of a new configuration, and repeats requests in flight with them: a response for the old key or
    /// address no longer applies.
    func replace(_ feeds: [FeedName: any DepartureFeed]) {
        let abandoned = state.withLock { state in
            state.feeds = feeds
            defer { state.inFlight = [:] }
            return Array(state.inFlight.values)
        }
        for old in abandoned {
            old.job.cancel()
            begin(old.request)
        }
    }

    /// Forgets the faults of stops that are no longer favourites.
    func retain(_ stops: Set<StopID>) {
        state.withLock { $0.log.retain(stops) }
    }

    /// Performs requests until the shutdown, which cancels those in flight.
    func run() async throws {
        await cancelWhenGracefulShutdown { await self.tasks.run() }
    }

    /// Starts a request. A request in flight is not repeated: the board polls again later, and requests must not pile
    /// up on a feed that hangs. Another request with the same key replaces the old one, whose response is dropped.
    private func begin(_ request: Request) {
        let replaced = state.withLock { state -> ChildTasks.Job? in
            let old = state.inFlight[request.key]
            guard old?.request != request, let feed = state.feeds[request.feed] else { return nil }
            let job = tasks.start { await self.perform(request, in: feed, as: $0) }
            state.inFlight[request.key] = (request, job)
            return old?.job
        }
        replaced?.cancel()
    }

    private func perform(_ request: Request, in feed: any DepartureFeed, as job: ChildTasks.Job) async {
        let profile = feed.profile
        let event: Board.Event
        let record: (inout FaultLog) -> Void
        switch request {
        case .departures(let poll):
            do throws(FeedError) {
                let response = try await sharing(feed).departures(poll)
                event = .polled(response)
                record = { $0.succeeded(response, by: profile) }
            } catch {
                event = .failed(poll.stop, error)
                record = { $0.failed(poll.stop, error, of: profile) }
            }
        case .others(let poll):
            do throws(FeedError) {
                let response = try await sharing(feed).departures(poll)
                event = .polledForOthers(poll.query, .success((response.requests, response.age)))
                record = { $0.succeeded(response, by: profile) }
            } catch {
                event = .polledForOthers(poll.query, .failure(error))
                record = { $0.failed(poll.stop, error, of: profile) }
            }
        case .details(let departure):
            do throws(FeedError) {
                let details = try await feed.tripDetails(of: departure)
                event = .detailsFetched(departure, details)
                record = { $0.detailsSucceeded(by: profile) }
            } catch {
                event = .detailsFailed(departure, error)
                record = { $0.detailsFailed(error, of: profile) }
            }
        }
        let isCurrent = state.withLock { state in
            // Another request may have replaced this one.
            guard state.inFlight[request.key]?.job === job else { return false }
            state.inFlight[request.key] = nil
            record(&state.log)
            return true
        }
        if isCurrent { report(event) }
    }
}
