public import BoardCore
public import BoardFormats

/// A feed on a recording, with all times moved to the present.
///
/// The recorded bytes are decoded unchanged and the results are moved, so that it works for every operator.
public struct ReplayedFeed: DepartureFeed {
    private let feed: any DepartureFeed
    private let replay: ReplayTransport

    /// Moves the results of `feed`, which must use only `replay` as its transport.
    public init(_ feed: any DepartureFeed, from replay: ReplayTransport) {
        self.feed = feed
        self.replay = replay
    }

    public var profile: FeedProfile { feed.profile }

    /// The recorded departures, with their times in the present.
    public func departures(_ request: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let shift = replay.shift
        let fetched = await fetched(request)
        // If the recording restarted meanwhile, the result may be from either pass: fetching again is cheap.
        guard replay.shift == shift else { return try Self.moved(await self.fetched(request), by: replay.shift) }
        return try Self.moved(fetched, by: shift)
    }

    /// The recorded trip, with its times in the present. `departure` must come from this feed.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        let shift = replay.shift
        do {
            return try await feed.tripDetails(of: departure.shifted(by: .zero - shift))?.shifted(by: shift)
        } catch {
            throw error.shifted(by: shift)
        }
    }

    /// The stop at the time of the recording.
    public func check(_ stop: StopID) async throws(FeedFailure) -> StopCheck {
        try await feed.check(stop)
    }

    private func fetched(_ request: FeedRequest) async -> Result<FeedResponse, FeedFailure> {
        do throws(FeedFailure) {
            return .success(try await feed.departures(request))
        } catch {
            return .failure(error)
        }
    }

    /// The result, with its times in the present.
    private static func moved(
        _ fetched: Result<FeedResponse, FeedFailure>, by shift: Duration
    ) throws(FeedFailure) -> FeedResponse {
        switch fetched {
        case .success(let response): return response.shifted(by: shift)
        case .failure(let failure): throw failure.shifted(by: shift)
        }
    }
}
