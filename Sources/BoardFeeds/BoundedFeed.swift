import BoardCore

/// A feed that limits the size of another feed's responses. ``FeedOperator/feed(_:replaying:)`` wraps every feed, so
/// the memory for a stop is limited in one place.
struct BoundedFeed: DepartureFeed {
    private let feed: any DepartureFeed

    init(_ feed: any DepartureFeed) { self.feed = feed }

    var profile: FeedProfile { feed.profile }
    var detailsKeyName: String? { feed.detailsKeyName }
    var finder: (any StopFinder)? { feed.finder }

    /// The departures limited as by `soonest(_:)`, and the first ``ResponseLimits/alerts`` alerts.
    func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        try await RequestCount.counting { () throws(FeedError) in
            try await feed.departures(request).bounded(by: request)
        }
    }

    /// The first ``ResponseLimits/calls`` calling points.
    func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails? {
        try await feed.tripDetails(of: departure)?.bounded
    }

    func check(_ stop: StopID) async throws(FeedError) -> StopCheck {
        let check = try await feed.check(stop)
        return StopCheck(
            check.subject, name: check.name, lines: check.lines.map { Array($0.prefix(ResponseLimits.lines)) },
            zone: check.zone)
    }

    func sources() async -> [SourceCheck] { await feed.sources() }
}

extension FeedResponse {
    fileprivate func bounded(by request: FeedRequest) -> FeedResponse {
        let isLong = departures.count > ResponseLimits.departures
        guard isLong || alerts.count > ResponseLimits.alerts || !departures.allSatisfy(\.hasShortNames) else {
            return self
        }
        let rows = departures.filter(\.hasShortNames)
        let bad = departures.count - rows.count
        return FeedResponse(
            stop: stop, departures: rows.soonest(request), alerts: Array(alerts.prefix(ResponseLimits.alerts)),
            isWithheld: isWithheld, next: next, timetableEndsAt: timetableEndsAt, partialFailure: partialFailure,
            badRows: badRows + bad, age: age)
    }
}

extension [Departure] {
    /// The earliest ``ResponseLimits/departures`` departures, those of the request's lines, platforms and directions
    /// before all others; if there are no more, all of them in their order.
    func soonest(_ request: FeedRequest? = nil) -> [Departure] {
        guard count > ResponseLimits.departures else { return self }
        func matches(_ row: Departure) -> Bool { request.isNilOr { $0.selects(row) } }
        let sorted = sorted { $0.due < $1.due }
        return Array((sorted.filter(matches) + sorted.filter { !matches($0) }).prefix(ResponseLimits.departures))
    }
}

extension Departure {
    /// The longest identifier, in UTF-8 bytes; real ones have up to 100. ``Departure`` itself cuts display texts.
    private static let maximumNameLength = 512

    fileprivate var hasShortNames: Bool {
        max(line.id.utf8.count, vehicle.utf8.count, attributes?.id?.utf8.count ?? 0) <= Self.maximumNameLength
    }
}

extension TripDetails {
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

extension CallingPoint {
    var latest: Timestamp? {
        switch state {
        case .expected(let time), .scheduled(let time), .arrived(let time): time
        case .called(let time): time ?? booked
        case .delayed, .cancelled: booked
        }
    }
}
