import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("LA Metro's old API", .endsHangs)
struct LAMetroFeedTests {
    private let feedRequest = FeedRequest(stop: .lametro("002"))
    /// The `Date` of the canned responses.
    private static let received = "2026-03-02T08:00:30Z"

    /// One line for each departure: line, destination, direction, seconds after the response.
    private func picture(_ response: FeedResponse) throws -> [String] {
        let received = try Rail.time(Self.received)
        return response.departures.map { row in
            let wait = (row.due - received).components.seconds
            return "\(row.line.id) \(row.line.name): \(row.destination) [\(row.direction ?? "")] \(wait)s"
        }
    }

    @Test("a prediction is relative to its response's time, whatever its number format")
    func predictions() async throws {
        let feed = try LAMetroFeed(LAMetroFixture.context(over: LAMetroFixture.transport()))
        let response = try await feed.counted(feedRequest)
        #expect(
            try picture(response) == [
                "7 7: Hills [East] 1055s", "7 7: Harbor [West] 186s", "10 10/48:  [] 45s",
                "7 7: Summit Rd [East] 3120s",
            ])
        #expect(response.badRows == 2)
        #expect(response.stop == Stop(id: .lametro("002"), name: "Second / Main", zone: try LAMetroFixture.zone()))
        let received = try Rail.time(Self.received)
        for row in response.departures {
            #expect(row.madeAt == received)
            #expect(row.expiresAt == row.due + .seconds(30))
            #expect(row.status == .expected(row.due))
            #expect(row.mode == .bus)
        }
        #expect(response.departures.first?.attributes?.id == "7_1_0/0701")
    }

    @Test("implausible predictions are left out, and a number may be quoted or have a sign")
    func range() async throws {
        func response(_ seconds: String...) async throws -> FeedResponse {
            let rows = seconds.map { #"{"route_id":"7","run_id":"7_1_0","seconds":\#($0)}"# }
            let path = "/agencies/lametro/stops/002/predictions/"
            let body = #"{"items":[\#(rows.joined(separator: ","))]}"#
            return try await LAMetroFeed(LAMetroFixture.context(over: LAMetroFixture.transport([path: (200, body)])))
                .counted(feedRequest)
        }
        let far = try await response("259200", "-4000")
        #expect(far.departures.isEmpty && far.badRows == 0)
        #expect(try picture(await response("\"-12\"", "-12.0")) == Array(repeating: "7 7: Hills [East] -12s", count: 2))
    }

    @Test("names are fetched every twelve hours, and with an unknown run after ten minutes")
    func namesAreCached() async throws {
        let transport = LAMetroFixture.transport()
        let clock = VirtualClock()
        let feed = try LAMetroFeed(LAMetroFixture.context(over: transport, clock: clock))
        let names = { Set(transport.requested).subtracting(["/agencies/lametro/stops/002/predictions/"]) }
        #expect(try await feed.counted(feedRequest).requests == 6)
        #expect(
            names() == [
                "/agencies/lametro/stops/002/", "/agencies/lametro/routes/", "/agencies/lametro/routes/7/runs/",
                "/agencies/lametro/routes/10/runs/", "/agencies/lametro/stops/002/messages/",
            ])
        clock.go(to: .seconds(299))
        #expect(try await feed.counted(feedRequest).requests == 1)
        clock.go(to: .seconds(599))
        // The messages.
        #expect(try await feed.counted(feedRequest).requests == 2)
        clock.go(to: .seconds(600))
        // The runs of 10, which are missing.
        #expect(try await feed.counted(feedRequest).requests == 2)
        clock.go(to: .seconds(12 * 3_600))
        #expect(try await feed.counted(feedRequest).requests == 6)
    }

    @Test("rider messages are alerts of the stop, each once, without markup; a malformed list costs nothing")
    func messages() async throws {
        let path = "/agencies/lametro/stops/002/messages/"
        func response(_ status: Int, _ body: String) async throws -> FeedResponse {
            try await LAMetroFeed(LAMetroFixture.context(over: LAMetroFixture.transport([path: (status, body)])))
                .counted(feedRequest)
        }
        let reported = try await response(
            200,
            #"""
            {"items":[{"id":"1","text":"Stop closed for <b>street fair</b> &amp; parade"},{"message":"Lift is out"},
            {"id":"2","text":"Lift is out"},{"id":"3","text":" "},7]}
            """#)
        #expect(reported.alerts == [Alert("Stop closed for street fair & parade"), Alert("Lift is out")])
        #expect(reported.departures.count == 4 && reported.partialFailure == nil)
        for (status, body, partialFailure) in [
            (404, "", nil), (200, #"{"items":[]}"#, nil), (500, "", .status(500)), (200, "<p>", .unreadable),
            (200, #"{"items":[{"id":1}]}"#, .unreadable),
        ] as [(Int, String, FeedError.Kind?)] {
            let response = try await response(status, body)
            #expect(response.departures.count == 4 && response.alerts.isEmpty, "\(body)")
            #expect(response.partialFailure?.kind == partialFailure, "\(body)")
        }
    }

    @Test("a rail station has its own agency, and its line its own name")
    func rail() async throws {
        let transport = LAMetroFixture.transport([
            "/agencies/lametro-rail/stops/80122/predictions/": (
                200, #"{"items":[{"block_id":"1","run_id":"801_1_0","seconds":60,"route_id":"801"}]}"#
            )
        ])
        let feed = try LAMetroFeed(LAMetroFixture.context(over: transport))
        let response = try await feed.counted(FeedRequest(stop: .lametro("rail/80122")))
        #expect(response.departures.map(\.line) == [Line(id: "801", name: "Metro Blue Line")])
        #expect(response.departures.map(\.mode) == [.metro])
        #expect(feed.profile.shortLines["801"] == "Blue")
    }

    @Test("a stop without predictions is an empty board")
    func quiet() async throws {
        let response = try await LAMetroFixture.feed(responding: Array(#"{"items":[]}"#.utf8)).counted(feedRequest)
        #expect(response.departures.isEmpty && response.badRows == 0)
    }

    @Test(
        "a code is a number with its leading zeros, for rail with the prefix rail/",
        arguments: [
            ("30005", "lametro 30005"), ("01297", "lametro 01297"), ("rail/80122", "lametro-rail 80122"),
            ("", nil), ("rail/", nil), ("bus/1", nil), ("1/2", nil), ("..", nil), ("12 3", nil), ("é", nil),
            ("12345678901234567", nil),
        ] as [(String, String?)])
    func codes(_ code: String, _ meaning: String?) {
        let stop = LAMetroStopCode(code)
        #expect(stop.map { "\($0.agency.rawValue) \($0.number)" } == meaning)
        #expect((LAMetroFeed.declaration.problem(aboutStop: code) == nil) == (meaning != nil))
        #expect(stop?.code == (meaning == nil ? nil : code))
    }

    @Test("without a URL there is no request, and the failure names the remedy")
    func noAddress() async throws {
        let transport = LAMetroFixture.transport()
        let context = LAMetroFixture.context(over: transport, url: "")
        let failure = await LAMetroFixture.failure(try LAMetroFeed(context))
        #expect(failure?.kind == .unknownStop && failure?.requests == 0)
        #expect(failure?.detail.contains("set url in boardd.toml, [feed.lametro]") == true)
        #expect(try LAMetroCatalogue(context) == nil)
        #expect(transport.requested.isEmpty)
    }

    @Test("errors name the remedy")
    func errors() async throws {
        for (status, body, kind, message) in [
            (404, #"{"detail":"Not Found"}"#, .unknownStop, "or not LA Metro's old API"),
            (301, "", .status(301), "check url in boardd.toml"),
            (200, #"{"items":[{"id":1}]}"#, .unreadable, "found JSON with an unexpected structure"),
        ] as [(Int, String, FeedError.Kind, String)] {
            let failure = await LAMetroFixture.failure(
                try LAMetroFixture.feed(responding: Array(body.utf8), status: status))
            #expect(failure?.kind == kind)
            #expect(failure?.detail.contains(message) == true, "\(failure?.detail ?? "")")
        }
    }

    @Test("the lines of a stop are its routes, and a missing stop is unknown")
    func lines() async throws {
        let feed = try LAMetroFeed(LAMetroFixture.context(over: LAMetroFixture.transport()))
        #expect(
            try await feed.check(.lametro("002")).lines == [Line(id: "7", name: "7"), Line(id: "10", name: "10/48")])
        let failure = await #expect(throws: FeedError.self) { try await feed.check(.lametro("003")) }
        #expect(failure?.kind == .unknownStop)
    }
}
