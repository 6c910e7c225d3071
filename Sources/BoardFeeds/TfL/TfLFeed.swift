public import BoardCore
internal import Synchronization

/// Transport for London's Unified API.
///
/// A pole or a tube, DLR or tram station is one request, `/StopPoint/{id}/Arrivals`. A rail station (`910G…`), an
/// interchange (`HUB…`) and a pair of poles (`490G…`) are asked for once in twelve hours, and then each of their parts:
/// see ``TfLRequestPlan``. Works without a key.
public final class TfLFeed: DepartureFeed {
    /// How long the structure of a station is believed; TfL's caches keep it as long (`Cache-Control: max-age=43200`).
    private static let stopTTL: Duration = .seconds(12 * 3_600)

    /// How many stations are remembered at most.
    private static let mostStops = 64

    /// The longest name of a vehicle that is asked about; number plates have seven characters.
    private static let longestVehicle = 32

    /// The constants of TfL, with the quota of its key.
    public let profile: FeedProfile
    private let api: TfLAPI
    private let alerts: TfLAlerts
    private let clock: any MachineClock
    /// Where all of TfL's stops are, whatever the machine's own zone is.
    private let zone: Zone
    private let stops = Mutex<[String: TfLCachedStop]>([:])

    /// A feed of what it is given; the settings are those of ``declaration``.
    ///
    /// - Throws: ``FeedSettingFailure`` where `url` is no address that may be asked, or London's zone cannot be had.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        api = try TfLAPI(context)
        profile = Self.profile(
            interval: context.settings.duration("interval") ?? Self.defaultInterval, hasKey: api.key != nil)
        clock = context.clock
        alerts = TfLAlerts(api, clock: context.clock)
        zone = try context.zone(Self.zoneName)
    }

    /// Asks for everything that leaves from a stop, and beside it, every two minutes at most, for its alerts and those of
    /// its lines (see ``TfLAlertCache``). Alerts that cannot be had cost nothing but their freshness.
    ///
    /// Of several requests some may fail: each that does counts as one bad row, and the answer holds what the others
    /// told, and what of its last answer is not void (see ``TfLCachedStop``). The whole question fails when all of them
    /// fail, and when one is refused for a reason that concerns them all (key, quota) or is abandoned, so that the
    /// polling policy hears of it.
    public func departures(_ question: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let code = question.stop.code
        let (plan, planCost) = try await plan(for: question)
        let known = alerts.alertFilter(of: question, plan)
        async let alertsCost = alerts.refresh(known)
        let results = await fetch(plan.parts, for: question.stop)
        let cost = planCost + plan.parts.count + (await alertsCost)
        let date = results.compactMap { try? $0.get().date }.max()
        let parts = store(plan.parts, results, of: code, at: date)
        let failures = results.compactMap(\.failure)
        let whole = failures.count == results.count ? failures.first : nil
        if let failure = failures.first(where: \.affectsAllRequests) ?? whole {
            throw FeedFailure(
                failure.kind, detail: failure.detail, requests: cost,
                retryAfter: failure.retryAfter)
        }
        let departures = parts.flatMap(\.departures)
        let isWhole = !TfLRequestPlan.needsStructure(code)
        if isWhole { alerts.note(departures.map(\.line), at: code) }
        return FeedResponse(
            stop: Stop(
                id: question.stop, name: plan.name ?? parts.firstName, letter: isWhole ? parts.first?.letter : nil,
                zone: zone),
            departures: departures, alerts: alerts.alerts(for: alerts.alertFilter(of: question, plan), at: date),
            badRows: parts.reduce(failures.count) { $0 + $1.badRows }, requests: cost)
    }

    /// Asks `/Vehicle/{id}/Arrivals` about a bus or a train; those without a number (DLR, Elizabeth line, Overground) have
    /// nothing by which they could be asked about.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        // A number is one segment of a path, and "." is none.
        guard departure.vehicle.utf8.count <= Self.longestVehicle, departure.vehicle.contains(where: { $0 != "." })
        else { return nil }
        do {
            return try await api.run(of: departure)
        } catch {
            guard error.kind == .unknownStop else { throw error }
            return nil
        }
    }

    /// Asks for the stop itself, `/StopPoint/{id}`.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        TfLRequestPlan.lines(of: stop.code, in: try await api.stopPoint(stop.code))
    }

    /// What is to be asked to answer a question, and what it cost to know that.
    private func plan(for question: FeedRequest) async throws(FeedFailure) -> (plan: TfLRequestPlan, cost: Int) {
        let code = question.stop.code
        guard TfLRequestPlan.needsStructure(code) else { return (TfLRequestPlan(forPole: code), 0) }
        let (stop, cost) = try await structure(of: code)
        return (TfLRequestPlan(for: code, in: stop, lines: question.lines), cost)
    }

    /// A station and its parts, asked for or still known; a known one outlives its time when nobody answers.
    private func structure(of code: String) async throws(FeedFailure) -> (stop: TfLStopPoint, cost: Int) {
        let now = clock.now()
        let known = stops.withLock { $0[code] }
        if let known, now < known.until { return (known.stop, 0) }
        do {
            let stop = try await api.stopPoint(code)
            stops.withLock { stops in
                stops[code] = TfLCachedStop(stop, until: now + Self.stopTTL, after: stops[code])
                if stops.count > Self.mostStops, let oldest = stops.min(by: { $0.value.until < $1.value.until }) {
                    stops[oldest.key] = nil
                }
            }
            return (stop, 1)
        } catch {
            guard let known, error.kind != .cancelled, error.kind != .unknownStop else { throw error }
            return (known.stop, 1)
        }
    }

    /// What is known of each part after all were asked; parts of which nothing is known are left out.
    private func store(
        _ parts: [TfLRequestPlan.Request], _ results: [Result<TfLDepartures, FeedFailure>], of code: String,
        at date: Timestamp?
    ) -> [TfLDepartures] {
        stops.withLock { stops in
            zip(parts, results).compactMap { part, result in
                stops[code] == nil ? try? result.get() : stops[code]?.store(part, result, at: date)
            }
        }
    }

    /// Asks for all parts at once; the results are in the order of the parts.
    private func fetch(_ parts: [TfLRequestPlan.Request], for stop: StopID) async -> [Result<
        TfLDepartures, FeedFailure
    >] {
        await withTaskGroup(of: (Int, Result<TfLDepartures, FeedFailure>).self) { group in
            for (index, part) in parts.enumerated() {
                group.addTask { [api] in
                    do throws(FeedFailure) {
                        return (index, .success(try await api.fetch(part, for: stop)))
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
    /// Whether a part's failure concerns all of them.
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
