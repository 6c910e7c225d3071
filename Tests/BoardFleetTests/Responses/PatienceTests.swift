import BoardCore
import BoardStore
import Testing
import Waiting

@testable import BoardFleet

/// Who sends the requests, in virtual time.
@Suite("Sharing requests")
struct PatienceTests {
    private static let patience = FleetOptions.Patience.wait(.seconds(20))
    private static let hub = SimulatedFleet.name("hub")
    /// The requests of one board alone in ten minutes: one in 30 to 33 s.
    private static let perStop = 18...21

    private func fleet(
        boards: Int, stops: Int, hub: FleetOptions.Patience? = .wait(.zero), seed: UInt64 = 1,
        _ change: (inout SimulatedFleet) -> Void = { _ in }
    ) -> SimulatedFleet {
        var fleet = SimulatedFleet(seed: seed)
        change(&fleet)
        if let hub { fleet.add("hub", patience: hub, queries: []) }
        for number in 0..<boards {
            fleet.add("board-\(number)", patience: Self.patience, queries: SimulatedFleet.queries(stops))
        }
        return fleet
    }

    private func requests(_ fleet: SimulatedFleet, of query: DepartureQuery) -> [FleetName] {
        fleet.requests.filter { $0.query == query }.map(\.by)
    }

    @Test("with a hub, ten boards send no request: the hub sends each once in an interval")
    func hub() async {
        var fleet = fleet(boards: 10, stops: 5)
        await fleet.run(for: .seconds(600))
        for query in SimulatedFleet.queries(5) {
            #expect(Self.perStop.contains(requests(fleet, of: query).count))
        }
        #expect(Set(fleet.requests.map(\.by)) == [Self.hub])
        #expect(fleet.oldest < .seconds(34))
    }

    @Test(
        "without a hub, ten boards together send at most a tenth more requests than one board alone", arguments: 1...5)
    func noHub(seed: UInt64) async {
        var fleet = fleet(boards: 10, stops: 5, hub: nil, seed: seed)
        await fleet.run(for: .seconds(600))
        let alone = 5.0 * 600 / 30
        #expect(Double(fleet.requests.count) <= alone * 1.1)
        #expect(fleet.requests.count >= 5 * 18)
        #expect(fleet.oldest < .seconds(34))
        #expect(Set(fleet.requests.map(\.by)).count > 3)
    }

    @Test("after the hub is killed, at most one request a stop more is sent, and no response is older than 34 s")
    func killedHub() async {
        var fleet = fleet(boards: 10, stops: 5)
        await fleet.run(for: .seconds(300))
        fleet.kill(Self.hub)
        let before = fleet.requests.count
        for _ in 0..<300 {
            await fleet.run(for: .seconds(1))
            #expect(fleet.oldest < .seconds(34))
        }
        let after = fleet.requests.count - before
        #expect(after <= 5 * 10 + 5)
        #expect(after >= 5 * 9)
    }

    @Test("a broker that ends each session at once delays a request no longer than a hub that does not respond")
    func lostSessions() {
        let start = Instant(microseconds: 0)
        let query = SharedQuery(at: start, randomPart: 1)
        func turn(at second: Int) -> SharedQuery.Turn {
            let now = start + .seconds(second)
            let situation = SharedQuery.Situation(
                interval: .seconds(30), patience: Self.patience, connection: .disconnected(since: now), hasHub: false)
            return query.turn(situation, since: start, at: now)
        }
        #expect(turn(at: 29) != .fetch)
        #expect(turn(at: 30) == .fetch)
    }

    @Test("announcements without a response hold a request back twice")
    func announcements() {
        let start = Instant(microseconds: 0)
        var query = SharedQuery(at: start, randomPart: 0)
        let situation = SharedQuery.Situation(
            interval: .seconds(30), patience: .wait(.zero), connection: .connected(since: start), hasHub: false)
        var held = 0
        for second in 0..<60 {
            let now = start + .seconds(30 + second)
            if second % 5 == 0 { query.isFetched(at: now) }
            guard query.turn(situation, since: start, at: now) == .fetch else {
                held += 1
                continue
            }
            break
        }
        #expect(held == 15)
    }

