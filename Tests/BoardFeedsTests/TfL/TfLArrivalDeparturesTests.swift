import BoardCore
import TestOperators
import Testing

@testable import BoardFeeds

@Suite("TfL's ArrivalDepartures: Elizabeth line and Overground")
struct TfLArrivalDeparturesTests {
    private let stop = StopID(feed: TfLFeed.name, code: "910GLARCHH")
    private let line = Line(id: "elizabeth", name: "Elizabeth line")

    private func time(_ text: String) throws -> Timestamp {
        try #require(Timestamp(rfc3339: "2026-03-02T\(text)Z"))
    }

    private func read(_ body: [UInt8], date: String? = "Mon, 02 Mar 2026 08:00:30 GMT") throws -> TfLDepartures {
        let response = HTTPResponse(
            status: 200, headers: date.map { [.init("Date", $0)] } ?? [], received: try time("08:00:31"))
        return try TfLDepartures(trains: body, of: line, from: stop.code, for: stop, response)
    }

    @Test("estimates, scheduled times, delays and cancellations are distinguished")
    func statuses() throws {
        let part = try read(Fixtures.own("arrivaldepartures.json"))
        #expect(
            part.departures.map(\.status) == [
                .expected(try time("08:04:00")), .scheduled(try time("08:10:00")), .delayed,
                .expected(try time("08:21:30")), .cancelled,
            ])
        #expect(
            part.departures.map(\.booked) == [
                try time("08:03:00"), try time("08:10:00"), try time("07:58:00"), try time("08:15:00"),
                try time("08:20:00"),
            ])
        #expect(
            part.departures.map(\.expiresAt) == [
                try time("08:04:30"), try time("08:10:30"), try time("08:05:30"), try time("08:22:00"),
                try time("08:20:30"),
            ])
        #expect(part.departures.map(\.platform) == [nil, "B", nil, nil, nil])
        #expect(part.departures.allSatisfy { $0.lineColour == "60399E" && $0.mode == .train })
        #expect(part.departures.allSatisfy { $0.line == line && $0.destination == "Old Bridge" })
        #expect(part.departures.allSatisfy { $0.madeAt.rfc3339 == "2026-03-02T08:00:30Z" })
        #expect(part.name == "Larch Hill Rail Station")
    }

    @Test("a train that passes, terminates here or only arrives is not a departure; a row without times is counted")
    func others() throws {
        let part = try read(Fixtures.own("arrivaldepartures.json"))
        #expect(part.departures.count == 5)
        #expect(part.badRows == 2)
    }

    @Test("recorded: Paddington in 2022", .needsRecordings)
    func recorded() throws {
        guard let body = Recordings.read("tfl/arrivaldepartures_elizabeth_paddington_2022.json") else { return }
        let part = try read(body)
        #expect(part.badRows == 0)
        #expect(part.departures.map(\.destination) == ["Abbey Wood", "Abbey Wood", "Abbey Wood"])
        #expect(
            part.departures.map(\.status) == [
                .expected(try #require(Timestamp(rfc3339: "2022-06-01T20:08:00Z"))),
                .expected(try #require(Timestamp(rfc3339: "2022-06-01T20:13:02Z"))), .cancelled,
            ])
    }
}
