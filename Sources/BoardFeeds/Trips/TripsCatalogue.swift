public import BoardCore

/// The regions with trips, as searchable stops.
public struct TripsCatalogue: StopCatalogue {
    private let api: TripsAPI

    /// A catalogue with the settings of the feed; nil if no URL is configured.
    ///
    /// - Throws: ``FeedSettingFailure`` as for the feed.
    public static func configured(_ context: FeedContext) throws(FeedSettingFailure) -> (any StopCatalogue)? {
        try TripsAPI(context).map(TripsCatalogue.init)
    }

    private init(api: TripsAPI) {
        self.api = api
    }

    /// Fetches the regions as page 1; further pages are empty.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
        guard page == 1 else { return StopPage(entries: 0) }
        let regions = try await api.regions()
        for region in regions {
            do {
                try take(
                    ListedStop(
                        id: StopID(feed: TripsFeed.name, code: region.code), kind: .area, name: region.name,
                        modes: ["flight"]))
            } catch {
                throw FeedFailure(.cancelled, detail: "\(api.base): reading stopped: \(error)", requests: 0)
            }
        }
        return StopPage(entries: regions.count, total: regions.count)
    }

    /// Always nil: flights have no stops in sequence.
    public func route(of line: String) async throws(FeedFailure) -> LineRoute? { nil }
}
