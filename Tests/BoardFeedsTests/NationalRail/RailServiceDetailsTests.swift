import BoardCore
import Testing

@testable import BoardFeeds

@Suite("What National Rail tells of one train")
struct RailServiceDetailsTests {
    private let departure = Departure(
        stop: .rail("AMB"), line: Line(id: "VR", name: "Vale Railways"), destination: "Ashcombe", status: .delayed,
        madeAt: Timestamp(seconds: 0), expiresAt: Timestamp(seconds: 0))

    private func runs() throws -> [RailServiceDetails] {
        guard case .details(let run?) = try DarwinResponse(Fixtures.own("rail_details.xml"), withCalls: false) else {
            return []
        }
        return [run, try RailServiceDetails(marketplace: Fixtures.own("rail_details.json"))]
    }

    private func service(_ run: RailServiceDetails) throws -> TripDetails? {
        run.run(of: departure, in: try Rail.zone(), HTTPResponse(status: 200, received: Timestamp(seconds: 7)))
    }

    @Test("both transports tell the same")
    func same() throws {
        let runs = try runs()
        #expect(runs.count == 2)
        #expect(runs.first == runs.last)
    }

    @Test("where it was, where it is, where it goes, with cancelled calls, lengths, and the part that is taken off")
    func calls() throws {
        let runs = try runs()
        let first = try #require(runs.first)
        let told = try service(first)
        let service = try #require(told)
        func at(_ time: String) throws -> Timestamp { try Rail.time("2026-03-0\(time):00Z") }
        #expect(
            service.calls.map(\.name) == [
                "Northgate", "Millbrook Road", "Brook Halt", "Weir", "Ambridge", "Harefield", "Otterbourne Bridge",
                "Pond End", "Ashcombe",
            ])
        #expect(
            try service.calls.map(\.state) == [
                .called(at("2T22:50")), .called(at("2T23:24")), .called(nil), .expected(at("2T23:52")),
                .expected(at("3T00:07")), .expected(at("3T00:10")), .delayed, .cancelled, .expected(at("3T00:44")),
            ])
        #expect(service.now == 2)
        #expect(service.calls.map(\.coaches) == [8, 8, nil, nil, 8, 8, nil, nil, 4])
        #expect(service.calls[4].platform == "3")
        let part = try #require(service.portions.first)
        #expect(part.at == "Harefield")
        #expect(part.calls.map(\.name) == ["Seaholme"])
        #expect(try part.calls.map(\.state) == [.expected(at("3T00:25"))])
        #expect(try service.expiresAt == at("3T00:46"))
    }

    @Test("a part that goes another way from here on is taken off here, and one that does not run is cancelled")
    func dividesHere() throws {
        var run = RailServiceDetails(madeAt: try Rail.time("2026-03-02T12:00:00Z"), name: "Ambridge", code: "AMB")
        run.service.scheduled = "12:10"
        run.service.subsequent = [
            RailCallingPointList(calls: [
                RailCallingPoint(name: "Weir", code: "WEI", scheduled: "12:20", estimated: "On time")
            ]),
            RailCallingPointList(
                calls: [RailCallingPoint(name: "Seaholme", code: "SHM", scheduled: "12:30", estimated: "On time")],
                isCancelled: true),
        ]
        let told = try service(run)
        let service = try #require(told)
        #expect(service.portions.map(\.at) == ["Ambridge"])
        #expect(service.portions.first?.calls.map(\.state) == [.cancelled])
        #expect(service.calls.first?.state == .scheduled(try Rail.time("2026-03-02T12:10:00Z")))
    }

    @Test("a part whose list begins where it is taken off, right here, goes on from there")
    func beginsHere() throws {
        var run = RailServiceDetails(madeAt: try Rail.time("2026-03-02T12:00:00Z"), name: "Ambridge", code: "AMB")
        run.service.scheduled = "12:10"
        run.service.subsequent = [
            RailCallingPointList(calls: [
                RailCallingPoint(name: "Weir", code: "WEI", scheduled: "12:20", estimated: "On time")
            ]),
            RailCallingPointList(calls: [
                RailCallingPoint(name: "Ambridge", code: "AMB", scheduled: "12:10", estimated: "On time"),
                RailCallingPoint(name: "Seaholme", code: "SHM", scheduled: "12:30", estimated: "On time"),
            ]),
        ]
        let told = try service(run)
        let service = try #require(told)
        #expect(service.portions.map(\.at) == ["Ambridge"])
        #expect(service.portions.first?.calls.map(\.name) == ["Seaholme"])
    }

    @Test("a train that has come and not left is here, and one that has come to its end is there")
    func arrived() throws {
        var run = RailServiceDetails(madeAt: try Rail.time("2026-03-02T12:12:00Z"), name: "Ambridge", code: "AMB")
        run.service.scheduledArrival = "12:08"
        run.service.actualArrival = "12:09"
        run.service.scheduled = "12:10"
        run.service.estimated = "12:13"
        run.service.subsequent = [
            RailCallingPointList(calls: [RailCallingPoint(name: "Weir", scheduled: "12:20", estimated: "On time")])
        ]
        let here = try service(run)
        #expect(here?.calls.first?.state == .arrived(try Rail.time("2026-03-02T12:09:00Z")))
        run.service.actualArrival = "On time"
        let onTime = try service(run)
        #expect(onTime?.calls.first?.state == .arrived(try Rail.time("2026-03-02T12:08:00Z")))
        run.service.actual = "12:13"
        run.service.subsequent[0].calls[0].actual = "12:21"
        let there = try service(run)
        #expect(there?.calls.first?.state == .called(try Rail.time("2026-03-02T12:13:00Z")))
        #expect(there?.calls.last?.state == .arrived(try Rail.time("2026-03-02T12:21:00Z")))
    }

    @Test("a train that has left was here")
    func departed() throws {
        var run = RailServiceDetails(madeAt: try Rail.time("2026-03-02T12:12:00Z"), name: "Ambridge", code: "AMB")
        run.service.scheduled = "12:10"
        run.service.actual = "12:11"
        run.service.subsequent = [
            RailCallingPointList(calls: [RailCallingPoint(name: "Weir", scheduled: "12:20", estimated: "On time")])
        ]
        let told = try service(run)
        let service = try #require(told)
        #expect(service.calls.first?.state == .called(try Rail.time("2026-03-02T12:11:00Z")))
        #expect(service.now == 0)
    }

    @Test("an answer without calling points tells nothing")
    func nothing() throws {
        #expect(try service(RailServiceDetails(name: "Ambridge", code: "AMB")) == nil)
    }

    @Test("a run in the present is the run that was recorded, moved")
    func shifted() throws {
        let runs = try runs()
        let first = try #require(runs.first)
        let told = try service(first)
        let service = try #require(told)
        let moved = service.shifted(by: .seconds(60))
        #expect(moved != service)
        #expect(moved.madeAt == service.madeAt + .seconds(60))
        #expect(moved.shifted(by: .seconds(-60)) == service)
    }
}
