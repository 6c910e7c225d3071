public import BoardCore

/// TfL's own list of its stops, and where its lines run.
///
/// The list is `/StopPoint/Mode/{modes}?page=`, a thousand entries a page, some megabytes each, of which half are entrances
/// and the like. Nothing of it is kept.
public struct TfLStopCatalogue: StopCatalogue {
    /// What is listed: all that TfL predicts. Coaches, national rail and the like are only known to it.
    static let modes = [
        "tube", "dlr", "elizabeth-line", "overground", "tram", "bus", "river-bus", "cable-car",
    ]

    private let api: TfLAPI

    /// A catalogue of what it is given; the settings are those of TfL's feed.
    ///
    /// - Throws: ``FeedSettingFailure`` where `url` is no address that may be asked.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        api = try TfLAPI(context)
    }

    /// Asks for a page.
    ///
    /// TfL lists most stops more than once: for themselves, and inside of stations and interchanges, there often without
    /// lines, direction and place. A list that is not cut into pages comes whole as the first one; then there is no second,
    /// whatever is answered.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
        let reader = TfLStopPageReader(take)
        let answer = try await api.stopList(of: Self.modes, page: page, into: reader)
        let isWhole = page > 1 && answer.total.map { $0 > 0 && answer.entries >= $0 } ?? false
        return isWhole ? StopPage(entries: 0, badRows: 0, total: answer.total) : answer
    }

    /// Asks for both directions of a line at once.
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
