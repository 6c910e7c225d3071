import BoardCore

/// A feed with fixed responses.
struct FixedFeed: DepartureFeed {
    let profile: FeedProfile
    var response: FeedResponse
    var details: TripDetails?
    var lines: [Line] = []

    func departures(_ request: FeedRequest) async throws(FeedFailure) -> FeedResponse { response }
    func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? { details }
    func lines(at stop: StopID) async throws(FeedFailure) -> [Line] { lines }
}
