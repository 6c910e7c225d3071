import BoardCore
import BoardService
import BoardStore
import Testing

@testable import BoardFleet

@Suite("A board in its fleet")
struct FleetMemberTests {
    private static let kitchen = SimulatedFleet.name("kitchen")
    private let query = SimulatedFleet.queries(1)[0]
    private let moment = FleetMember.Moment(
        now: SimulatedFleet.start,
        clock: CorrectedClock(.init(wall: SimulatedFleet.epoch, isSynchronised: true), at: SimulatedFleet.start))

    private func member(_ name: String, _ patience: FleetOptions.Patience) -> FleetMember {
        FleetMember(name: SimulatedFleet.name(name), version: "1", patience: patience, at: moment.now)
    }

    /// A hub that is connected, and the board "kitchen" with a query.
    private func hub(every interval: Duration = SimulatedFleet.interval) -> FleetMember {
        var hub = member("hub", .wait(.zero))
        _ = hub.connected(session: "h1", at: moment)
        receive(status(.online, "k1"), by: &hub)
        let list = QueryList([PollQuery(FeedRequest(stop: query.stop), every: interval)])
        receive(
            BrokerMessage(
                topic: FleetTopic.queries(Self.kitchen).text, payload: StableJSON.bytes(list), isRetained: true),
            by: &hub)
        _ = hub.mergeQueries()
        return hub
    }

    @discardableResult
    private func receive(_ message: BrokerMessage, by member: inout FleetMember) -> [FleetMember.Effect] {
        member.received(message, at: moment)
    }

    /// A status of the board "kitchen".
    private func status(_ state: BoardStatus.State, _ session: String, isRetained: Bool = false) -> BrokerMessage {
        var message = member("kitchen", .wait(.seconds(20))).status(state, session: session)
        message.isRetained = isRetained
        return message
    }

    private func response(
        of member: inout FleetMember, _ result: Result<FeedResponse, FeedError>
    ) -> OutgoingResponse? {
        _ = member.turn(of: query, every: SimulatedFleet.interval, since: moment.now, at: moment.now)
        let effects = member.ended(query, result, of: SimulatedFleet.profile, requestedAt: moment.now, at: moment)
        for case .publishResponse(let response) in effects { return response }
        return nil
    }

