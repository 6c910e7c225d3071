import BoardCore
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("When TfL is asked for alerts", .endsHangs)
struct TfLAlertScheduleTests {
    private let clock = ManualClock()
    private let pole = FeedQuestion(stop: .tfl("490099901X"))

    private final class Refusals: Sendable {
        let parts = Mutex<[String: Int?]>([:])
    }

    /// An operator whose arrivals and alerts can each be taken away.
    private final class Script: Sendable {
        let transport: CannedTransport
        private let refusals: Refusals

        init(date: String = "Mon, 02 Mar 2026 08:00:30 GMT") throws {
            let bus = try Fixtures.own("arrivals_bus.json")
            let tube = try Fixtures.own("arrivals_tube_odd.json")
            let rail = try Fixtures.own("arrivaldepartures.json")
            let hub = try Fixtures.own("stoppoint_hub.json")
            let status = try Fixtures.own("line_status.json")
            let family = try Fixtures.own("stoppoint_disruption_family.json")
            let refused = Refusals()
            refusals = refused
            transport = CannedTransport(date: date) { path in
                for (part, status) in refused.parts.withLock({ $0 }) where path.contains(part) {
                    return status.map { ($0, []) }
                }
                if path.hasPrefix("/Line/") { return (200, status) }
                if path.contains("/Disruption") { return (200, path.contains("getFamily") ? family : Array("[]".utf8)) }
                if path.contains("ArrivalDepartures") { return (200, rail) }
                if path.contains("940GZZ") { return (200, tube) }
                return (200, path.hasSuffix("/Arrivals") ? bus : hub)
            }
        }

        /// From now on, paths that contain a key are answered with its status, or not at all.
        func refuse(_ parts: [String: Int?]) { refusals.parts.withLock { $0 = parts } }

        /// What was asked since the last time, without the departures.
        func asked(after count: Int) -> [String] {
            transport.asked.dropFirst(count).filter { $0.contains("/Status") || $0.contains("/Disruption") }.sorted()
        }
    }

    private func feed(_ script: Script) throws -> TfLFeed {
        try TfLFeed(Feeds.context(over: script.transport, clock: clock))
    }

    /// Asks after some seconds; what else was asked than departures.
    private func ask(
        _ feed: TfLFeed, _ script: Script, _ question: FeedQuestion, after seconds: Int
    ) async throws -> (answer: FeedAnswer, asked: [String]) {
        clock.go(to: .seconds(seconds))
        let count = script.transport.asked.count
        let answer = try await feed.departures(question)
        #expect(answer.requests == script.transport.asked.count - count, "every request is counted")
        return (answer, script.asked(after: count))
    }

    private let stopPath = "/StopPoint/490099901X/Disruption"
    private let linePath = "/Line/390,73,n109/Status"