    @Test("a frozen hub is overtaken within 60 s, and counts as none after three times")
    func frozenHub() async {
        var fleet = fleet(boards: 10, stops: 5)
        await fleet.run(for: .seconds(300))
        fleet.nodes[Self.hub]?.isFrozen = true
        for _ in 0..<240 {
            await fleet.run(for: .seconds(1))
            #expect(fleet.oldest <= .seconds(61))
        }
        let before = fleet.requests.count
        for _ in 0..<120 {
            await fleet.run(for: .seconds(1))
            #expect(fleet.oldest < .seconds(35))
        }
        #expect((5 * 3...5 * 5).contains(fleet.requests.count - before))
        fleet.nodes[Self.hub]?.isFrozen = false
        await fleet.run(for: .seconds(60))
        let healed = fleet.requests.count
        await fleet.run(for: .seconds(300))
        #expect(Set(fleet.requests[healed...].map(\.by)) == [Self.hub])
    }

    @Test("boards that have waited for part of an interval send no late request afterwards", arguments: 1...5)
    func partOfInterval(seed: UInt64) async {
        var fleet = SimulatedFleet(seed: seed)
        fleet.add("hub", patience: .wait(.zero), queries: [])
        for name in ["kitchen", "den"] {
            fleet.add(name, patience: .wait(.seconds(5)), queries: SimulatedFleet.queries(2))
        }
        await fleet.run(for: .seconds(90))
        fleet.nodes[Self.hub]?.isFrozen = true
        // Three intervals with the patience, and a random part of 10 s.
        await fleet.run(for: .seconds(3 * 45))
        for _ in 0..<300 {
            await fleet.run(for: .seconds(1))
            #expect(fleet.oldest < .seconds(34))
        }
    }

    @Test("boards wait for a hub whose quota permits one request in 90 s, and overtake it again when it is frozen")
    func scarceQuota() async {
        var fleet = fleet(boards: 10, stops: 2)
        fleet.nodes[Self.hub]?.interval = .seconds(90)
        // Until its second response, the boards do not know the interval.
        await fleet.run(for: .seconds(110))
        let before = fleet.requests.count
        await fleet.run(for: .seconds(600))
        #expect(Set(fleet.requests[before...].map(\.by)) == [Self.hub])
        #expect((2 * 6...2 * 7).contains(fleet.requests.count - before))
        fleet.nodes[Self.hub]?.isFrozen = true
        for _ in 0..<300 {
            await fleet.run(for: .seconds(1))
            #expect(fleet.oldest <= .seconds(90 + 3 + 30 + 1))
        }
        #expect(fleet.oldest < .seconds(35))
    }

    @Test(
        "after one failure, a hub and a board alone send the next request as soon as without a fleet",
        arguments: [FeedError.Kind.timedOut, .status(503), .rateLimited(retryAfter: nil)])
    func oneFailure(kind: FeedError.Kind) async {
        for (name, patience) in [("hub", FleetOptions.Patience.wait(.zero)), ("kitchen", Self.patience)] {
            var fleet = SimulatedFleet()
            let query = SimulatedFleet.queries(1)[0]
            let board = SimulatedFleet.name(name)
            fleet.add(name, patience: patience, queries: [query])
            fleet.add("never", patience: .never, queries: [query])
            await fleet.run(for: .seconds(20))
            fleet.nodes[board]?.failure = FeedError(kind, detail: "")
            for _ in 0..<30 where fleet.nodes[board]?.failures[query] == nil { await fleet.run(for: .seconds(1)) }
            #expect(fleet.nodes[board]?.failures[query]?.kind == kind)
            fleet.nodes[board]?.failure = nil
            await fleet.run(for: .seconds(9))
            #expect(fleet.oldest < .seconds(9))
        }
    }

