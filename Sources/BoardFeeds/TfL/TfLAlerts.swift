internal import BoardCore
internal import Synchronization

/// TfL's alerts: asked for seldom, beside the departures, and never at their cost.
final class TfLAlerts: Sendable {
    private let api: TfLAPI
    private let clock: any MachineClock
    private let cache = Mutex(TfLAlertCache())

    /// Alerts by these edges; nothing is known yet.
    init(_ api: TfLAPI, clock: any MachineClock) {
        self.api = api
        self.clock = clock
    }

    /// What concerns those who asked a question; of poles, with the lines that were predicted there.
    func alertFilter(of question: FeedRequest, _ plan: TfLRequestPlan) -> TfLAlertFilter {
        let now = clock.now()
        let calling = cache.withLock { $0.calling(at: question.stop.code, now: now) }
        return TfLAlertFilter(question, plan, calling: calling)
    }

    /// Asks what has not been asked for two minutes. No failure comes of it; what was known stays.
    ///
    /// - Returns: the number of requests.
    func refresh(_ alertFilter: TfLAlertFilter) async -> Int {
        let now = clock.now()
        let isFamily = TfLRequestPlan.needsStructure(alertFilter.code)
        let requests = cache.withLock { $0.claimDue(alertFilter, isFamily: isFamily, at: now) }
        if requests.isEmpty { return 0 }
        await withDiscardingTaskGroup { group in
            for request in requests { group.addTask { await self.run(request) } }
        }
        return requests.count
    }

    /// Remembers which lines call at a pole.
    func note(_ lines: [Line], at code: String) {
        let now = clock.now()
        cache.withLock { $0.note(lines, at: code, now: now) }
    }

    /// What is known.
    ///
    /// - Parameter moment: the operator's clock, at which an alert must hold; nil where it is not told.
    func alerts(for alertFilter: TfLAlertFilter, at moment: Timestamp?) -> [Alert] {
        let now = clock.now()
        return cache.withLock { $0.alerts(for: alertFilter, now: now, at: moment) }
    }

    private func run(_ request: TfLAlertCache.Request) async {
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
