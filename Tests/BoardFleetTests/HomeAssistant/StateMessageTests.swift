import BoardCore
import BoardService
import BoardStore
import ServerTesting
import Testing

@testable import BoardFleet

@Suite("The state for people and Home Assistant")
struct StateMessageTests {
    private static let key = ComponentID.key(of: SampleBoard.oxford)

    private func json(_ message: StateMessage) throws -> JSONValue {
        let board = try #require(FleetName("kitchen"))
        return try JSONValue(message.message(of: board).payload)
    }

    @Test("the payload is that of the file that Home Assistant's code reads")
    func golden() throws {
        let board = try #require(FleetName("kitchen"))
        let message = try SampleBoard().message().message(of: board)
        try DiscoveryMessageTests.compare(message.payload, with: "state.json")
        #expect(message.topic == "boardd/1/board/kitchen/state")
        #expect(message.isRetained && message.expiry == .seconds(600))
        var failing = SampleBoard()
        failing.faults = BoardFaults(configuration: "boardd.toml:12")
        failing.favourites = []
        failing.light = .off
        try DiscoveryMessageTests.compare(failing.message().message(of: board).payload, with: "state-bare.json")
    }

    @Test("the next departure passes the filters, is the first that can be caught, and has the offset of its place")
    func next() throws {
        let json = try json(SampleBoard().message())
        #expect(json["stops", Self.key, "next"] == .text("2026-11-26T18:08:20+01:00"))
        #expect(json["stops", Self.key, "attributes", "line"] == .text("73"))
        #expect(json["stops", Self.key, "attributes", "age"] == .number(40))
        #expect(json["stops", Self.key, "leave"] == nil)
        // The first train leaves in six minutes, the walk takes seven; the next is cancelled, then one is delayed.
        #expect(json["stops", "rail-RDG", "next"] == .text("2026-11-26T17:10:00+00:00"))
        #expect(json["stops", "rail-RDG", "leave"] == .text("2026-11-26T17:03:00+00:00"))
        let list = try #require(json["stops", "rail-RDG", "attributes", "departures"]).elements
        #expect(list.map { $0["status"]?.string } == ["expected", "cancelled", "delayed", "expected", "scheduled"])
        #expect(list.map { $0["time"]?.string == nil } == [false, true, true, false, false])
        #expect(list.map { $0["late_minutes"] } == [nil, nil, nil, .number(2), nil])
    }

    @Test("a departure that even a run no longer catches is in no state; the next one has its facts and lateness")
    func run() throws {
        var sample = SampleBoard()
        // A run takes two thirds of the seven minutes.
        sample.moment = SampleBoard.now + .seconds(80)
        let stop = try #require(json(sample.message())["stops", "rail-RDG"])
        #expect(stop["next"] == .text("2026-11-26T17:18:00+00:00"))
        #expect(stop["leave"] == .text("2026-11-26T17:11:00+00:00"))
        #expect(stop["attributes", "late_minutes"] == .number(2))
        #expect(stop["attributes", "facts"] == .list([.text("platform 9")]))
        #expect(stop["attributes", "departures"]?.elements.count == 4)
        sample.moment = SampleBoard.now + .seconds(79)
        #expect(try json(sample.message())["stops", "rail-RDG", "next"] == .text("2026-11-26T17:10:00+00:00"))
    }

    @Test("departures that have expired are in no state, whenever it is made")
    func expired() throws {
        var sample = SampleBoard()
        sample.moment = SampleBoard.now + .seconds(3_600)
        let json = try json(sample.message())
        #expect(json["stops", Self.key, "next"] == nil)
        #expect(json["stops", Self.key, "attributes", "departures"] == .list([]))
        #expect(try sample.message().nextChange == nil)
    }

    @Test("the next change is when a departure expires, is old, or can no longer be caught")
    func nextChange() throws {
        var sample = SampleBoard()
        // The estimate of 17:03:20 is old after 90 s; the favourite with a walk is left out.
        sample.favourites.removeLast()
        let staleAt = try #require(
            try sample.live.stops[0].departures.compactMap(\.departure.staleAt).filter { $0 > SampleBoard.now }
                .min())
        #expect(try sample.message().nextChange == staleAt)
        sample.moment = SampleBoard.now + .seconds(240)
        #expect(try sample.message().nextChange == SampleBoard.now + .seconds(4 * 60 + 20 + 30))
        var walk = SampleBoard()
        walk.favourites.removeFirst()
        walk.moment = SampleBoard.now + .seconds(300)
        #expect(try walk.message().nextChange == SampleBoard.now + .seconds(840 - 280))
    }

    @Test("it differs where the minute, the line or a fact has changed, not by seconds")
    func differs() throws {
        let first = try SampleBoard().message()
        var later = SampleBoard()
        later.moment = SampleBoard.now + .seconds(5)
        #expect(!(try later.message()).differs(from: first))
        var minute = SampleBoard()
        minute.minutes = 5
        #expect(try minute.message().differs(from: first))
        var light = SampleBoard()
        light.light = .on
        #expect(try light.message().differs(from: first))
        var fault = SampleBoard()
        fault.faults.display = "no device at 0x27"
        #expect(try fault.message().differs(from: first))
        var fewer = SampleBoard()
        fewer.favourites.removeLast()
        #expect(try fewer.message().differs(from: first))
    }

    @Test("the page in view is a page of the announcement; none while the pages rotate")
    func page() throws {
        #expect(try json(SampleBoard().message())["page"] == .text("Oxford St"))
        var rotating = SampleBoard()
        rotating.isRotating = true
        #expect(try json(rotating.message())["page"] == nil)
    }

    @Test("faults of the board and of stops that fail for long are sentences")
    func problem() throws {
        var sample = SampleBoard()
        #expect(
            try json(sample.message())["problem"]
                == .object(["state": .text("OFF"), "attributes": .object(["faults": .list([])])]))
        sample.faults = BoardFaults(display: "no device at\n0x27")
        sample.status = .failing
        sample.lastError = StopReport.Failure(.timedOut, detail: "no response in 10 s", at: SampleBoard.now)
        let problem = try #require(try json(sample.message())["problem"])
        #expect(problem["state"] == .text("ON"))
        #expect(
            problem["attributes", "faults"]?.elements.map(\.string) == [
                "display: no device at 0x27", "Oxford St: no response in 10 s", "Reading: no response in 10 s",
            ])
    }

    @Test("a payload that is too long loses the ends of its lists, and stays valid")
    func longest() throws {
        let all = try SampleBoard().message()
        let size = all.payload.json(atMost: .max).count
        let cut = all.payload.json(atMost: size - 1)
        #expect(cut.count < size)
        let json = try JSONValue(cut)
        #expect(json["stops", "rail-RDG", "attributes", "departures"]?.elements.count == 4)
        #expect(json["stops", Self.key, "attributes", "departures"]?.elements.count == 2)
        let least = try JSONValue(all.payload.json(atMost: 700))
        #expect(least["stops"] == .object([:]) && least["light"] == .text("auto"))
    }

    @Test(
        "an offset is written with hours and minutes",
        arguments: [(0, "+00:00"), (20_700, "+05:45"), (-12_600, "-03:30")])
    func offset(seconds: Int, text: String) {
        let written = Timestamp(microseconds: 1_795_712_640_900_000).rfc3339(offset: seconds)
        #expect(written.hasSuffix(text))
        #expect(Timestamp(rfc3339: written) == Timestamp(seconds: 1_795_712_640))
    }
}