    @Test("many boards share one request an interval on a bus that loses and reorders messages")
    func manyBoards() async {
        var fleet = fleet(boards: Rounds.of(200, part: 3), stops: 2) {
            $0.loss = 0.05; $0.latency = .milliseconds(400)
        }
        await fleet.run(for: .seconds(150))
        #expect(fleet.oldest < .seconds(95))
        // Of each response one board in twenty loses its copy; one of them sends a request that serves all of them.
        #expect(fleet.requests.count < 2 * 5 * 5)
    }

    @Test("without the broker each board sends its own requests after its patience, not all at once")
    func noBroker() async {
        var fleet = fleet(boards: 10, stops: 1)
        await fleet.run(for: .seconds(300))
        let lost = fleet.now
        fleet.stopBroker()
        let before = fleet.requests.count
        for _ in 0..<120 {
            await fleet.run(for: .seconds(1))
            #expect(fleet.oldest <= .seconds(61))
        }
        let first = Dictionary(grouping: fleet.requests[before...].filter { $0.by != Self.hub }, by: \.by)
            .compactMapValues { $0.map(\.at).min() }
        #expect(first.count == 10)
        #expect(first.values.allSatisfy { (.seconds(20) ... .seconds(61)).contains($0 - lost) })
        #expect(Set(first.values.map { ($0 - lost) / .seconds(1) }.map { Int($0) }).count >= 4)
        // Then as a board alone.
        #expect(fleet.oldest < .seconds(34))
    }

    @Test("a broker that restarts empty gets everything again, and the hub serves all within an interval")
    func emptyBroker() async {
        var fleet = fleet(boards: 5, stops: 2)
        await fleet.run(for: .seconds(120))
        fleet.stopBroker()
        await fleet.run(for: .seconds(10))
        fleet.startBroker()
        let before = fleet.requests.count
        await fleet.run(for: .seconds(120))
        #expect(Set(fleet.requests[before...].map(\.by)) == [Self.hub])
        #expect(fleet.oldest < .seconds(34))
    }

    @Test("boards whose clocks are years off share responses as the others do")
    func wrongClocks() async {
        var fleet = SimulatedFleet()
        let year = Duration.seconds(31_536_000)
        fleet.add("hub", patience: .wait(.zero), queries: [])
        fleet.add(
            "late", patience: Self.patience, queries: SimulatedFleet.queries(2), clockError: .zero - year * 10,
            isSynchronised: false)
        fleet.add(
            "early", patience: Self.patience, queries: SimulatedFleet.queries(2), clockError: year * 10,
            isSynchronised: false)
        fleet.add("right", patience: Self.patience, queries: SimulatedFleet.queries(2))
        await fleet.run(for: .seconds(600))
        #expect(Set(fleet.requests.map(\.by)) == [Self.hub])
        #expect(fleet.oldest < .seconds(34))
    }

    @Test("a hub whose clock is ahead is reported once, and its responses are used")
    func hubAhead() async {
        var fleet = SimulatedFleet()
        fleet.add("hub", patience: .wait(.zero), queries: [], clockError: .seconds(3_600))
        fleet.add("kitchen", patience: Self.patience, queries: SimulatedFleet.queries(2))
        await fleet.run(for: .seconds(600))
        #expect(Set(fleet.requests.map(\.by)) == [Self.hub])
        let faults = fleet.nodes[SimulatedFleet.name("kitchen")]?.faults ?? []
        #expect(faults.count == 1)
        #expect(faults.first?.contains("the clock of hub is 60 min ahead") == true)
    }

