internal import BoardCore
internal import BoardFormats
internal import Synchronization

/// TfL's alerts, fetched at a low rate beside the departures; their failures never affect departures.
final class TfLAlerts: Sendable {
    private let api: TfLAPI
    private let clock: any MachineClock
    private let disruptions: ResponseCache<[TfLDisruption]>
    private let schedule = Mutex(TfLAlertSchedule())

    init(_ api: TfLAPI, clock: any MachineClock) {
        self.api = api
        self.clock = clock
        disruptions = ResponseCache(
            ttl: TfLAlertSchedule.interval, capacity: TfLAlertSchedule.maxStops, clock: clock)
    }

    /// The filter for the alerts of a request; for bus stops, with the lines that were predicted there.
    func alertFilter(of request: FeedRequest, _ plan: TfLRequestPlan) -> TfLAlertFilter {
        let now = clock.now()
        let calling = schedule.withLock { $0.calling(at: request.stop.code, now: now) }
        return TfLAlertFilter(request, plan, calling: calling)
    }

    /// Fetches what is older than two minutes. Failures are ignored, and earlier alerts remain.
    func refresh(_ alertFilter: TfLAlertFilter) async {
        let now = clock.now()
        let (code, isFamily) = (alertFilter.code, TfLRequestPlan.needsStructure(alertFilter.code))
        let lists = schedule.withLock { $0.claimDue(alertFilter, at: now) }
        async let lookup = disruptions.value(code) { () throws(FeedFailure) in
            try await api.disruptions(at: code, isFamily: isFamily)
        }
        _ = await lists.concurrentMap { ids in await self.fetch(ids, of: code) }
        _ = await lookup
    }

    func note(_ lines: [Line], at code: String) {
        let now = clock.now()
        schedule.withLock { $0.note(lines, at: code, now: now) }
    }

    /// - Parameter moment: the operator's clock, at which an alert must be active; nil if unknown.
    func alerts(for alertFilter: TfLAlertFilter, at moment: Timestamp?) -> [Alert] {
        let now = clock.now()
        let disruptions = disruptions.cached(alertFilter.code, within: TfLAlertSchedule.ttl) ?? []
        return schedule.withLock { $0.alerts(for: alertFilter, disruptions, now: now, at: moment) }
    }

    /// Fetches the status of lines on behalf of a stop.
    private func fetch(_ lines: [String], of code: String) async {
        let result: Result<TfLLineStatus, FeedFailure>
        do throws(FeedFailure) {
            result = .success(try await api.status(of: lines))
        } catch {
            result = .failure(error)
        }
        let now = clock.now()
        schedule.withLock { $0.store(lines, of: code, result, at: now) }
    }
}
