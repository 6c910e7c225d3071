public import BoardCore
internal import BoardFormats

/// Transport for London's Unified API.
///
/// A bus stop or a tube, DLR or tram station takes one request, `/StopPoint/{id}/Arrivals`. A rail station (`910G…`), an
/// interchange (`HUB…`) and a pair of bus stops (`490G…`) are fetched every twelve hours, and each poll then fetches their
/// parts: see ``TfLRequestPlan``. Works without a key.
public final class TfLFeed: DepartureFeed {
    /// How long the structure of a station is cached, as in TfL's own caches (`Cache-Control: max-age=43200`).
    private static let stopTTL: Duration = .seconds(12 * 3_600)

    private static let maxStops = 64

    /// The longest vehicle identifier in a request; number plates have seven characters.
    private static let longestVehicle = 32

    public let profile: FeedProfile
    private let api: TfLAPI
    private let alerts: TfLAlerts
    /// The zone of all of TfL's stops, which may differ from the machine's own.
    private let zone: Zone
    /// The structures of stations.
    private let stops: ResponseCache<TfLStopPoint>
    /// The last response of each request for a part of a station.
    private let parts: ResponseCache<TfLDepartures>

    /// - Throws: ``FeedSettingFailure`` for a disallowed `url`, or if London's zone cannot be loaded.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        api = try TfLAPI(context)
        profile = Self.profile(
            interval: context.settings.duration("interval") ?? Self.defaultInterval, hasKey: api.key.secret != nil)
        alerts = TfLAlerts(api, clock: context.clock)
        // Retries after a failure are up to the polling policy.
        stops = ResponseCache(ttl: Self.stopTTL, backOff: .zero, capacity: Self.maxStops, clock: context.clock)
        parts = ResponseCache(
            ttl: .zero, backOff: .zero, capacity: Self.maxStops * ResponseLimits.lookups, clock: context.clock)
        zone = try context.zone(Self.zoneName)
    }

    /// Fetches all departures of a stop, and at most every two minutes its alerts and those of its lines (see
    /// ``TfLAlertSchedule``). A failed alert request only leaves the alerts older.
    ///
    /// If some of several requests fail, each counts as one bad row, and the response has the departures of the others and
    /// the unexpired ones of the failed requests' last responses. It throws if all requests fail, if one fails for a reason
    /// that concerns them all (key, quota), and if one was cancelled, so that the polling policy can react.
    public func departures(_ request: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let code = request.stop.code
        let isWhole = !TfLRequestPlan.needsStructure(code)
        let plan = try await plan(for: request)
        let filter = alerts.alertFilter(of: request, plan)
        async let refreshedAlerts: Void = alerts.refresh(filter)
        let lookups = await plan.requests.concurrentMap { part in
            await self.lookUp(part, of: request.stop, isWhole: isWhole)
        }
        await refreshedAlerts
        let date = lookups.compactMap { $0.failure == nil ? $0.value?.date : nil }.max()
        let failures = lookups.compactMap(\.failure)
        let whole = failures.count == lookups.count ? failures.first : nil
        if let failure = failures.first(where: \.affectsAllRequests) ?? whole { throw failure }
        let departureSets = lookups.compactMap { $0.departures(at: date) }
        let departures = departureSets.flatMap(\.departures)
        if isWhole { alerts.note(departures.map(\.line), at: code) }
        return FeedResponse(
            stop: Stop(
                id: request.stop, name: plan.name ?? departureSets.lazy.compactMap(\.name).first,
                letter: isWhole ? departureSets.first?.letter : nil,
                zone: zone),
            departures: departures, alerts: alerts.alerts(for: alerts.alertFilter(of: request, plan), at: date),
            badRows: departureSets.reduce(failures.count) { $0 + $1.badRows })
    }

    /// Fetches `/Vehicle/{id}/Arrivals` for a bus or a train; vehicles without a number (DLR, Elizabeth line, Overground)
    /// cannot be fetched.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        // The number is a path segment: "." and ".." would change the path.
        guard departure.vehicle.utf8.count <= Self.longestVehicle, departure.vehicle.contains(where: { $0 != "." })
        else { return nil }
        do {
            return try await api.tripDetails(of: departure)
        } catch {
            guard error.kind == .unknownStop else { throw error }
            return nil
        }
    }

    /// Fetches the stop itself, `/StopPoint/{id}`.
    public func check(_ stop: StopID) async throws(FeedFailure) -> StopCheck {
        let point = try await api.stopPoint(stop.code)
        return StopCheck(
            name: point.find(stop.code)?.name, lines: TfLRequestPlan.lines(of: stop.code, in: point), zone: zone)
    }

    /// The requests for a stop. After a failed fetch the cached structure of a station
    /// is used beyond its TTL.
    private func plan(for request: FeedRequest) async throws(FeedFailure) -> TfLRequestPlan {
        let code = request.stop.code
        guard TfLRequestPlan.needsStructure(code) else { return TfLRequestPlan(forPole: code) }
        let lookup = await stops.value(code) { () throws(FeedFailure) in try await api.stopPoint(code) }
        if let failure = lookup.failure, failure.kind == .cancelled || failure.kind == .unknownStop { throw failure }
        return TfLRequestPlan(for: code, in: try lookup.get(), lines: request.lines)
    }

    /// The response to a request; for a part of a station after a temporary failure the last one.
    private func lookUp(
        _ request: TfLRequestPlan.Request, of stop: StopID, isWhole: Bool
    ) async -> ResponseCache<TfLDepartures>.Lookup {
        let key = "\(stop.code)/\(request.id)"
        let lookup = await parts.value(key) { () throws(FeedFailure) in try await api.departures(request, for: stop) }
        if isWhole || lookup.failure?.kind.isPermanent == true { parts.remove(key) }
        return lookup
    }
}

extension ResponseCache<TfLDepartures>.Lookup {
    /// The new departures; after a temporary failure the last ones that are not expired at `date`, the operator's clock.
    fileprivate func departures(at date: Timestamp?) -> TfLDepartures? {
        guard let failure, var value else { return value }
        if failure.kind.isPermanent { return nil }
        if let date { value.departures.removeAll { $0.expiresAt <= date } }
        value.badRows = 0
        return value
    }
}

extension FeedFailure {
    /// Whether the failure of one request concerns all of them.
    fileprivate var affectsAllRequests: Bool {
        switch kind {
        case .keyRejected, .keyMissing, .rateLimited, .cancelled: true
        default: false
        }
    }
}
