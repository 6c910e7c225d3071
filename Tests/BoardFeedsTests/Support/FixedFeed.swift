import BoardCore

/// A feed with fixed responses.
struct FixedFeed: DepartureFeed {
    let profile: FeedProfile
    var response: FeedResponse
    var details: TripDetails?
    var lines: [Line] = []

    func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse { response }
    func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails? { details }
    func check(_ stop: StopID) async throws(FeedError) -> StopCheck { StopCheck(lines: lines) }
}
