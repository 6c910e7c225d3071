internal import BoardCore
internal import Synchronization

/// TfL's alerts, fetched at a low rate beside the departures; their failures never affect departures.
final class TfLAlerts: Sendable {
    private let api: TfLAPI
    private let clock: any MachineClock
    private let cache = Mutex(TfLAlertCache())

    init(_ api: TfLAPI, clock: any MachineClock) {
        self.api = api
        self.clock = clock
    }

    /// The filter for the alerts of a request; for bus stops, with the lines that were predicted there.
    func alertFilter(of request: FeedRequest, _ plan: TfLRequestPlan) -> TfLAlertFilter {
        let now = clock.now()
        let calling = cache.withLock { $0.calling(at: request.stop.code, now: now) }
        return TfLAlertFilter(request, plan, calling: calling)
    }

    /// Fetches what is older than two minutes. Failures are ignored, and earlier alerts remain.
    ///
    /// - Returns: the number of requests.
    func refresh(_ alertFilter: TfLAlertFilter) async -> Int {
        let now = clock.now()
        let isFamily = TfLRequestPlan.needsStructure(alertFilter.code)
        let requests = cache.withLock { $0.claimDue(alertFilter, isFamily: isFamily, at: now) }
        if requests.isEmpty { return 0 }
        await withDiscardingTaskGroup { group in
            for request in requests { group.addTask { await self.perform(request) } }
        }
        return requests.count
    }

    /// Stores which lines call at a stop.
    func note(_ lines: [Line], at code: String) {
        let now = clock.now()
        cache.withLock { $0.note(lines, at: code, now: now) }
    }

    /// The cached alerts.
    ///
    /// - Parameter moment: the operator's clock, at which an alert must be active; nil if unknown.
    func alerts(for alertFilter: TfLAlertFilter, at moment: Timestamp?) -> [Alert] {
        let now = clock.now()
        return cache.withLock { $0.alerts(for: alertFilter, now: now, at: moment) }
    }

    private func perform(_ request: TfLAlertCache.Request) async {
        let result: Result<TfLAlertCache.Reply, FeedFailure>
        do throws(FeedFailure) {
            switch request {
            case .status(let ids, _): result = .success(.status(try await api.status(of: ids)))
            case .disruptions(let code, let isFamily):
                result = .success(.disruptions(try await api.disruptions(at: code, isFamily: isFamily)))
            }
        } catch {
            result = .failure(error)
        }
        let now = clock.now()
        cache.withLock { $0.store(request, result, at: now) }
    }
}
