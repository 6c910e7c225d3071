internal import BoardCore
internal import Synchronization

/// TfL's alerts: asked for seldom, beside the departures, and never at their cost.
final class TfLAlerts: Sendable {
    private let api: TfLAPI
    private let clock: any MachineClock
    private let ledger = Mutex(TfLAlertLedger())

    /// Alerts by these edges; nothing is known yet.
    init(_ api: TfLAPI, clock: any MachineClock) {
        self.api = api
        self.clock = clock
    }

    /// What concerns those who asked a question; of poles, with the lines that were predicted there.
    func concern(of question: FeedQuestion, _ plan: TfLPlan) -> TfLConcern {
        let now = clock.now()
        let calling = ledger.withLock { $0.calling(at: question.stop.code, now: now) }
        return TfLConcern(question, plan, calling: calling)
    }

    /// Asks what has not been asked for two minutes. No failure comes of it; what was known stays.
    ///
    /// - Returns: the number of requests.
    func refresh(_ concern: TfLConcern) async -> Int {
        let now = clock.now()
        let isFamily = TfLPlan.needsStructure(concern.code)
        let errands = ledger.withLock { $0.take(concern, isFamily: isFamily, at: now) }
        if errands.isEmpty { return 0 }
        await withDiscardingTaskGroup { group in
            for errand in errands { group.addTask { await self.run(errand) } }
        }
        return errands.count
    }

    /// Remembers which lines call at a pole.
    func note(_ lines: [Line], at code: String) {
        let now = clock.now()
        ledger.withLock { $0.note(lines, at: code, now: now) }
    }

    /// What is known.
    ///
    /// - Parameter moment: the operator's clock, at which an alert must hold; nil where it is not told.
    func alerts(for concern: TfLConcern, at moment: Timestamp?) -> [Alert] {
        let now = clock.now()
        return ledger.withLock { $0.alerts(for: concern, now: now, at: moment) }
    }

    private func run(_ errand: TfLAlertLedger.Errand) async {
        let result: Result<TfLAlertLedger.News, FeedFailure>
        do throws(FeedFailure) {
            switch errand {
            case .status(let ids, _): result = .success(.status(try await api.status(of: ids)))
            case .notices(let code, let isFamily):
                result = .success(.notices(try await api.notices(at: code, isFamily: isFamily)))
            }
        } catch {
            result = .failure(error)
        }
        let now = clock.now()
        ledger.withLock { $0.settle(errand, result, at: now) }
    }
}
