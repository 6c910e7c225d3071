public import BoardCore
import Synchronization

extension FleetService {
    /// A feed whose departure requests the boards of the fleet share; without a fleet, the feed itself.
    public func sharing(_ feed: any DepartureFeed) -> any DepartureFeed {
        state.withLock { $0.session.member == nil } ? feed : SharedFeed(feed: feed, fleet: self)
    }
}

/// Wraps a feed: a response that another board has received recently replaces a request. Trip details are always
/// requested directly.
struct SharedFeed: DepartureFeed {
    let feed: any DepartureFeed
    let fleet: FleetService

    var profile: FeedProfile { feed.profile }
    var detailsKeyName: String? { feed.detailsKeyName }
    var finder: (any StopFinder)? { feed.finder }

    func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails? {
        try await feed.tripDetails(of: departure)
    }

    func check(_ stop: StopID) async throws(FeedError) -> StopCheck { try await feed.check(stop) }

    func sources() async -> [SourceCheck] { await feed.sources() }

    func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        let query = request.query
        let began = fleet.clock.now()
        while true {
            // Before the decision, so that no message between it and the wait is missed.
            let changes = fleet.changes(of: QueryKey(query))
            defer { fleet.end(changes) }
            switch fleet.turn(of: query, every: profile.interval, since: began) {
            case .use(let response, let age): return try response.response(of: request.stop, age: age)
            case .unavailable(let response):
                _ = try response?.response(of: request.stop, age: .zero)
                throw FeedError(
                    .timedOut,
                    detail:
                        "fleet: no board has a response for \(request.stop), and this board sends no requests itself",
                    requests: 0)
            case .fetch: return try await fetch(request)
            case .wait(let instant):
                await fleet.wait(for: changes, until: instant)
                if Task.isCancelled { throw FeedError(.cancelled, detail: "the request was cancelled", requests: 0) }
            }
        }
    }

    private func fetch(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        let requestedAt = fleet.beganFetch(of: request.query)
        let result: Result<FeedResponse, FeedError>
        do throws(FeedError) {
            result = .success(try await feed.departures(request))
        } catch {
            result = .failure(error)
        }
        fleet.ended(request.query, result, of: profile, requestedAt: requestedAt)
        return try result.get()
    }
}

extension FleetService {
    fileprivate func turn(
        of query: DepartureQuery, every interval: Duration, since began: Instant
    ) -> SharedQuery.Turn {
        let now = clock.now()
        return state.withLock { $0.session.member?.turn(of: query, every: interval, since: began, at: now) } ?? .fetch
    }

    /// Sleeps until the instant, or until a message about the query arrives.
    fileprivate func wait(for changes: QueryChanges, until instant: Instant) async {
        let duration = instant - clock.now()
        guard duration > .zero else { return }
        _ = await clock.first(of: changes.stream, within: duration)
    }

    /// Announces the request for a query; returns when it began.
    fileprivate func beganFetch(of query: DepartureQuery) -> Instant {
        let now = clock.now()
        let (effects, client) = state.withLock { ($0.session.member?.beganFetch(of: query) ?? [], $0.session.client) }
        perform(effects, client)
        return now
    }

    fileprivate func ended(
        _ query: DepartureQuery, _ result: Result<FeedResponse, FeedError>, of profile: FeedProfile,
        requestedAt: Instant
    ) {
        let (effects, client) = state.withLock { state in
            let moment = moment(state)
            return (
                state.session.member?.ended(query, result, of: profile, requestedAt: requestedAt, at: moment) ?? [],
                state.session.client
            )
        }
        perform(effects, client)
    }
}
