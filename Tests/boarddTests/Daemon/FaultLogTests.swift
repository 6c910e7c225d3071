import BoardCore
import Logging
import Testing

@testable import boardd

@Suite("The log of an operator")
struct FaultLogTests {
    private let captured = CapturedLog()
    private let one = StopID(feed: ScriptedFeed.name, code: "1")
    private let two = StopID(feed: ScriptedFeed.name, code: "2")
    private let now = Instant(microseconds: 0)

    private func fail(_ log: inout FaultLog, _ stop: StopID, _ kind: FeedFailure.Kind, times: Int = 1) {
        for _ in 0..<times {
            log.failed(stop, FeedFailure(kind, detail: "why"), of: ScriptedFeed.profile, at: now)
        }
    }

    private func answer(_ log: inout FaultLog, _ stop: StopID, badRows: Int = 0, at now: Instant? = nil) {
        log.succeeded(
            FeedResponse(stop: Stop(id: stop), departures: [], badRows: badRows), by: ScriptedFeed.profile,
            at: now ?? self.now)
    }

    @Test("says the third failure in a row and the recovery, and nothing in between")
    func beginAndEnd() {
        var log = FaultLog(captured.rateLimited())
        fail(&log, one, .timedOut, times: 2)
        #expect(captured.lines.isEmpty)
        for code in 500..<540 { fail(&log, one, .status(code)) }
        fail(&log, two, .noNetwork, times: 10)
        answer(&log, two)
        #expect(captured.lines == ["warning: Demo: why. Retrying."])
        answer(&log, one)
        #expect(captured.lines.dropFirst() == ["notice: Demo: responding again"])
    }

    @Test("a second outage is said as the first was, also while a stop is unknown")
    func again() {
        var log = FaultLog(captured.rateLimited())
        fail(&log, two, .unknownStop, times: 5)
        #expect(captured.lines.count == 1)
        for _ in 0..<2 {
            fail(&log, one, .timedOut, times: 3)
            answer(&log, one)
        }
        #expect(captured.lines.count == 5)
        answer(&log, two)
        #expect(captured.lines.last == "notice: Demo knows demo:2 now")
    }

    private func tell(_ log: inout FaultLog, _ stop: StopID, _ partialFailure: FeedFailure.Kind?, times: Int = 1) {
        for _ in 0..<times {
            log.succeeded(
                FeedResponse(
                    stop: Stop(id: stop), departures: [],
                    partialFailure: partialFailure.map { FeedFailure($0, detail: "no alerts") }),
                by: ScriptedFeed.profile, at: now)
        }
    }

    @Test("a part of answers that is missing is said from the third time on, and when every stop has all of it again")
    func parts() {
        var log = FaultLog(captured.rateLimited())
        tell(&log, one, nil)
        tell(&log, one, .status(503), times: 2)
        tell(&log, one, nil)
        #expect(captured.lines.isEmpty)
        tell(&log, one, .status(503), times: 5)
        tell(&log, two, .status(503), times: 5)
        #expect(captured.lines == ["warning: Demo: partial data: no alerts"])
        tell(&log, one, nil)
        #expect(captured.lines.count == 1)
        tell(&log, two, nil)
        #expect(captured.lines.dropFirst() == ["notice: Demo: data complete again"])
    }

    @Test("a part that never came, or that a person alone can mend, is said at once; of a stop that is gone no more")
    func lastingParts() {
        var log = FaultLog(captured.rateLimited())
        tell(&log, one, .status(503))
        #expect(captured.lines.count == 1)
        log.retain([two])
        tell(&log, two, nil)
        #expect(captured.lines.count == 2)
        tell(&log, two, .keyRejected)
        #expect(captured.lines.last == "warning: Demo: partial data: no alerts")
    }

    @Test("a refused key is said once for all stops, and once when it is mended")
    func key() {
        var log = FaultLog(captured.rateLimited())
        fail(&log, one, .keyRejected, times: 3)
        fail(&log, two, .keyRejected, times: 3)
        answer(&log, one)
        answer(&log, two)
        #expect(captured.lines.count == 2)
        #expect(captured.lines.last == "notice: Demo: key accepted again")
    }

    @Test("an outage ends although a stop that failed is no favourite any more")
    func removed() {
        var log = FaultLog(captured.rateLimited())
        fail(&log, one, .timedOut, times: 3)
        fail(&log, two, .timedOut, times: 3)
        log.retain([two])
        answer(&log, two)
        #expect(captured.lines.last == "notice: Demo: responding again")
    }

