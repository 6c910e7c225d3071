public import BoardCore

/// A feed whose answers come from a recording, with every time moved so that the recording is now.
///
/// The bytes stay as they were recorded; what they mean is moved, so that it works for every operator.
public struct ReplayedFeed: DepartureFeed {
    private let feed: any DepartureFeed
    private let replay: ReplayTransport

    /// Moves the answers of `feed`, which must ask `replay` and nothing else.
    public init(_ feed: any DepartureFeed, from replay: ReplayTransport) {
        self.feed = feed
        self.replay = replay
    }

    /// What the recorded feed declares of itself.
    public var profile: FeedProfile { feed.profile }

    /// Answers as the recording does, with its times in the present.
    public func departures(_ question: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let shift = replay.shift
        let fetched = await fetched(question)
        // A lap may have ended in between; then the answer is of this lap or of the last, and asking again is cheap.
        guard replay.shift == shift else { return try Self.moved(await self.fetched(question), by: replay.shift) }
        return try Self.moved(fetched, by: shift)
    }

    /// The run as the recording tells it, with its times in the present. `departure` is one that this feed told of.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        let shift = replay.shift
        do {
            return try await feed.tripDetails(of: departure.shifted(by: .zero - shift))?.shifted(by: shift)
        } catch {
            throw error.shifted(by: shift)
        }
    }

    /// The lines that called when the recording was made.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        try await feed.lines(at: stop)
    }

    private func fetched(_ question: FeedRequest) async -> Result<FeedResponse, FeedFailure> {
        do throws(FeedFailure) {
            return .success(try await feed.departures(question))
        } catch {
            return .failure(error)
        }
    }

    /// The recorded answer, with its times in the present.
    private static func moved(
        _ fetched: Result<FeedResponse, FeedFailure>, by shift: Duration
    ) throws(FeedFailure) -> FeedResponse {
        switch fetched {
        case .success(let answer): return answer.shifted(by: shift)
        case .failure(let failure): throw failure.shifted(by: shift)
        }
    }
}
