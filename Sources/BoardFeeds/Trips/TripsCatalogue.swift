public import BoardCore

/// The regions to which trips are offered, as stops that can be searched for by their names.
public struct TripsCatalogue: StopCatalogue {
    private let api: TripsAPI

    /// A catalogue of what it is given, the settings being those of the feed; nil where nothing is configured.
    ///
    /// - Throws: ``FeedSettingFailure`` as for the feed.
    public static func configured(_ context: FeedContext) throws(FeedSettingFailure) -> (any StopCatalogue)? {
        try TripsAPI(context).map(TripsCatalogue.init)
    }

    private init(api: TripsAPI) {
        self.api = api
    }

    /// Asks for the regions: one page, nothing on the others.
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
                throw FeedFailure(.cancelled, detail: "\(api.base): not taken: \(error)", requests: 0)
            }
        }
        return StopPage(entries: regions.count, total: regions.count)
    }

    /// None: flights have no stops in sequence.
    public func route(of line: String) async throws(FeedFailure) -> LineRoute? { nil }
}
