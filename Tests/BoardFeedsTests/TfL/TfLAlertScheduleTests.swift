import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("Schedule of TfL's alert requests", .endsHangs)
struct TfLAlertScheduleTests {
    private let clock = VirtualClock()
    private let pole = FeedRequest(stop: .tfl("490099901X"))

    private func feed(_ script: CannedTransport) throws -> TfLFeed {
        try TfLFeed(Feeds.context(over: script, clock: clock))
    }

    /// Polls after some seconds; returns the other requests than departures.
    private func poll(
        _ feed: TfLFeed, _ script: CannedTransport, _ feedRequest: FeedRequest, after seconds: Int
    ) async throws -> (response: FeedResponse, requested: [String]) {
        clock.go(to: .seconds(seconds))
        let count = script.requested.count
        let response = try await feed.counted(feedRequest)
        #expect(response.requests == script.requested.count - count, "every request is counted")
        let others = script.requested.dropFirst(count).filter { $0.contains("/Status") || $0.contains("/Disruption") }
        return (response, others.sorted())
    }

    private let stopPath = "/StopPoint/490099901X/Disruption"
    private let linePath = "/Line/390,73,n109/Status"

    @Test(
        "a bus stop's disruptions come with its first departures, its lines' alerts with the next, then both every two minutes"
    )
    func schedule() async throws {
        let script = try TfLTown.transport()
        let feed = try feed(script)
        let first = try await poll(feed, script, pole, after: 0)
        #expect(first.requested == [stopPath], "no request only for the lines")
        #expect(first.response.alerts.isEmpty)
        #expect(first.response.departures.count == 3)
        let second = try await poll(feed, script, pole, after: 30)
        #expect(second.requested == [linePath])
        #expect(
            second.response.alerts.map(\.text)
                == ["390: Long delays because of roadworks.", "Route 73 is on diversion via Mill Lane."])
        for (seconds, requested) in [
            (60, []), (90, []), (119, []), (120, [stopPath]), (149, []), (150, [linePath]), (180, []),
            (1_000, [linePath, stopPath]),
        ] as [(Int, [String])] {
            let next = try await poll(feed, script, pole, after: seconds)
            #expect(next.requested == requested, "\(seconds) s")
            #expect(next.response.alerts == second.response.alerts)
        }
    }

    @Test("a rail station or interchange has its lines from its structure: all alerts come with the first departures")
    func structure() async throws {
        let script = try TfLTown.transport()
        let hub = try await poll(feed(script), script, FeedRequest(stop: .tfl("HUBLRH")), after: 0)
        #expect(
            hub.requested == [
                "/Line/390,73,elizabeth,harbour,mildmay/Status", "/StopPoint/HUBLRH/Disruption?getFamily=true",
            ])
        #expect(hub.response.requests == 8)
        #expect(hub.response.alerts.first?.severity == .severe)
        #expect(hub.response.alerts.count == 8)
    }

    @Test("only alerts of named lines are requested, and of a rail line even before its first prediction")
    func named() async throws {
        let script = try TfLTown.transport()
        let feed = try feed(script)
        let bus = FeedRequest(stop: pole.stop, lines: ["73", "Nowhere"])
        _ = try await poll(feed, script, bus, after: 0)
        let known = try await poll(feed, script, bus, after: 30)
        #expect(known.requested == ["/Line/73/Status"])
        #expect(known.response.alerts.map(\.lines) == [["73"]])
        let tube = FeedRequest(stop: .tfl("940GZZLUXXA"), lines: ["Hammersmith & City", "Elizabeth line", "DLR", "15"])
        let suspended = try await poll(feed, script, tube, after: 30)
        #expect(
            suspended.requested == ["/Line/dlr,elizabeth,hammersmith-city/Status", "/StopPoint/940GZZLUXXA/Disruption"])
        #expect(suspended.response.alerts.map(\.text) == ["Elizabeth line: Trains resume at 05:15."])
    }

    @Test("stops with equal lines share one request, and lines that appear in between wait for the next")
    func shared() async throws {
        let script = try TfLTown.transport()
        let feed = try feed(script)
        let other = FeedRequest(stop: .tfl("490099902Y"))
        _ = try await poll(feed, script, pole, after: 0)
        _ = try await poll(feed, script, other, after: 1)
        #expect(try await poll(feed, script, pole, after: 30).requested == [linePath])
        let second = try await poll(feed, script, other, after: 31)
        #expect(second.requested.isEmpty)
        #expect(second.response.alerts.count == 2, "known from the other stop")
        #expect(try await poll(feed, script, other, after: 155).requested.contains(linePath))
        #expect(try await poll(feed, script, pole, after: 156).requested == [stopPath])
    }

    @Test(
        "failed alert requests cost no departures; earlier alerts remain until they are 10 minutes old",
        arguments: [nil, 500, 404, 429, 401, 200] as [Int?])
    func failure(status: Int?) async throws {
        let script = try TfLTown.transport()
        let feed = try feed(script)
        _ = try await poll(feed, script, pole, after: 0)
        let reported = try await poll(feed, script, pole, after: 30).response
        #expect(reported.alerts.count == 2)
        script.fail(["/Line/": status, "/Disruption": status])
        for seconds in [150, 270, 390, 510, 629] {
            let later = try await poll(feed, script, pole, after: seconds)
            #expect(later.response.alerts == reported.alerts, "\(seconds) s")
            #expect(later.response.departures == reported.departures)
            #expect(later.response.badRows == reported.badRows)
            #expect(later.requested.count <= 4, "not more often")
        }
        let late = try await poll(feed, script, pole, after: 631)
        #expect(late.response.alerts.isEmpty)
        #expect(late.response.departures == reported.departures)
        script.fail([:])
        #expect(try await poll(feed, script, pole, after: 1_000).response.alerts.count == 2)
    }

    @Test("a line that appears in between waits for the others of its stop")
    func together() {
        var cache = TfLAlertSchedule()
        func requested(_ lines: [String], _ seconds: Int) -> [[String]] {
            let calling = lines.map { Line(id: $0, name: $0) }
            let alertFilter = TfLAlertFilter(pole, TfLRequestPlan(forPole: "490099901X"), calling: calling)
            return cache.claimDue(alertFilter, at: Instant(microseconds: 0) + .seconds(seconds))
        }
        #expect(requested(["73"], 0) == [["73"]])
        #expect(requested(["73", "390"], 40).isEmpty)
        #expect(requested(["73", "390"], 120) == [["390", "73"]])
    }

    @Test("slow alert requests time out after 5 s, since the departures wait for them")
    func timeouts() async throws {
        let transport = try TfLTown.transport()
        let feed = try TfLFeed(Feeds.context(over: transport, clock: clock))
        _ = try await feed.counted(pole)
        clock.go(to: .seconds(30))
        _ = try await feed.counted(pole)
        #expect(
            Dictionary(transport.requests.map { ($0.url.target, $0.timeout) }) { $1 } == [
                "/StopPoint/490099901X/Arrivals": .seconds(20), stopPath: .seconds(5), linePath: .seconds(5),
            ])
    }

    @Test("failed departures count the simultaneous alert requests")
    func bothFail() async throws {
        let script = try TfLTown.transport()
        script.fail(["/Arrivals": 500])
        let feed = try feed(script)
        let failure = await feed.failure(of: pole)
        #expect(failure?.kind == .status(500) && failure?.requests == 2)
    }

    @Test("after a rate limit the next request waits for the operator's delay")
    func rateLimited() {
        var cache = TfLAlertSchedule()
        let start = Instant(microseconds: 0)
        let line = Line(id: "73", name: "73")
        let alertFilter = TfLAlertFilter(pole, TfLRequestPlan(forPole: "490099901X"), calling: [line])
        #expect(cache.claimDue(alertFilter, at: start) == [["73"]])
        let rateLimit = FeedError(.rateLimited(retryAfter: .seconds(300)), detail: "")
        cache.store(["73"], of: "490099901X", .failure(rateLimit), at: start)
        #expect(cache.claimDue(alertFilter, at: start + .seconds(299)).isEmpty)
        #expect(cache.claimDue(alertFilter, at: start + .seconds(300)) == [["73"]])
        cache.store(["73"], of: "490099901X", .failure(FeedError(.cancelled, detail: "")), at: start + .seconds(301))
        #expect(cache.claimDue(alertFilter, at: start + .seconds(301)) == [["73"]], "no request in flight")
    }

    @Test("a line that TfL does not know is isolated and paused, and delays the others only for a while")
    func unknownLine() {
        var cache = TfLAlertSchedule()
        let lines = ["1", "2", "3", "bad", "5", "6"].map { Line(id: $0, name: $0) }
        let alertFilter = TfLAlertFilter(pole, TfLRequestPlan(forPole: "490099901X"), calling: lines)
        var rounds: [Int] = []
        for round in 0..<6 {
            let now = Instant(microseconds: 0) + .seconds(120 * round)
            let lists = cache.claimDue(alertFilter, at: now)
            for ids in lists {
                let result: Result<TfLLineStatus, FeedError> =
                    ids.contains("bad")
                    ? .failure(FeedError(.unknownStop, detail: ""))
                    : Result { try TfLLineStatus(Array("[]".utf8), at: Timestamp(seconds: 0)) }
                        .mapError { _ in FeedError(.unreadable, detail: "") }
                cache.store(ids, of: "490099901X", result, at: now)
            }
            rounds.append(lists.count)
            if round == 5 { #expect(lists == [["1", "2", "3", "5", "6"]]) }
        }
        #expect(rounds.allSatisfy { (1...4).contains($0) })
    }

    @Test("if every list is rejected, no poll costs more than four requests, and no line is forgotten")
    func allUnknown() {
        var cache = TfLAlertSchedule()
        let lines = (10..<50).map { Line(id: "\($0)", name: "") }
        let alertFilter = TfLAlertFilter(pole, TfLRequestPlan(forPole: "490099901X"), calling: lines)
        var alone: Set<[String]> = []
        for round in 0..<60 {
            let now = Instant(microseconds: 0) + .seconds(121 * round)
            let lists = cache.claimDue(alertFilter, at: now)
            for ids in lists {
                if ids.count == 1 { alone.insert(ids) }
                cache.store(ids, of: "490099901X", .failure(FeedError(.unknownStop, detail: "")), at: now)
            }
            #expect(lists.count <= 4)
        }
        #expect(alone.count == 40)
    }

    @Test("long lists are split below TfL's path limit; only valid identifiers are requested")
    func lists() {
        var cache = TfLAlertSchedule()
        let lines = (0..<60).map { Line(id: "waterloo-city-\($0 + 10)", name: "") }
        let odd = ["", "a,b", "../x", "é", String(repeating: "x", count: 50)].map { Line(id: $0, name: "") }
        let alertFilter = TfLAlertFilter(pole, TfLRequestPlan(forPole: "490099901X"), calling: lines + odd)
        func requested(_ seconds: Int) -> [String] {
            cache.claimDue(alertFilter, at: Instant(microseconds: 0) + .seconds(seconds)).flatMap { ids in
                #expect(ids.joined(separator: ",").utf8.count <= 200)
                return ids
            }
        }
        let first = requested(0)
        #expect(first.count == 40)
        let second = requested(121)
        #expect(Set(first + second).count == 60, "those that had no room come next")
    }

    @Test("a line belongs to a bus stop for a day after its last vehicle")
    func memory() {
        var cache = TfLAlertSchedule()
        let start = Instant(microseconds: 0)
        let alertFilter = TfLAlertFilter(pole, TfLRequestPlan(forPole: "490099901X"), calling: [])
        _ = cache.claimDue(alertFilter, at: start)
        cache.note([Line(id: "73", name: "73")], at: "490099901X", now: start)
        cache.note([Line(id: "73", name: "73")], at: "never requested", now: start)
        #expect(cache.calling(at: "490099901X", now: start + .seconds(86_399)).count == 1)
        #expect(cache.calling(at: "490099901X", now: start + .seconds(86_400)).isEmpty)
        #expect(cache.calling(at: "never requested", now: start).isEmpty)
        // Of more than 40 lines the most recently predicted ones stay.
        cache.note((0..<40).map { Line(id: "\($0)", name: "old") }, at: "490099901X", now: start)
        let later = start + .seconds(60)
        cache.note((0..<10).map { Line(id: "n\($0)", name: "new") }, at: "490099901X", now: later)
        let calling = cache.calling(at: "490099901X", now: later)
        #expect(calling.count == 40 && calling.count { $0.name == "new" } == 10)
    }

    @Test("the cache is bounded, whatever is requested")
    func bounded() {
        var cache = TfLAlertSchedule()
        for number in 0..<200 {
            let code = "4900\(number)"
            let now = Instant(microseconds: 0) + .seconds(number)
            let lines = (0..<50).map { Line(id: "\(number)-\($0)", name: "") }
            let alertFilter = TfLAlertFilter(
                FeedRequest(stop: .tfl(code)), TfLRequestPlan(forPole: code), calling: lines)
            #expect(!cache.claimDue(alertFilter, at: now).isEmpty)
            cache.note(lines, at: code, now: now)
            #expect(cache.calling(at: code, now: now).count == 40)
        }
        #expect(cache.size.stops == 64)
        #expect(cache.size.lines == 256)
    }
}

/// TfL's responses for an invented pole, station and interchange.
enum TfLTown {
    static func transport(
        _ failing: [String: Int?] = [:], date: String = "Mon, 02 Mar 2026 08:00:30 GMT"
    ) throws -> CannedTransport {
        let bus = try Fixtures.own("arrivals_bus.json")
        let tube = try Fixtures.own("arrivals_tube_odd.json")
        let rail = try Fixtures.own("arrivaldepartures.json")
        let hub = try Fixtures.own("stoppoint_hub.json")
        let status = try Fixtures.own("line_status.json")
        let family = try Fixtures.own("stoppoint_disruption_family.json")
        let transport = CannedTransport(date: date) { path in
            if path.hasPrefix("/Line/") { return (200, status) }
            if path.contains("/Disruption") { return (200, path.contains("getFamily") ? family : Array("[]".utf8)) }
            if path.contains("ArrivalDepartures") { return (200, rail) }
            if path.contains("940GZZ") { return (200, tube) }
            return (200, path.hasSuffix("/Arrivals") ? bus : hub)
        }
        transport.fail(failing)
        return transport
    }
}
