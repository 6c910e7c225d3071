import BoardCore
import BoardDisplays
import Logging
import Testing
import Waiting

@testable import boardd

@Suite("The log of an operator")
struct FaultLogTests {
    private let captured = CapturedLog()
    private let one = StopID(feed: ScriptedFeed.name, code: "1")
    private let two = StopID(feed: ScriptedFeed.name, code: "2")

    private func fail(_ log: inout FaultLog, _ stop: StopID, _ kind: FeedError.Kind, times: Int = 1) {
        for _ in 0..<times {
            log.failed(stop, FeedError(kind, detail: "why"), of: ScriptedFeed.profile)
        }
    }

    private func succeed(_ log: inout FaultLog, _ stop: StopID, badRows: Int = 0) {
        log.succeeded(FeedResponse(stop: Stop(id: stop), departures: [], badRows: badRows), by: ScriptedFeed.profile)
    }

    @Test("logs the third failure in a row and the recovery, and nothing in between")
    func beginAndEnd() {
        var log = FaultLog(captured.rateLimited())
        fail(&log, one, .timedOut, times: 2)
        #expect(captured.lines.isEmpty)
        for code in 500..<540 { fail(&log, one, .status(code)) }
        fail(&log, two, .noNetwork, times: 10)
        succeed(&log, two)
        #expect(captured.lines == ["warning: Demo: why. Retrying."])
        succeed(&log, one)
        #expect(captured.lines.dropFirst() == ["notice: Demo: responding again"])
    }

    @Test("a second outage is logged like the first, also while a stop is unknown")
    func again() {
        var log = FaultLog(captured.rateLimited())
        fail(&log, two, .unknownStop, times: 5)
        #expect(captured.lines.count == 1)
        for _ in 0..<2 {
            fail(&log, one, .timedOut, times: 3)
            succeed(&log, one)
        }
        #expect(captured.lines.count == 5)
        succeed(&log, two)
        #expect(captured.lines.last == "notice: Demo: stop demo:2 found again")
    }

    private func report(_ log: inout FaultLog, _ stop: StopID, _ partialFailure: FeedError.Kind?, times: Int = 1) {
        for _ in 0..<times {
            log.succeeded(
                FeedResponse(
                    stop: Stop(id: stop), departures: [],
                    partialFailure: partialFailure.map { FeedError($0, detail: "no alerts") }),
                by: ScriptedFeed.profile)
        }
    }

    @Test("partial data is logged from the third time on, and complete data when every stop has it again")
    func parts() {
        var log = FaultLog(captured.rateLimited())
        report(&log, one, nil)
        report(&log, one, .status(503), times: 2)
        report(&log, one, nil)
        #expect(captured.lines.isEmpty)
        report(&log, one, .status(503), times: 5)
        report(&log, two, .status(503), times: 5)
        #expect(captured.lines == ["warning: Demo: partial data: no alerts"])
        report(&log, one, nil)
        #expect(captured.lines.count == 1)
        report(&log, two, nil)
        #expect(captured.lines.dropFirst() == ["notice: Demo: data complete again"])
    }

    @Test("partial data from the start, or that only a person can fix, is logged at once; removed stops are forgotten")
    func lastingParts() {
        var log = FaultLog(captured.rateLimited())
        report(&log, one, .status(503))
        #expect(captured.lines.count == 1)
        log.retain([two])
        report(&log, two, nil)
        #expect(captured.lines.count == 2)
        report(&log, two, .keyRejected)
        #expect(captured.lines.last == "warning: Demo: partial data: no alerts")
    }

    @Test("a rejected key is logged once for all stops, and once when it is fixed")
    func key() {
        var log = FaultLog(captured.rateLimited())
        fail(&log, one, .keyRejected, times: 3)
        fail(&log, two, .keyRejected, times: 3)
        succeed(&log, one)
        succeed(&log, two)
        #expect(captured.lines.count == 2)
        #expect(captured.lines.last == "notice: Demo: key accepted again")
    }

    @Test("an outage ends although a stop that failed is no longer a favourite")
    func removed() {
        var log = FaultLog(captured.rateLimited())
        fail(&log, one, .timedOut, times: 3)
        fail(&log, two, .timedOut, times: 3)
        log.retain([two])
        succeed(&log, two)
        #expect(captured.lines.last == "notice: Demo: responding again")
    }

    @Test("failed trip details are logged from the third on, and not during an outage of the operator")
    func tripDetails() {
        var log = FaultLog(captured.rateLimited())
        func failDetails(_ times: Int) {
            for _ in 0..<times {
                log.detailsFailed(FeedError(.status(404), detail: "why"), of: ScriptedFeed.profile)
            }
        }
        failDetails(2)
        log.detailsSucceeded(by: ScriptedFeed.profile)
        failDetails(2)
        #expect(captured.lines.isEmpty)
        failDetails(5)
        #expect(captured.lines.count == 1)
        log.detailsSucceeded(by: ScriptedFeed.profile)
        #expect(captured.lines.last == "notice: Demo: calling points available again")
        fail(&log, one, .timedOut, times: 3)
        failDetails(9)
        #expect(captured.lines.count == 3)
        #expect(captured.lines.last == "warning: Demo: why. Retrying.")
    }