    @Test("runs that are lost are said from the third on, and not beside an outage of the operator")
    func runs() {
        var log = FaultLog(captured.rateLimited())
        func lose(_ times: Int) {
            for _ in 0..<times {
                log.detailsFailed(FeedFailure(.status(404), detail: "why"), of: ScriptedFeed.profile, at: now)
            }
        }
        lose(2)
        log.detailsSucceeded(by: ScriptedFeed.profile, at: now)
        lose(2)
        #expect(captured.lines.isEmpty)
        lose(5)
        #expect(captured.lines.count == 1)
        log.detailsSucceeded(by: ScriptedFeed.profile, at: now)
        #expect(captured.lines.last == "notice: Demo: calling points available again")
        fail(&log, one, .timedOut, times: 3)
        lose(9)
        #expect(captured.lines.count == 3)
        #expect(captured.lines.last == "warning: Demo: why. Retrying.")
    }

    @Test("bad rows of a stop are said once; an abandoned question is not said at all")
    func details() {
        var log = FaultLog(captured.rateLimited())
        answer(&log, one, badRows: 2)
        answer(&log, one, badRows: 3)
        fail(&log, one, .cancelled, times: 10)
        #expect(captured.lines == ["warning: Demo: skipped 2 malformed rows of demo:1. Logged once."])
    }

    @Test("every failure is there for whoever asks for debug")
    func debug() {
        var log = FaultLog(captured.rateLimited(.debug))
        fail(&log, one, .timedOut)
        #expect(captured.lines == ["debug: demo:1: why"])
    }
}

@Suite("The log of the display")
struct DisplayLogTests {
    private let captured = CapturedLog()
    private let now = Instant(microseconds: 0)
    private let fault = DisplayReport.Health.absent(DisplayReport.Fault("nothing answers"))
    private let said = "warning: display: nothing answers. Retrying."

    @Test("a display that was never there is said at once, its coming too, and nothing in between")
    func absent() {
        var log = DisplayLog(captured.rateLimited())
        for _ in 0..<100 { log.observe(fault, at: now) }
        #expect(captured.lines == [said])
        for _ in 0..<100 { log.observe(.shown, at: now) }
        #expect(captured.lines == [said, "notice: display: responding again"])
    }

    @Test("one lost byte that the next attempt heals is no news")
    func glitch() {
        var log = DisplayLog(captured.rateLimited())
        for health in [.shown, fault, .shown, fault, .shown] { log.observe(health, at: now) }
        #expect(captured.lines.isEmpty)
        for health in [fault, fault, .shown] { log.observe(health, at: now) }
        #expect(captured.lines.count == 2)
    }

    @Test("of another display its fault is news again")
    func replaced() {
        var log = DisplayLog(captured.rateLimited())
        log.observe(fault, at: now)
        log.replaced()
        log.observe(fault, at: now)
        #expect(captured.lines == [said, said])
    }
}

@Suite("All that is said of faults")
struct RateLimitedLogTests {
    private let captured = CapturedLog()
    private let now = Instant(microseconds: 0)

    @Test("is ten lines a day together, whoever says them; the last one says that it is the last")
    func together() {
        let voice = captured.rateLimited()
        var feed = FaultLog(voice)
        var display = DisplayLog(voice)
        let stop = StopID(feed: ScriptedFeed.name, code: "1")
        for _ in 0..<50 {
            for _ in 0..<3 {
                feed.failed(stop, FeedFailure(.timedOut, detail: "why"), of: ScriptedFeed.profile, at: now)
            }
            for _ in 0..<2 { display.observe(.absent(DisplayReport.Fault("nothing answers")), at: now) }
            voice.log(.warning, "button: taken", at: now)
            feed.succeeded(FeedResponse(stop: Stop(id: stop), departures: []), by: ScriptedFeed.profile, at: now)
            display.observe(.shown, at: now)
        }
        #expect(captured.lines.count == 10)
        #expect(captured.lines.count { $0.hasSuffix("(Log limit reached: no more faults are logged today.)") } == 1)
        #expect(captured.lines.last?.hasSuffix("(Log limit reached: no more faults are logged today.)") == true)
    }

    @Test("goes on as the lines of the day before fall out of it")
    func nextDay() {
        let voice = captured.rateLimited()
        for hour in 0..<24 { voice.log(.warning, "\(hour)", at: now + .seconds(hour * 3_600)) }
        #expect(captured.lines.count == 10)
        voice.log(.warning, "new", at: now + .seconds(86_399))
        #expect(captured.lines.count == 10)
        voice.log(.warning, "new", at: now + .seconds(86_400))
        voice.log(.warning, "new", at: now + .seconds(86_400))
        #expect(captured.lines.count == 11)
    }

    @Test("counts only what is written")
    func threshold() {
        let voice = captured.rateLimited(.warning)
        for _ in 0..<20 { voice.log(.notice, "back", at: now) }
        voice.log(.warning, "gone", at: now)
        #expect(captured.lines == ["warning: gone"])
    }
}
