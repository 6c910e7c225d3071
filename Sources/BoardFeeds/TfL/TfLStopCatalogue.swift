public import BoardCore

/// TfL's own list of its stops, and the routes of its lines.
///
/// The list is `/StopPoint/Mode/{modes}?page=`, a thousand entries a page, some megabytes each, of which half are entrances
/// and similar. Nothing is stored.
public struct TfLStopCatalogue: StopCatalogue {
    /// The listed modes: all those with predictions. TfL also lists coaches, National Rail and others, without predictions.
    static let modes = [
        "tube", "dlr", "elizabeth-line", "overground", "tram", "bus", "river-bus", "cable-car",
    ]

    private let api: TfLAPI

    /// A catalogue with the settings of TfL's feed.
    ///
    /// - Throws: ``FeedSettingFailure`` for a disallowed `url`.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        api = try TfLAPI(context)
    }

    /// Fetches a page.
    ///
    /// TfL lists most stops more than once: by themselves, and inside stations and interchanges, there often without lines,
    /// direction and coordinates. An unpaged list is received whole as page 1; later pages that repeat it count as empty.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
        let reader = TfLStopPageReader(take)
        let result = try await api.stopList(of: Self.modes, page: page, into: reader)
        let isWhole = page > 1 && result.total.map { $0 > 0 && result.entries >= $0 } ?? false
        return isWhole ? StopPage(entries: 0, badRows: 0, total: result.total) : result
    }

    /// Fetches both directions of a line at once.
    public func route(of line: String) async throws(FeedFailure) -> LineRoute? {
        let id = line.lowercased()
        guard !id.isEmpty else { return nil }
        do {
            return try await api.routeSequence(of: id)
        } catch {
            guard error.kind == .unknownStop else { throw error }
            return nil
        }
    }
}
