import BoardCore
import Testing

@testable import BoardFeeds

@Suite("National Rail's service details")
struct RailServiceDetailsTests {
    private let departure = Departure(
        stop: .rail("AMB"), line: Line(id: "VR", name: "Vale Railways"), destination: "Ashcombe", status: .delayed,
        madeAt: Timestamp(seconds: 0), expiresAt: Timestamp(seconds: 0))

    private func trips() throws -> [TripDetails] {
        guard case .details(let details?) = try DarwinResponse(Fixtures.own("rail_details.xml"), Rail.response)
        else { return [] }
        let json = RailServiceDetails(try JSONDocument(Fixtures.own("rail_details.json")).row(), Rail.response)
        return try [details, json].compactMap(trip)
    }

    private func trip(_ details: RailServiceDetails) throws -> TripDetails? {
        details.tripDetails(of: departure, in: try Rail.zone())
    }

    /// The trip of a train with these members.
    private func trip(_ members: String, at time: String) throws -> TripDetails? {
        let body = #"{"generatedAt":"2026-03-02T\#(time):00Z","locationName":"Ambridge","crs":"AMB",\#(members)}"#
        return try trip(RailServiceDetails(JSONDocument(Array(body.utf8)).row(), Rail.response))
    }

    private static func call(_ name: String, _ code: String, _ time: String, _ others: String = "") -> String {
        #"{"locationName":"\#(name)","crs":"\#(code)","st":"\#(time)","et":"On time"\#(others)}"#
    }

    @Test("both services give the same trip")
    func same() throws {
        let trips = try trips()
        #expect(trips.count == 2 && trips.first == trips.last)
    }

    @Test("calls before and after, with cancelled calls, numbers of coaches, and the portion that leaves the train")
    func calls() throws {
        let trip = try #require(trips().first)
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
    private func dividing(_ calls: String..., isCancelled: Bool = false) throws -> TripDetails {
        let lists = """
            {"callingPoint":[\(Self.call("Weir", "WEI", "12:20"))]},
            {"callingPoint":[\(calls.joined(separator: ","))],"assocIsCancelled":\(isCancelled)}
            """
        let reported = try trip(#""std":"12:10","subsequentCallingPoints":[\#(lists)]"#, at: "12:00")
        return try #require(reported)
    }

    private let seaholme = call("Seaholme", "SHM", "12:30")

    @Test("a portion with another route from here on leaves the train here, and one that does not run is cancelled")
    func dividesHere() throws {
        let trip = try dividing(seaholme, isCancelled: true)
        #expect(trip.portions.map(\.at) == ["Ambridge"])
        #expect(trip.portions.first?.calls.map(\.state) == [.cancelled])
        #expect(trip.calls.first?.state == .scheduled(try Rail.time("2026-03-02T12:10:00Z")))
    }

    @Test("a portion whose list begins at this station continues from here")
    func beginsHere() throws {
        let trip = try dividing(Self.call("Ambridge", "AMB", "12:10"), seaholme)
        #expect(trip.portions.map(\.at) == ["Ambridge"])
        #expect(trip.portions.first?.calls.map(\.name) == ["Seaholme"])
    }

    @Test(
        "a train that has arrived and not left is here, one that has left has called, and at its terminus it arrives",
        arguments: [
            (#""ata":"12:09","#, "12:09", ""), (#""ata":"On time","#, "12:08", ""),
            (#""ata":"On time","atd":"12:13","#, "12:13", "12:21"),
        ])
    func here(_ reports: String, _ time: String, _ end: String) throws {
        let weir = Self.call("Weir", "WEI", "12:20", end.isEmpty ? "" : #","at":"\#(end)""#)
        let details = #""sta":"12:08",\#(reports)"std":"12:10","etd":"12:13","#
        let reported = try trip(#"\#(details)"subsequentCallingPoints":[{"callingPoint":[\#(weir)]}]"#, at: "12:12")
        let trip = try #require(reported)
        let moment = try Rail.time("2026-03-02T\(time):00Z")
        #expect(trip.calls.first?.state == (end.isEmpty ? .arrived(moment) : .called(moment)))
        #expect(trip.now == (end.isEmpty ? 0 : 1))
        if !end.isEmpty { #expect(try trip.calls.last?.state == .arrived(Rail.time("2026-03-02T\(end):00Z"))) }
    }

    @Test("a response without calling points has no trip")
    func nothing() throws {
        #expect(try trip(#""std":"12:10""#, at: "12:12") == nil)
    }

    @Test("the trip of a replay is the recorded trip, moved to the present")
    func shifted() throws {
        let trip = try #require(trips().first)
        let moved = trip.shifted(by: .seconds(60))
        #expect(moved != trip)
        #expect(moved.madeAt == trip.madeAt + .seconds(60))
        #expect(moved.shifted(by: .seconds(-60)) == trip)
    }
}