    @Test("a response that is published again after a correction of the clock has its age by that clock")
    func correctedClock() throws {
        var den = member("den", .wait(.seconds(20)))
        _ = den.connected(session: "d1", at: moment)
        _ = den.observe([PollQuery(FeedRequest(stop: query.stop), every: SimulatedFleet.interval)], at: moment.now)
        let first = try #require(
            response(of: &den, .success(FeedResponse(stop: Stop(id: query.stop, name: "Stop"), departures: []))))
        _ = den.disconnected(at: moment.now)
        let now = moment.now + .seconds(10)
        let wall = SimulatedFleet.epoch + .seconds(3_600)
        let clock = CorrectedClock(.init(wall: wall, isSynchronised: true), at: now)
        let later = FleetMember.Moment(now: now, clock: clock)
        var again: OutgoingResponse?
        for case .publishResponse(let response) in den.connected(session: "d2", at: later) { again = response }
        let response = try #require(again).response
        #expect(response.sent == wall && response.sent != first.response.sent)
        #expect(response.asked == wall - .seconds(10))
    }

    @Test("a hub does not poll for a board that has ended while the hub had no connection")
    func ended() {
        var hub = hub()
        #expect(hub.others.count == 1)
        _ = hub.disconnected(at: moment.now)
        _ = hub.connected(session: "h2", at: moment)
        receive(status(.offline, "k2", isRetained: true), by: &hub)
        _ = hub.mergeQueries()
        #expect(hub.others.isEmpty)
    }

    @Test("the late will of an older session ends nothing")
    func lateWill() {
        var hub = hub()
        receive(status(.online, "k2"), by: &hub)
        receive(status(.offline, "k1"), by: &hub)
        _ = hub.mergeQueries()
        #expect(hub.others.count == 1)
    }

    @Test("when a hub is removed, the tasks that wait for its response decide again")
    func removedHub() {
        var den = member("den", .wait(.seconds(20)))
        _ = den.connected(session: "d1", at: moment)
        _ = den.observe([PollQuery(FeedRequest(stop: query.stop), every: SimulatedFleet.interval)], at: moment.now)
        receive(member("hub", .wait(.zero)).status(.online, session: "h1"), by: &den)
        #expect(den.hasHub)
        let empty = BrokerMessage(topic: FleetTopic.status(SimulatedFleet.name("hub")).text, payload: [])
        let effects = receive(empty, by: &den)
        #expect(!den.hasHub)
        #expect(effects.contains { if case .changed(QueryKey(query)) = $0 { true } else { false } })
    }

    @Test("a board that is removed while it is online sends its status, its queries and the announcement again")
    func forgotten() {
        var den = member("den", .wait(.seconds(20)))
        _ = den.connected(session: "d1", at: moment)
        _ = den.observe([PollQuery(FeedRequest(stop: query.stop), every: SimulatedFleet.interval)], at: moment.now)
        let empty = BrokerMessage(topic: FleetTopic.status(SimulatedFleet.name("den")).text, payload: [])
        let effects = receive(empty, by: &den)
        let topics = effects.compactMap { if case .publish(let message) = $0 { message.topic } else { nil } }
        #expect(topics == ["boardd/1/board/den/status", "boardd/1/board/den/wants"])
        #expect(effects.contains { if case .homeAssistantStarted = $0 { true } else { false } })
    }

    /// A message with the queries of a board that no other one has.
    private func queries(of board: String, count: Int = 100) -> BrokerMessage {
        let polls = (0..<count).map { number in
            PollQuery(
                FeedRequest(stop: StopID(feed: query.stop.feed, code: "\(board)-\(number)")),
                every: SimulatedFleet.interval)
        }
        return BrokerMessage(
            topic: FleetTopic.queries(SimulatedFleet.name(board)).text, payload: StableJSON.bytes(QueryList(polls)))
    }

    @Test("a hub stores 15,000 queries: it forgets those of names without a board first, the oldest first")
    func inventedNames() {
        var hub = hub()
        for number in 0..<400 { receive(queries(of: "n\(number)"), by: &hub) }
        var den = member("den", .wait(.seconds(20))).status(.online, session: "d1")
        den.isRetained = false
        receive(den, by: &hub)
        receive(queries(of: "den"), by: &hub)
        #expect(hub.peers.values.reduce(0) { $0 + $1.polls.count } <= 15_000)
        #expect(hub.peers[Self.kitchen]?.polls.count == 1)
        #expect(hub.peers[SimulatedFleet.name("den")]?.polls.count == 100)
        #expect(hub.peers[SimulatedFleet.name("n0")]?.polls.isEmpty == true)
        #expect(hub.peers[SimulatedFleet.name("n399")]?.polls.count == 100)
        _ = hub.mergeQueries()
        #expect(!hub.hasTooManyQueries)
    }

    @Test("a hub does not store more than 15,000 queries of boards that are online, and reports that")
    func manyBoards() {
        var hub = hub()
        for number in 0..<151 {
            receive(member("n\(number)", .wait(.seconds(20))).status(.online, session: "1"), by: &hub)
            receive(queries(of: "n\(number)"), by: &hub)
        }
        #expect(hub.peers[SimulatedFleet.name("n0")]?.polls.count == 100)
        #expect(hub.peers[SimulatedFleet.name("n150")]?.polls.isEmpty == true)
        _ = hub.mergeQueries()
        #expect(hub.hasTooManyQueries)
    }

    @Test("a status of more than half a kilobyte is not used")
    func longStatus() {
        var hub = member("hub", .wait(.zero))
        _ = hub.connected(session: "h1", at: moment)
        receive(status(.online, String(repeating: "1", count: 512)), by: &hub)
        #expect(hub.peers.isEmpty)
    }

    @Test("the broker stores a response for three polls, also one without departures of a query that is polled seldom")
    func expiry() {
        var hub = hub(every: .seconds(300))
        let outgoing = response(of: &hub, .success(FeedResponse(stop: Stop(id: query.stop), departures: [])))
        #expect(outgoing?.expiry == .seconds(900))
        #expect(outgoing?.message.isRetained == true)
    }

    @Test("a failure of one board alone does not replace the stored response, that of the operator does")
    func failures() {
        var hub = hub()
        let own = response(of: &hub, .failure(FeedError(.keyMissing, detail: "")))
        #expect(own?.message.isRetained == false)
        let operators = response(of: &hub, .failure(FeedError(.status(503), detail: "")))
        #expect(operators?.message.isRetained == true)
    }

    @Test("a list of more than 64 kB is reported before it waits in memory")
    func longList() throws {
        var den = FleetMember(
            name: SimulatedFleet.name("den"), version: "1", patience: .wait(.seconds(20)),
            list: SimulatedFleet.name("home"), at: moment.now)
        func isList(_ bytes: Int) -> Bool? {
            let message = BrokerMessage(topic: "boardd/1/list/home", payload: Array(repeating: 0x20, count: bytes))
            return switch receive(message, by: &den).first {
            case .list: true
            case .unused: false
            default: nil
            }
        }
        #expect(isList(65_536) == true)
        #expect(isList(65_537) == false)
    }

    @Test("the start of Home Assistant is noticed, and nothing else on its topic")
    func homeAssistant() {
        var den = member("den", .wait(.seconds(20)))
        func effects(_ payload: String, isRetained: Bool = false) -> Int {
            let topic = DiscoveryMessage.statusTopic
            return receive(
                BrokerMessage(topic: topic, payload: Array(payload.utf8), isRetained: isRetained), by: &den
            ).count
        }
        #expect(effects("online") == 1)
        #expect(effects("online", isRetained: true) == 0)
        #expect(effects("offline") == 0)
        #expect(effects(String(repeating: "x", count: 1_000_000)) == 0)
    }

    @Test("a missing right to send responses is a fault on a hub alone")
    func rejections() {
        let topic = FleetTopic.response(QueryKey(query)).text
        #expect(!FleetRejection(topic, isHub: false).isFault)
        #expect(FleetRejection(topic, isHub: true).isFault)
        #expect(FleetRejection("boardd/1/list/home", isHub: false).isFault)
        #expect(FleetRejection("boardd/1/answer/#", isHub: false).isFault, "the subscription")
    }
}
