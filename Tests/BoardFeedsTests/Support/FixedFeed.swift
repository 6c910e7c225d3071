import BoardCore

/// A feed with fixed responses.
struct FixedFeed: DepartureFeed {
    let profile: FeedProfile
    var response: FeedResponse
    var details: TripDetails?
    var lines: [Line] = []

    func departures(_ request: FeedRequest) async throws(FeedFailure) -> FeedResponse { response }
    func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? { details }
    func check(_ stop: StopID) async throws(FeedFailure) -> StopCheck { StopCheck(lines: lines) }
}
