import BoardCore
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("LA Metro's cancelled trips", .endsHangs)
struct LAMetroCancellationTests {
    private func row(
        _ route: String, kind: String = "REG", start: String = " 753", end: String = " 815", date: String = "2026-03-02"
    ) -> String {
        #"""
        {"dpce_date":"\#(date)","trp_route":"\#(route)","trp_type":"\#(kind)","trp_time_start":"\#(start)",
        "trp_time_end":"\#(end)","trp_direction":"WEST","stop_description_first":" First / Main",
        "stop_description_last":"Harbor"}
        """#
    }

    private func list(_ rows: String...) throws -> (trips: [LAMetroCancellation], bad: Int) {
        let body = #"{"CanceledService":[\#(rows.joined(separator: ","))]}"#
        return try LAMetroCancellation.list(Array(body.utf8), in: LAMetroFixture.zone())
    }

    @Test("a cancelled passenger trip is an alert of its line from an hour before its start to its end")
    func alert() throws {
        let trip = try #require(try list(row("   7")).trips.first)
        #expect(trip.route == "7")
        #expect(
            trip.alert
                == Alert(
                    "Line 7 West: the 7:53, First / Main - Harbor is cancelled", lines: ["7"],
                    from: try Rail.time("2026-03-02T14:53:00Z"), until: try Rail.time("2026-03-02T16:15:00Z")))
    }

    @Test("hours after midnight belong to the day before")
    func night() throws {
        let trip = try #require(try list(row("7", start: "2352", end: "2413")).trips.first)
        #expect(trip.alert.until == (try Rail.time("2026-03-03T08:13:00Z")))
        #expect(try list(row("7", start: "2413")).trips.first?.alert.text.contains("the 0:13,") == true)
        // Some write the hours of the next day as a clock shows them.
        let overnight = try #require(try list(row("7", start: "2350", end: "0040")).trips.first)
        #expect(overnight.alert.until == (try Rail.time("2026-03-03T08:40:00Z")))
    }

    @Test("a duplicate trip is one alert")
    func twice() throws {
        let rows = try list(row("7"), row("7"), row("7", start: "800"))
        #expect(rows.trips.count == 2 && rows.bad == 0)
    }

    @Test("trips without passengers are skipped, and a malformed row costs only itself")
    func rows() throws {
        let rows = try list(
            row("", kind: "OUT"), row("", kind: "DH"), row("7", start: "2561"), row("7", start: ""),
            row("7", date: "2026-02-30"), row(""), row("10"), "3")
        #expect(rows.trips.map(\.route) == ["10"])
        #expect(rows.bad == 5)
        #expect(try list(row("", kind: "IN")).trips.isEmpty)
        #expect(throws: FormatError.self) { try list("{}") }
        #expect(throws: FormatError.self) { try LAMetroCancellation.list(Array("{}".utf8), in: LAMetroFixture.zone()) }
    }

    @Test("a trip of an unknown or absent kind has passengers")
    func kinds() throws {
        #expect(try list(row("7", kind: "SUPPLEMENT"), row("10", kind: "")).trips.map(\.route) == ["7", "10"])
        #expect(try list(row("7", kind: "out"), row("10", kind: "IN"), row("4", kind: "DH")).trips.isEmpty)
    }

    @Test("alerts are shown at stops of their lines, fetched every five minutes, and do not delay departures")
    func atStops() async throws {
        let body = #"{"CanceledService":[\#(row("  7")),\#(row(" 10")),\#(row(" 99"))]}"#
        let transport = LAMetroFixture.transport(["/cancelled": (200, body)])
        let clock = VirtualClock()
        let feed = try LAMetroFeed(
            LAMetroFixture.context(over: transport, cancelled: LAMetroFixture.base + "/cancelled", clock: clock))
        func lines(_ names: [String]) async throws -> [[String]?] {
            try await feed.departures(FeedRequest(stop: .lametro("002"), lines: names)).alerts.map(\.lines)
        }
        #expect(try await lines([]) == [["7"], ["10"]])
        clock.go(to: .seconds(299))
        // By the name of its route, or its number.
        #expect(try await lines(["10/48"]) == [["10"]])
        #expect(try await lines(["10"]) == [["10"]])
        #expect(transport.requested.filter { $0 == "/cancelled" }.count == 1)
        clock.go(to: .seconds(300))
        _ = try await lines([])
        #expect(transport.requested.filter { $0 == "/cancelled" }.count == 2)

        let broken = try LAMetroFeed(
            LAMetroFixture.context(
                over: LAMetroFixture.transport(["/cancelled": (500, "")]), cancelled: LAMetroFixture.base + "/cancelled"
            ))
        let response = try await broken.departures(FeedRequest(stop: .lametro("002")))
        #expect(response.departures.count == 4 && response.alerts.isEmpty)
        #expect(response.partialFailure?.kind == .status(500))
    }

    @Test("on a recorded day 208 passenger trips are cancelled", .needsRecordings)
    func recorded() throws {
        guard let body = Recordings.read("lametro/CancelledTripsRT.json") else { return }
        let list = try LAMetroCancellation.list(body, in: LAMetroFixture.zone())
        #expect(list.trips.count == 208 && list.bad == 0)
        #expect(
            list.trips.first?.alert
                == Alert(
                    "Line 16 West: the 11:58, 5th / Wall - Division 7 Layover is cancelled", lines: ["16"],
                    from: try Rail.time("2022-10-04T17:58:00Z"), until: try Rail.time("2022-10-04T20:03:00Z")))
    }
}
