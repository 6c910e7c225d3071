import BoardCore

/// A feed that gives the same answers whatever it is asked.
struct FixedFeed: DepartureFeed {
    let profile: FeedProfile
    var answer: FeedResponse
    var run: TripDetails?
    var lines: [Line] = []

    func departures(_ question: FeedRequest) async throws(FeedFailure) -> FeedResponse { answer }
    func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? { run }
    func lines(at stop: StopID) async throws(FeedFailure) -> [Line] { lines }
}
