public import BoardCore

/// The regions with trips, as searchable stops.
public struct TripsCatalogue: StopCatalogue {
    private let api: TripsAPI

    /// - Throws: ``FeedSettingFailure`` as for the feed.
    public init?(_ context: FeedContext) throws(FeedSettingFailure) {
        guard let api = try TripsAPI(context) else { return nil }
        self.api = api
    }

    /// Fetches the regions as page 1; further pages are empty.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
        guard page == 1 else { return StopPage(entries: 0) }
        let regions = try await api.regions()
        let stops = regions.map { region in
            ListedStop(
                id: StopID(feed: TripsFeed.name, code: region.code), kind: .area, name: region.name, modes: ["flight"])
        }
        try await Self.emit(stops, from: api.base, to: take)
        return StopPage(entries: regions.count, total: regions.count)
    }
}