    @Test("malformed rows of a stop are logged once; a cancelled request is not logged")
    func details() {
        var log = FaultLog(captured.rateLimited())
        succeed(&log, one, badRows: 2)
        succeed(&log, one, badRows: 3)
        fail(&log, one, .cancelled, times: 10)
        #expect(captured.lines == ["warning: Demo: skipped 2 malformed rows of demo:1. Logged once."])
    }

    @Test("a failure that says that it is retried does not say so twice")
    func retryingOnce() {
        var log = FaultLog(captured.rateLimited())
        let failure = FeedError(.status(503), detail: "server error. Retrying")
        for _ in 0..<3 { log.failed(one, failure, of: ScriptedFeed.profile) }
        #expect(captured.lines == ["warning: Demo: server error. Retrying."])
    }

    @Test("every failure is logged at level debug")
    func debug() {
        var log = FaultLog(captured.rateLimited(.debug))
        fail(&log, one, .timedOut)
        #expect(captured.lines == ["debug: demo:1: why"])
    }
}

@Suite("The log of the display")
struct DisplayLogTests {
    private let captured = CapturedLog()
    private let fault = DisplayReport.Health.absent("no device acknowledges")
    private let warning = "warning: display: no device acknowledges. Retrying."

    @Test("a display that never responded is logged at once, and its recovery, and nothing in between")
    func absent() {
        var log = DisplayLog(captured.rateLimited())
        for _ in 0..<100 { log.observe(fault) }
        #expect(captured.lines == [warning])
        for _ in 0..<100 { log.observe(.shown) }
        #expect(captured.lines == [warning, "notice: display: responding again"])
    }

    @Test("one lost byte that the next attempt repairs is not logged")
    func glitch() {
        var log = DisplayLog(captured.rateLimited())
        for health in [.shown, fault, .shown, fault, .shown] { log.observe(health) }
        #expect(captured.lines.isEmpty)
        for health in [fault, fault, .shown] { log.observe(health) }
        #expect(captured.lines.count == 2)
    }

    @Test("the advice for a machine without a display follows the first fault, and no other")
    func advice() {
        var log = DisplayLog(captured.rateLimited(), advice: "boardd run --simulate")
        log.observe(fault)
        log.replaced()
        log.observe(fault)
        #expect(captured.lines == [warning, "notice: boardd run --simulate", warning])
    }

    @Test("a fault of another display is logged again")
    func replaced() {
        var log = DisplayLog(captured.rateLimited())
        log.observe(fault)
        log.replaced()
        log.observe(fault)
        #expect(captured.lines == [warning, warning])
    }
}

@Suite("The rate limit of logged faults")
struct RateLimitedLogTests {
    private let captured = CapturedLog()

    @Test("is ten lines a day for all sources together; the last one states that it is the last")
    func together() {
        let limitedLog = captured.rateLimited()
        var feed = FaultLog(limitedLog)
        var display = DisplayLog(limitedLog)
        let stop = StopID(feed: ScriptedFeed.name, code: "1")
        for _ in 0..<50 {
            for _ in 0..<3 {
                feed.failed(stop, FeedError(.timedOut, detail: "why"), of: ScriptedFeed.profile)
            }
            for _ in 0..<2 { display.observe(.absent("no device acknowledges")) }
            limitedLog.log(.warning, "button: taken")
            feed.succeeded(FeedResponse(stop: Stop(id: stop), departures: []), by: ScriptedFeed.profile)
            display.observe(.shown)
        }
        #expect(captured.lines.count == 10)
        #expect(captured.lines.count { $0.hasSuffix("(Log limit reached: no more of these lines today.)") } == 1)
        #expect(captured.lines.last?.hasSuffix("(Log limit reached: no more of these lines today.)") == true)
    }

    @Test("allows new lines as those of the day before expire")
    func nextDay() {
        let clock = VirtualClock()
        let limitedLog = RateLimitedLog(captured.logger(.info), clock: clock)
        for hour in 0..<24 {
            clock.go(to: .seconds(hour * 3_600))
            limitedLog.log(.warning, "\(hour)")
        }
        #expect(captured.lines.count == 10)
        clock.go(to: .seconds(86_399))
        limitedLog.log(.warning, "new")
        #expect(captured.lines.count == 10)
        clock.go(to: .seconds(86_400))
        limitedLog.log(.warning, "new")
        limitedLog.log(.warning, "new")
        #expect(captured.lines.count == 11)
    }

    @Test("counts only what is written")
    func threshold() {
        let limitedLog = captured.rateLimited(.warning)
        for _ in 0..<20 { limitedLog.log(.notice, "back") }
        limitedLog.log(.warning, "gone")
        #expect(captured.lines == ["warning: gone"])
    }
}
