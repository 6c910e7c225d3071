import BoardCore
import Testing

@testable import BoardFeeds

@Suite("National Rail's service details")
struct RailServiceDetailsTests {
    private let departure = Departure(
        stop: .rail("AMB"), line: Line(id: "VR", name: "Vale Railways"), destination: "Ashcombe", status: .delayed,
        madeAt: Timestamp(seconds: 0), expiresAt: Timestamp(seconds: 0))

    private func runs() throws -> [RailServiceDetails] {
        guard case .details(let details?) = try DarwinResponse(Fixtures.own("rail_details.xml"), withCalls: false)
        else {
            return []
        }
        return [details, try RailServiceDetails(marketplace: Fixtures.own("rail_details.json"))]
    }

    private func trip(_ details: RailServiceDetails) throws -> TripDetails? {
        details.tripDetails(
            of: departure, in: try Rail.zone(), HTTPResponse(status: 200, received: Timestamp(seconds: 7)))
    }

    @Test("both services give the same trip")
    func same() throws {
        let runs = try runs()
        #expect(runs.count == 2)
        #expect(runs.first == runs.last)
    }

    @Test("calls before and after, with cancelled calls, numbers of coaches, and the portion that leaves the train")
    func calls() throws {
        let runs = try runs()
        let first = try #require(runs.first)
        let reported = try trip(first)
        let trip = try #require(reported)
        func at(_ time: String) throws -> Timestamp { try Rail.time("2026-03-0\(time):00Z") }
        #expect(
            trip.calls.map(\.name) == [
                "Northgate", "Millbrook Road", "Brook Halt", "Weir", "Ambridge", "Harefield", "Otterbourne Bridge",
                "Pond End", "Ashcombe",
            ])
        #expect(
            try trip.calls.map(\.state) == [
                .called(at("2T22:50")), .called(at("2T23:24")), .called(nil), .expected(at("2T23:52")),
                .expected(at("3T00:07")), .expected(at("3T00:10")), .delayed, .cancelled, .expected(at("3T00:44")),
            ])
        #expect(trip.now == 2)
        #expect(trip.calls.map(\.coaches) == [8, 8, nil, nil, 8, 8, nil, nil, 4])
        #expect(trip.calls[4].platform == "3")
        let part = try #require(trip.portions.first)
        #expect(part.at == "Harefield")
        #expect(part.calls.map(\.name) == ["Seaholme"])
        #expect(try part.calls.map(\.state) == [.expected(at("3T00:25"))])
        #expect(try trip.expiresAt == at("3T00:46"))
    }

    /// A train from Ambridge to Weir with another portion.
    private func dividing(_ portion: RailCallingPointList) throws -> TripDetails {
        var details = RailServiceDetails(madeAt: try Rail.time("2026-03-02T12:00:00Z"), name: "Ambridge", code: "AMB")
        details.service.scheduled = "12:10"
        let weir = RailCallingPoint(name: "Weir", code: "WEI", scheduled: "12:20", estimated: "On time")
        details.service.subsequent = [RailCallingPointList(calls: [weir]), portion]
        let reported = try trip(details)
        return try #require(reported)
    }

    private let seaholme = RailCallingPoint(name: "Seaholme", code: "SHM", scheduled: "12:30", estimated: "On time")

    @Test("a portion with another route from here on leaves the train here, and one that does not run is cancelled")
    func dividesHere() throws {
        let trip = try dividing(RailCallingPointList(calls: [seaholme], isCancelled: true))
        #expect(trip.portions.map(\.at) == ["Ambridge"])
        #expect(trip.portions.first?.calls.map(\.state) == [.cancelled])
        #expect(trip.calls.first?.state == .scheduled(try Rail.time("2026-03-02T12:10:00Z")))
    }

    @Test("a portion whose list begins at this station continues from here")
    func beginsHere() throws {
        let ambridge = RailCallingPoint(name: "Ambridge", code: "AMB", scheduled: "12:10", estimated: "On time")
        let trip = try dividing(RailCallingPointList(calls: [ambridge, seaholme]))
        #expect(trip.portions.map(\.at) == ["Ambridge"])
        #expect(trip.portions.first?.calls.map(\.name) == ["Seaholme"])
    }

    @Test("a train that has arrived and not left is here, and so is one at its terminus")
    func arrived() throws {
        var details = RailServiceDetails(madeAt: try Rail.time("2026-03-02T12:12:00Z"), name: "Ambridge", code: "AMB")
        details.service.scheduledArrival = "12:08"
        details.service.actualArrival = "12:09"
        details.service.scheduled = "12:10"
        details.service.estimated = "12:13"
        details.service.subsequent = [
            RailCallingPointList(calls: [RailCallingPoint(name: "Weir", scheduled: "12:20", estimated: "On time")])
        ]
        let here = try trip(details)
        #expect(here?.calls.first?.state == .arrived(try Rail.time("2026-03-02T12:09:00Z")))
        details.service.actualArrival = "On time"
        let onTime = try trip(details)
        #expect(onTime?.calls.first?.state == .arrived(try Rail.time("2026-03-02T12:08:00Z")))
        details.service.actual = "12:13"
        details.service.subsequent[0].calls[0].actual = "12:21"
        let there = try trip(details)
        #expect(there?.calls.first?.state == .called(try Rail.time("2026-03-02T12:13:00Z")))
        #expect(there?.calls.last?.state == .arrived(try Rail.time("2026-03-02T12:21:00Z")))
    }

    @Test("a train that has left has called here")
    func departed() throws {
        var details = RailServiceDetails(madeAt: try Rail.time("2026-03-02T12:12:00Z"), name: "Ambridge", code: "AMB")
        details.service.scheduled = "12:10"
        details.service.actual = "12:11"
        details.service.subsequent = [
            RailCallingPointList(calls: [RailCallingPoint(name: "Weir", scheduled: "12:20", estimated: "On time")])
        ]
        let reported = try trip(details)
        let trip = try #require(reported)
        #expect(trip.calls.first?.state == .called(try Rail.time("2026-03-02T12:11:00Z")))
        #expect(trip.now == 0)
    }

    @Test("a response without calling points has no trip")
    func nothing() throws {
        #expect(try trip(RailServiceDetails(name: "Ambridge", code: "AMB")) == nil)
    }

    @Test("the trip of a replay is the recorded trip, moved to the present")
    func shifted() throws {
        let runs = try runs()
        let first = try #require(runs.first)
        let reported = try trip(first)
        let trip = try #require(reported)
        let moved = trip.shifted(by: .seconds(60))
        #expect(moved != trip)
        #expect(moved.madeAt == trip.madeAt + .seconds(60))
        #expect(moved.shifted(by: .seconds(-60)) == trip)
    }
}
