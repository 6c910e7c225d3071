internal import BoardCore

/// A feed whose answers fit on a board, whatever an operator sends. Every feed passes through here (``FeedOperator/feed(_:replaying:)``), so
/// that what a board keeps of a stop is bounded in one place.
struct BoundedFeed: DepartureFeed {
    private let feed: any DepartureFeed

    /// Bounds the answers of a feed.
    init(_ feed: any DepartureFeed) {
        self.feed = feed
    }

    var profile: FeedProfile { feed.profile }
    var detailsKeyName: String? { feed.detailsKeyName }
    var finder: (any StopFinder)? { feed.finder }

    /// The departures that are due first, ``ResponseLimits/departures`` of them, and as many alerts as people could read.
    func departures(_ question: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        try await feed.departures(question).bounded
    }

    /// The first ``ResponseLimits/calls`` calling points.
    func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        try await feed.tripDetails(of: departure)?.bounded
    }

    func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        Array(try await feed.lines(at: stop).prefix(ResponseLimits.lines))
    }

    func sources() async -> [SourceCheck] { await feed.sources() }
}

extension FeedResponse {
    /// The answer without what is too much for a board.
    fileprivate var bounded: FeedResponse {
        let isLong = departures.count > ResponseLimits.departures
        guard isLong || alerts.count > ResponseLimits.alerts || !departures.allSatisfy(\.hasShortNames) else {
            return self
        }
        let rows = departures.filter(\.hasShortNames)
        let bad = departures.count - rows.count
        return FeedResponse(
            stop: stop, departures: rows.soonest, alerts: Array(alerts.prefix(ResponseLimits.alerts)),
            isWithheld: isWithheld,
            next: next, timetableEndsAt: timetableEndsAt, partialFailure: partialFailure, badRows: badRows + bad,
            requests: requests, age: age)
    }
}

extension [Departure] {
    /// The ``ResponseLimits/departures`` that are due first; all of them, in their order, where there are no more.
    var soonest: [Departure] {
        guard count > ResponseLimits.departures else { return self }
        return Array(sorted { $0.due < $1.due }.prefix(ResponseLimits.departures))
    }
}

extension Departure {
    /// The longest identifier, in UTF-8 bytes; operators' have up to 100. What people read is cut by ``Departure`` itself.
    private static let longestName = 512

    /// Whether its identifiers are such as operators have.
    fileprivate var hasShortNames: Bool {
        max(line.id.utf8.count, vehicle.utf8.count, attributes?.id?.utf8.count ?? 0) <= Self.longestName
    }
}

extension TripDetails {
    /// The run without calling points past those that anybody pages to.
    fileprivate var bounded: TripDetails {
        guard
            calls.count > ResponseLimits.calls || portions.count > ResponseLimits.lookups
                || portions.contains(where: { $0.calls.count > ResponseLimits.calls })
        else { return self }
        return TripDetails(
            calls: Array(calls.prefix(ResponseLimits.calls)),
            portions: portions.prefix(ResponseLimits.lookups).map { part in
                Portion(at: part.at, calls: Array(part.calls.prefix(ResponseLimits.calls)))
            }, location: location, madeAt: madeAt, expiresAt: expiresAt)
    }
}