    @Test("a pole's notices come with its first departures, its lines' with the next, then both every two minutes")
    func schedule() async throws {
        let script = try Script()
        let feed = try feed(script)
        let first = try await ask(feed, script, pole, after: 0)
        #expect(first.asked == [stopPath], "nothing is asked only to know the lines")
        #expect(first.answer.alerts.isEmpty)
        #expect(first.answer.departures.count == 3)
        let second = try await ask(feed, script, pole, after: 30)
        #expect(second.asked == [linePath])
        #expect(
            second.answer.alerts.map(\.text)
                == ["390: Long delays because of roadworks.", "Route 73 is on diversion via Mill Lane."])
        for (seconds, asked) in [
            (60, []), (90, []), (119, []), (120, [stopPath]), (149, []), (150, [linePath]), (180, []),
            (1_000, [linePath, stopPath]),
        ] as [(Int, [String])] {
            let next = try await ask(feed, script, pole, after: seconds)
            #expect(next.asked == asked, "\(seconds) s")
            #expect(next.answer.alerts == second.answer.alerts)
        }
    }

    @Test("a rail station or an interchange knows its lines from its structure: all is asked with the first departures")
    func structure() async throws {
        let script = try Script()
        let hub = try await ask(feed(script), script, FeedQuestion(stop: .tfl("HUBLRH")), after: 0)
        #expect(
            hub.asked == [
                "/Line/390,73,elizabeth,harbour,mildmay/Status", "/StopPoint/HUBLRH/Disruption?getFamily=true",
            ])
        #expect(hub.answer.requests == 8)
        #expect(hub.answer.alerts.first?.severity == .severe)
        #expect(hub.answer.alerts.count == 8)
    }

    @Test("of named lines only, and one of rails is asked about before any of its trains was seen")
    func named() async throws {
        let script = try Script()
        let feed = try feed(script)
        let bus = FeedQuestion(stop: pole.stop, lines: ["73", "Nowhere"])
        _ = try await ask(feed, script, bus, after: 0)
        let known = try await ask(feed, script, bus, after: 30)
        #expect(known.asked == ["/Line/73/Status"])
        #expect(known.answer.alerts.map(\.scope) == [.lines(["73"])])
        let tube = FeedQuestion(
            stop: .tfl("940GZZLUXXA"), lines: ["Hammersmith & City", "Elizabeth line", "DLR", "15"])
        let suspended = try await ask(feed, script, tube, after: 30)
        #expect(
            suspended.asked == ["/Line/dlr,elizabeth,hammersmith-city/Status", "/StopPoint/940GZZLUXXA/Disruption"])
        #expect(suspended.answer.alerts.map(\.text) == ["Elizabeth line: Trains resume at 05:15."])
    }

    @Test("stops with the same lines share one question, and lines that are seen in between wait for the others")
    func shared() async throws {
        let script = try Script()
        let feed = try feed(script)
        let other = FeedQuestion(stop: .tfl("490099902Y"))
        _ = try await ask(feed, script, pole, after: 0)
        _ = try await ask(feed, script, other, after: 1)
        #expect(try await ask(feed, script, pole, after: 30).asked == [linePath])
        let second = try await ask(feed, script, other, after: 31)
        #expect(second.asked.isEmpty)
        #expect(second.answer.alerts.count == 2, "known from the other stop")
        #expect(try await ask(feed, script, other, after: 155).asked.contains(linePath))
        #expect(try await ask(feed, script, pole, after: 156).asked == [stopPath])
    }

    @Test(
        "alerts that cannot be had cost no departures; the last ones stay until they are 10 minutes old",
        arguments: [nil, 500, 404, 429, 401, 200] as [Int?])
    func failure(status: Int?) async throws {
        let script = try Script()
        let feed = try feed(script)
        _ = try await ask(feed, script, pole, after: 0)
        let told = try await ask(feed, script, pole, after: 30).answer
        #expect(told.alerts.count == 2)
        script.refuse(["/Line/": status, "/Disruption": status])
        for seconds in [150, 270, 390, 510, 629] {
            let later = try await ask(feed, script, pole, after: seconds)
            #expect(later.answer.alerts == told.alerts, "\(seconds) s")
            #expect(later.answer.departures == told.departures)
            #expect(later.answer.badRows == told.badRows)
            #expect(later.asked.count <= 4, "no more often for that")
        }
        let late = try await ask(feed, script, pole, after: 631)
        #expect(late.answer.alerts.isEmpty)
        #expect(late.answer.departures == told.departures)
        script.refuse([:])
        #expect(try await ask(feed, script, pole, after: 1_000).answer.alerts.count == 2)
    }

    @Test("a line that is seen in between waits for the others of its stop")
    func together() {
        var ledger = TfLAlertLedger()
        func asked(_ lines: [String], _ seconds: Int) -> [[String]] {
            let calling = lines.map { Line(id: $0, name: $0) }
            let concern = TfLConcern(pole, TfLPlan(forPole: "490099901X"), calling: calling)
            return ledger.take(concern, isFamily: false, at: Instant(microseconds: 0) + .seconds(seconds)).compactMap {
                if case .status(let ids, _) = $0 { ids } else { nil }
            }
        }
        #expect(asked(["73"], 0) == [["73"]])
        #expect(asked(["73", "390"], 40).isEmpty)
        #expect(asked(["73", "390"], 120) == [["390", "73"]])
    }

    @Test("alerts that are slow in coming are given up after 5 s, since the departures wait for them")
    func timeouts() async throws {
        let transport = PatientTransport(transport: try Script().transport)
        let feed = try TfLFeed(Feeds.context(over: transport, clock: clock))
        _ = try await feed.departures(pole)
        clock.go(to: .seconds(30))
        _ = try await feed.departures(pole)
        #expect(
            transport.patience.withLock { $0 } == [
                "/StopPoint/490099901X/Arrivals": .seconds(20), stopPath: .seconds(5), linePath: .seconds(5),
            ])
    }

    /// Takes down how long each question may take.
    private final class PatientTransport: HTTPTransport {
        let patience = Mutex<[String: Duration]>([:])
        private let transport: CannedTransport

        init(transport: CannedTransport) {
            self.transport = transport
        }

        func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
            patience.withLock { $0[request.url.target] = request.timeout }
            return try await transport.get(request, body: body)
        }
    }

    @Test("departures that fail count the alerts that were asked for with them")
    func bothFail() async throws {
        let script = try Script()
        script.refuse(["/Arrivals": 500])
        let feed = try feed(script)
        do throws(FeedFailure) {
            _ = try await feed.departures(pole)
            Issue.record("answered")
        } catch {
            #expect(error.kind == .status(500))
            #expect(error.requests == 2)
        }
    }

    @Test("a throttled question waits as long as the operator says")
    func throttled() {
        var ledger = TfLAlertLedger()
        let start = Instant(microseconds: 0)
        let concern = TfLConcern(pole, TfLPlan(forPole: "490099901X"), calling: [])
        let errand = ledger.take(concern, isFamily: false, at: start)
        #expect(errand == [.notices("490099901X", isFamily: false)])
        let refusal = FeedFailure(.throttled(retryAfter: .seconds(300)), detail: "")
        ledger.settle(.notices("490099901X", isFamily: false), .failure(refusal), at: start)
        #expect(ledger.take(concern, isFamily: false, at: start + .seconds(299)).isEmpty)
        #expect(ledger.take(concern, isFamily: false, at: start + .seconds(300)) == errand)
        ledger.settle(
            .notices("490099901X", isFamily: false), .failure(FeedFailure(.cancelled, detail: "")),
            at: start + .seconds(301))
        #expect(ledger.take(concern, isFamily: false, at: start + .seconds(301)) == errand, "nobody waits for it")
    }

    @Test("a line that TfL does not know is found and left alone, and costs the others only a while")
    func unknownLine() {
        var ledger = TfLAlertLedger()
        let lines = ["1", "2", "3", "bad", "5", "6"].map { Line(id: $0, name: $0) }
        let concern = TfLConcern(pole, TfLPlan(forPole: "490099901X"), calling: lines)
        var rounds: [Int] = []
        for round in 0..<6 {
            let now = Instant(microseconds: 0) + .seconds(120 * round)
            let lists = ledger.take(concern, isFamily: false, at: now).compactMap { errand -> [String]? in
                guard case .status(let ids, let stop) = errand else { return nil }
                let result: Result<TfLAlertLedger.News, FeedFailure> =
                    ids.contains("bad")
                    ? .failure(FeedFailure(.unknownStop, detail: ""))
                    : Result { .status(try TfLLineStatus(Array("[]".utf8), at: Timestamp(seconds: 0))) }
                        .mapError { _ in FeedFailure(.unreadable, detail: "") }
                ledger.settle(errand, result, at: now)
                #expect(stop == "490099901X")
                return ids
            }
            rounds.append(lists.count)
            if round == 5 { #expect(lists == [["1", "2", "3", "5", "6"]]) }
        }
        #expect(rounds.allSatisfy { (1...4).contains($0) })
    }

    @Test("when every list is refused, no turn costs more than four questions, and no line is forgotten")
    func allUnknown() {
        var ledger = TfLAlertLedger()
        let lines = (10..<50).map { Line(id: "\($0)", name: "") }
        let concern = TfLConcern(pole, TfLPlan(forPole: "490099901X"), calling: lines)
        var alone: Set<[String]> = []
        for round in 0..<60 {
            let now = Instant(microseconds: 0) + .seconds(121 * round)
            let lists = ledger.take(concern, isFamily: false, at: now).filter { errand in
                guard case .status(let ids, _) = errand else { return false }
                if ids.count == 1 { alone.insert(ids) }
                ledger.settle(errand, .failure(FeedFailure(.unknownStop, detail: "")), at: now)
                return true
            }
            #expect(lists.count <= 4)
        }
        #expect(alone.count == 40)
    }

    @Test("long lists are cut where TfL would refuse the path; only what can be a line is asked about")
    func lists() {
        var ledger = TfLAlertLedger()
        let lines = (0..<60).map { Line(id: "waterloo-city-\($0 + 10)", name: "") }
        let odd = ["", "a,b", "../x", "é", String(repeating: "x", count: 50)].map { Line(id: $0, name: "") }
        let concern = TfLConcern(pole, TfLPlan(forPole: "490099901X"), calling: lines + odd)
        func asked(_ seconds: Int) -> [String] {
            ledger.take(concern, isFamily: false, at: Instant(microseconds: 0) + .seconds(seconds)).flatMap { errand in
                guard case .status(let ids, _) = errand else { return [String]() }
                #expect(ids.joined(separator: ",").utf8.count <= 200)
                return ids
            }
        }
        let first = asked(0)
        #expect(first.count == 40)
        let second = asked(121)
        #expect(Set(first + second).count == 60, "those that had no room come next")
    }

    @Test("a line is a pole's for a day after its last vehicle")
    func memory() {
        var ledger = TfLAlertLedger()
        let start = Instant(microseconds: 0)
        let concern = TfLConcern(pole, TfLPlan(forPole: "490099901X"), calling: [])
        _ = ledger.take(concern, isFamily: false, at: start)
        ledger.note([Line(id: "73", name: "73")], at: "490099901X", now: start)
        ledger.note([Line(id: "73", name: "73")], at: "never asked", now: start)
        #expect(ledger.calling(at: "490099901X", now: start + .seconds(86_399)).count == 1)
        #expect(ledger.calling(at: "490099901X", now: start + .seconds(86_400)).isEmpty)
        #expect(ledger.calling(at: "never asked", now: start).isEmpty)
        // Of more than 40 lines those are left that were seen last.
        ledger.note((0..<40).map { Line(id: "\($0)", name: "old") }, at: "490099901X", now: start)
        let later = start + .seconds(60)
        ledger.note((0..<10).map { Line(id: "n\($0)", name: "new") }, at: "490099901X", now: later)
        let calling = ledger.calling(at: "490099901X", now: later)
        #expect(calling.count == 40 && calling.count { $0.name == "new" } == 10)
    }

    @Test("what is remembered is bounded, whatever is asked")
    func bounded() {
        var ledger = TfLAlertLedger()
        for number in 0..<200 {
            let code = "4900\(number)"
            let now = Instant(microseconds: 0) + .seconds(number)
            let lines = (0..<50).map { Line(id: "\(number)-\($0)", name: "") }
            let concern = TfLConcern(FeedQuestion(stop: .tfl(code)), TfLPlan(forPole: code), calling: lines)
            #expect(!ledger.take(concern, isFamily: false, at: now).isEmpty)
            ledger.note(lines, at: code, now: now)
            #expect(ledger.calling(at: code, now: now).count == 40)
        }
        #expect(ledger.size.stops == 64)
        #expect(ledger.size.lines == 256)
    }
}