    @Test("a board that sends no requests uses those of others, and reports that there is none when they end")
    func never() async throws {
        var fleet = SimulatedFleet()
        let query = SimulatedFleet.queries(1)[0]
        fleet.add("kitchen", patience: Self.patience, queries: [query])
        fleet.add("attic", patience: .never, queries: [query])
        await fleet.run(for: .seconds(300))
        #expect(fleet.oldest < .seconds(34))
        fleet.kill(SimulatedFleet.name("kitchen"))
        // An interval after the last request, and 30 s.
        let end = try #require(fleet.requests.last).at + .seconds(60)
        await fleet.run(for: end - fleet.now - .seconds(1))
        #expect(fleet.nodes[SimulatedFleet.name("attic")]?.failures[query] == nil)
        await fleet.run(for: .seconds(2))
        #expect(fleet.nodes[SimulatedFleet.name("attic")]?.failures[query]?.kind == .timedOut)
        #expect(!fleet.requests.contains { $0.by == SimulatedFleet.name("attic") })
    }

    @Test(
        "when the operator rejects the hub's key, another board takes over, and the hub sends one request in 15 minutes"
    )
    func rejectedKey() async {
        var fleet = SimulatedFleet()
        let query = SimulatedFleet.queries(1)[0]
        fleet.add(
            "hub", patience: .wait(.zero), queries: [query],
            failure: FeedError(.keyRejected, detail: "TfL: key rejected"))
        for number in 0..<5 { fleet.add("board-\(number)", patience: Self.patience, queries: [query]) }
        await fleet.run(for: .seconds(300))
        let before = fleet.requests.count
        await fleet.run(for: .seconds(600))
        let later = fleet.requests[before...]
        #expect(later.filter { $0.by == Self.hub }.count <= 1)
        #expect(Self.perStop.contains(later.filter { $0.by != Self.hub }.count))
        #expect(
            fleet.nodes.filter { $0.key != Self.hub }.values.allSatisfy {
                fleet.now - ($0.received[query] ?? fleet.now) < .seconds(34)
            })
        // The hub shows what the others receive.
        #expect(fleet.now - (fleet.nodes[Self.hub]?.received[query] ?? SimulatedFleet.start) < .seconds(34))
    }

    @Test("a failure of the operator travels: the other boards report it and send no request of their own")
    func operatorFailure() async {
        var fleet = SimulatedFleet()
        let query = SimulatedFleet.queries(1)[0]
        fleet.add(
            "hub", patience: .wait(.zero), queries: [query],
            failure: FeedError(.status(503), detail: "TfL: status 503"))
        fleet.add("kitchen", patience: Self.patience, queries: [query])
        await fleet.run(for: .seconds(20))
        let failure = fleet.nodes[SimulatedFleet.name("kitchen")]?.failures[query]
        #expect(failure?.kind == .status(503))
        #expect(failure?.detail == "TfL: status 503 (by hub)")
        #expect(!fleet.requests.contains { $0.by != Self.hub })
    }

    @Test("of two boards of one name the older leaves, and the newer stays")
    func twins() async {
        var fleet = SimulatedFleet()
        fleet.add("kitchen", patience: Self.patience, queries: [])
        await fleet.run(for: .seconds(5))
        let twin = FleetMember(
            name: SimulatedFleet.name("kitchen"), version: "1", patience: Self.patience, at: fleet.now)
        fleet.broadcast(twin.status(.online, session: "other"))
        await fleet.run(for: .seconds(1))
        #expect(fleet.nodes[SimulatedFleet.name("kitchen")]?.hasYieldedName == true)
    }

    @Test("the late will of an older session of this process does not end the newer one, on its own board or on others")
    func lateWill() async {
        var fleet = SimulatedFleet()
        fleet.add("hub", patience: .wait(.zero), queries: [])
        fleet.add("kitchen", patience: Self.patience, queries: SimulatedFleet.queries(1))
        await fleet.run(for: .seconds(5))
        let old = fleet.nodes[Self.hub]
        fleet.connect(Self.hub)
        await fleet.run(for: .seconds(1))
        if let old { fleet.broadcast(old.member.status(.offline, session: old.session)) }
        await fleet.run(for: .seconds(1))
        #expect(fleet.nodes[SimulatedFleet.name("kitchen")]?.member.hubs == [Self.hub])
        #expect(fleet.nodes[Self.hub]?.hasYieldedName == false)
    }
}
