public import BoardCore
internal import BoardFormats

/// TfL's own list of its stops, and the routes of its lines.
///
/// The list is `/StopPoint/Mode/{modes}?page=`, a thousand entries a page, some megabytes each, of which half are entrances
/// and similar.
public struct TfLCatalogue: StopCatalogue {
    /// The listed modes: all those with predictions. TfL also lists coaches, National Rail and others, without predictions.
    static let modes = [
        "tube", "dlr", "elizabeth-line", "overground", "tram", "bus", "river-bus", "cable-car",
    ]

    private let api: TfLAPI

    /// - Throws: ``FeedSettingFailure`` for a disallowed `url`.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        api = try TfLAPI(context)
    }

    /// Fetches a page.
    ///
    /// TfL lists most stops more than once: by themselves, and inside stations and interchanges, there often without lines,
    /// direction and coordinates. Where a whole list comes as page 1, later pages that repeat it count as empty.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
        let list = try await api.stopList(of: Self.modes, page: page)
        let result = list.page
        if page > 1, let total = result.total, total > 0, result.entries >= total {
            return StopPage(entries: 0, badRows: 0, total: total)
        }
        try await Self.emit(list.stops, from: api.base, to: take)
        return result
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

/// A page of TfL's list.
struct TfLStopList {
    let page: StopPage
    let stops: [ListedStop]

    /// - Throws: ``JSONFault`` if the list is missing or incomplete.
    init(_ body: [UInt8]) throws(JSONFault) {
        let document = try JSONDocument(body, maximumValues: ResponseLimits.listValues)
        let row = document.root.row
        guard let elements = row?["stopPoints"]?.elements ?? document.root.elements else { throw .unexpectedStructure }
        var (stops, rows, badRows): ([ListedStop], Int, Int) = ([], 0, 0)
        let others = elements.eachRow { row in
            let listing = TfLStopListEntry(row).listing
            stops += listing.stops
            rows += 1
            badRows += listing.badRows
        }
        self.stops = stops
        page = StopPage(entries: rows + others, badRows: badRows + others, total: row?.integer("total"))
    }
}
