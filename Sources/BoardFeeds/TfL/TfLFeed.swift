public import BoardCore
internal import Synchronization

/// Transport for London's Unified API.
///
/// A bus stop or a tube, DLR or tram station takes one request, `/StopPoint/{id}/Arrivals`. A rail station (`910G…`), an
/// interchange (`HUB…`) and a pair of bus stops (`490G…`) are fetched every twelve hours, and each poll then fetches their
/// parts: see ``TfLRequestPlan``. Works without a key.
public final class TfLFeed: DepartureFeed {
    /// How long the structure of a station is cached, as in TfL's own caches (`Cache-Control: max-age=43200`).
    private static let stopTTL: Duration = .seconds(12 * 3_600)

    /// The most cached stations.
    private static let maxStops = 64

    /// The longest vehicle identifier in a request; number plates have seven characters.
    private static let longestVehicle = 32

    /// TfL's profile, with the quota for its key.
    public let profile: FeedProfile
    private let api: TfLAPI
    private let alerts: TfLAlerts
    private let clock: any MachineClock
    /// The zone of all of TfL's stops, which may differ from the machine's own.
    private let zone: Zone
    private let stops = Mutex<[String: TfLCachedStop]>([:])

    /// A feed with the settings of ``declaration``.
    ///
    /// - Throws: ``FeedSettingFailure`` for a disallowed `url`, or if London's zone cannot be loaded.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        api = try TfLAPI(context)
        profile = Self.profile(
            interval: context.settings.duration("interval") ?? Self.defaultInterval, hasKey: api.key != nil)
        clock = context.clock
        alerts = TfLAlerts(api, clock: context.clock)
        zone = try context.zone(Self.zoneName)
    }

    /// Fetches all departures of a stop, and at most every two minutes its alerts and those of its lines (see
    /// ``TfLAlertCache``). A failed alert request only leaves the alerts older.
    ///
    /// If some of several requests fail, each counts as one bad row, and the response has the departures of the others and
    /// the unexpired ones of the failed requests' last responses (see ``TfLCachedStop``). It throws if all requests fail, if
    /// one fails for a reason that concerns them all (key, quota), and if one was cancelled, so that the polling policy
    /// can react.
    public func departures(_ request: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let code = request.stop.code
        let (plan, planCost) = try await plan(for: request)
        let filter = alerts.alertFilter(of: request, plan)
        async let alertsCost = alerts.refresh(filter)
        let results = await fetch(plan.requests, for: request.stop)
        let cost = planCost + plan.requests.count + (await alertsCost)
        let date = results.compactMap { try? $0.get().date }.max()
        let departureSets = store(plan.requests, results, of: code, at: date)
        let failures = results.compactMap(\.failure)
        let whole = failures.count == results.count ? failures.first : nil
        if let failure = failures.first(where: \.affectsAllRequests) ?? whole {
            throw FeedFailure(
                failure.kind, detail: failure.detail, requests: cost,
                retryAfter: failure.retryAfter)
        }
        let departures = departureSets.flatMap(\.departures)
        let isWhole = !TfLRequestPlan.needsStructure(code)
        if isWhole { alerts.note(departures.map(\.line), at: code) }
        return FeedResponse(
            stop: Stop(
                id: request.stop, name: plan.name ?? departureSets.firstName,
                letter: isWhole ? departureSets.first?.letter : nil,
                zone: zone),
            departures: departures, alerts: alerts.alerts(for: alerts.alertFilter(of: request, plan), at: date),
            badRows: departureSets.reduce(failures.count) { $0 + $1.badRows }, requests: cost)
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
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        TfLRequestPlan.lines(of: stop.code, in: try await api.stopPoint(stop.code))
    }

    /// The requests for a stop, and the requests it took to determine them.
    private func plan(for request: FeedRequest) async throws(FeedFailure) -> (plan: TfLRequestPlan, cost: Int) {
        let code = request.stop.code
        guard TfLRequestPlan.needsStructure(code) else { return (TfLRequestPlan(forPole: code), 0) }
        let (stop, cost) = try await structure(of: code)
        return (TfLRequestPlan(for: code, in: stop, lines: request.lines), cost)
    }

    /// A station and its parts, fetched or cached; after a failed fetch the cached one is used beyond its TTL.
    private func structure(of code: String) async throws(FeedFailure) -> (stop: TfLStopPoint, cost: Int) {
        let now = clock.now()
        let cached = stops.withLock { $0[code] }
        if let cached, now < cached.until { return (cached.stop, 0) }
        do {
            let stop = try await api.stopPoint(code)
            stops.withLock { stops in
                stops[code] = TfLCachedStop(stop, until: now + Self.stopTTL, after: stops[code])
                if stops.count > Self.maxStops, let oldest = stops.min(by: { $0.value.until < $1.value.until }) {
                    stops[oldest.key] = nil
                }
            }
            return (stop, 1)
        } catch {
            guard let cached, error.kind != .cancelled, error.kind != .unknownStop else { throw error }
            return (cached.stop, 1)
        }
    }

    /// The departures of each request, new or cached; requests without either are left out.
    private func store(
        _ requests: [TfLRequestPlan.Request], _ results: [Result<TfLDepartures, FeedFailure>], of code: String,
        at date: Timestamp?
    ) -> [TfLDepartures] {
        stops.withLock { stops in
            zip(requests, results).compactMap { request, result in
                stops[code] == nil ? try? result.get() : stops[code]?.store(request, result, at: date)
            }
        }
    }

    /// Sends all requests at once; the results are in the order of the requests.
    private func fetch(_ requests: [TfLRequestPlan.Request], for stop: StopID) async -> [Result<
        TfLDepartures, FeedFailure
    >] {
        await withTaskGroup(of: (Int, Result<TfLDepartures, FeedFailure>).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { [api] in
                    do throws(FeedFailure) {
                        return (index, .success(try await api.fetch(request, for: stop)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [(Int, Result<TfLDepartures, FeedFailure>)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

extension Result<TfLDepartures, FeedFailure> {
    fileprivate var failure: FeedFailure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
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

extension [TfLDepartures] {
    fileprivate var firstName: String? {
        lazy.compactMap(\.name).first
    }
}
