import BoardCore
import BoardService
import BoardStore
import Foundation
import Testing

@testable import BoardFleet

/// Payloads that other programs may send.
@Suite("Payloads that are not used")
struct PayloadTests {
    private let query = SimulatedFleet.queries(1)[0]

    /// A hub and a board that has a response.
    private func fleet() async -> SimulatedFleet {
        var fleet = SimulatedFleet()
        fleet.add("hub", patience: .wait(.zero), queries: [])
        fleet.add("kitchen", patience: .wait(.seconds(20)), queries: [query])
        await fleet.run(for: .seconds(5))
        return fleet
    }

    private func send(_ text: String, to topic: String, in fleet: inout SimulatedFleet, isRetained: Bool = false) async
    {
        fleet.broadcast(BrokerMessage(topic: topic, payload: Array(text.utf8), isRetained: isRetained))
        await fleet.run(for: .seconds(1))
    }

    private static let garbage = [
        "", "{", "[]", "null", "7", "\"x\"", String(repeating: "[", count: 10_000),
        String(repeating: "9", count: 65_537),
        "{\"stop\":\"tfl:S0\"}", "\u{0}\u{1F}",
        "{\"state\":\"sideways\",\"session\":\"1\",\"version\":\"1\",\"patience\":\"0s\"}",
    ]

    @Test("nonsense on any topic changes nothing that a board shows or requests", arguments: garbage)
    func nonsense(text: String) async {
        var fleet = await fleet()
        let before = fleet.nodes[SimulatedFleet.name("kitchen")]?.received[query]
        let key = QueryKey(query)
        for topic in [
            FleetTopic.response(key), .fetching(key), .queries(SimulatedFleet.name("ghost")),
            .status(SimulatedFleet.name("ghost")), .command(SimulatedFleet.name("kitchen"), .press),
        ] { await send(text, to: topic.text, in: &fleet) }
        #expect(fleet.nodes[SimulatedFleet.name("kitchen")]?.received[query] == before)
        await fleet.run(for: .seconds(300))
        #expect(fleet.oldest < .seconds(34))
        #expect(Set(fleet.requests.map(\.by)) == [SimulatedFleet.name("hub")])
    }

    @Test("a payload that is not used becomes a sentence with its topic and the reason")
    func sentence() async {
        var fleet = await fleet()
        await send("{", to: FleetTopic.response(QueryKey(query)).text, in: &fleet)
        let sentences = fleet.nodes[SimulatedFleet.name("kitchen")]?.unused ?? []
        #expect(sentences.count == 1)
        #expect(sentences.first?.hasPrefix("boardd/1/answer/tfl/S0/") == true)
        #expect(sentences.first?.hasSuffix("the payload is not JSON of this version of the fleet") == true)
    }

    @Test(
        "a response with an offset that no zone has is not used: the display would compute with it",
        arguments: [Int.max, Int.min, 100_000], [true, false])
    func offset(seconds: Int, ofReturn isReturn: Bool) async throws {
        var fleet = await fleet()
        let response = try #require(
            fleet.nodes[SimulatedFleet.name("kitchen")]?.member.queries[QueryKey(query)]?.latest?.response)
        let offer = #"{"at":"2026-11-26T17:04:00Z","utcOffsetSeconds":\#(seconds)}"#
        let trip = #""trip":{"isReplacement":false,"origins":[],"returnTrip":\#(offer)},"#
        let text = String(decoding: StableJSON.bytes(response), as: UTF8.self)
            .replacing(/"utcOffsetSeconds":\d+,/, with: "")
            .replacing(
                "\"expiresAt\":",
                with: (isReturn ? trip : "") + "\"utcOffsetSeconds\":\(isReturn ? 0 : seconds),\"expiresAt\":")
        #expect(text.contains("\(seconds)"))
        await send(text, to: FleetTopic.response(QueryKey(query)).text, in: &fleet)
        #expect(fleet.nodes[SimulatedFleet.name("kitchen")]?.unused.count == 1)
    }

    @Test("a response on the topic of another stop is not used")
    func otherStop() async throws {
        var fleet = await fleet()
        var response = try #require(
            fleet.nodes[SimulatedFleet.name("kitchen")]?.member.queries[QueryKey(query)]?.latest?.response)
        response.stop = "tfl:other"
        await send(
            String(decoding: StableJSON.bytes(response), as: UTF8.self), to: FleetTopic.response(QueryKey(query)).text,
            in: &fleet)
        #expect(fleet.nodes[SimulatedFleet.name("kitchen")]?.unused.first?.contains("of another stop") == true)
    }

    @Test("keys of a later version are passed over")
    func laterVersion() async throws {
        var fleet = await fleet()
        let response = try #require(
            fleet.nodes[SimulatedFleet.name("kitchen")]?.member.queries[QueryKey(query)]?.latest?.response)
        let text = String(decoding: StableJSON.bytes(response), as: UTF8.self).replacing(
            "{\"alerts\"", with: "{\"moon\":7,\"alerts\"")
        await send(text, to: FleetTopic.response(QueryKey(query)).text, in: &fleet)
        #expect(fleet.nodes[SimulatedFleet.name("kitchen")]?.unused == [])
    }

    @Test("a stored command is not performed")
    func storedCommand() async {
        let member = FleetMember(
            name: SimulatedFleet.name("kitchen"), version: "1", patience: .wait(.seconds(20)), at: SimulatedFleet.start)
        var changed = member
        let moment = FleetMember.Moment(
            now: SimulatedFleet.start,
            clock: CorrectedClock(.init(wall: SimulatedFleet.epoch, isSynchronised: true), at: SimulatedFleet.start))
        let topic = FleetTopic.command(SimulatedFleet.name("kitchen"), .press).text
        var message = BrokerMessage(topic: topic, payload: Array("PRESS".utf8))
        #expect(changed.received(message, at: moment).count == 1)
        message.isRetained = true
        #expect(changed.received(message, at: moment).isEmpty)
    }

    @Test("a message that a frozen broker has held back for 27 s is as old as it is")
    func lateMessage() async throws {
        var fleet = await fleet()
        let old = try #require(
            fleet.nodes[SimulatedFleet.name("kitchen")]?.member.queries[QueryKey(query)]?.latest?.response)
        var late = old
        late.asked = old.asked + .seconds(5)
        late.sent = old.sent + .seconds(5)
        fleet.nodes[SimulatedFleet.name("hub")]?.isFrozen = true
        await fleet.run(for: .seconds(27))
        await send(
            String(decoding: StableJSON.bytes(late), as: UTF8.self), to: FleetTopic.response(QueryKey(query)).text,
            in: &fleet)
        let latest = try #require(fleet.nodes[SimulatedFleet.name("kitchen")]?.member.queries[QueryKey(query)]?.latest)
        #expect(fleet.now - latest.requestedAt > .seconds(24))
    }

    @Test("a time is taken from other boards only after two rounds that agree")
    func time() async {
        var fleet = SimulatedFleet()
        fleet.add("hub", patience: .wait(.zero), queries: [])
        fleet.add("kitchen", patience: .wait(.seconds(20)), queries: [query], isSynchronised: false)
        await fleet.run(for: .seconds(20))
        #expect(fleet.nodes[SimulatedFleet.name("kitchen")]?.dates.isEmpty == true)
        await fleet.run(for: .seconds(60))
        #expect(fleet.nodes[SimulatedFleet.name("kitchen")]?.dates.isEmpty == false)
    }
}
