import BoardCore
import LoopbackServer
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("The MOTIS feed", .endsHangs)
struct MOTISFeedTests {
    private static let call = MOTISFixture.row("C6", "Harbour", MOTISFixture.times([("departure", "08:04")]))

    private func failure(_ status: Int, _ body: String, _ settings: [String: FeedSettings.Value] = [:]) async throws
        -> FeedError
    {
        let feed = try MOTISFixture.feed(over: CannedTransport { _ in (status, Array(body.utf8)) }, settings)
        return try await #require(throws: FeedError.self) {
            _ = try await feed.counted(FeedRequest(stop: MOTISFixture.stop))
        }
    }

    @Test("requests have the configured version and language")
    func feedRequest() async throws {
        let transport = CannedTransport { _ in (200, MOTISFixture.stopTimes([Self.call])) }
        let feed = try MOTISFixture.feed(over: transport, ["version": .text("v6"), "language": .text("de")])
        _ = try await feed.counted(FeedRequest(stop: MOTISFixture.stop))
        let check = try await MOTISFixture.feed(over: transport).check(MOTISFixture.stop)
        #expect(check == StopCheck(.departures, name: "Mill Lane", lines: nil, zone: try Feeds.london("Europe/London")))
        #expect(
            transport.requested == [
                "/api/v6/stoptimes?stopId=xx-Vale_mill%3A1&n=40&withAlerts=true&language=de",
                "/api/v5/stoptimes?stopId=xx-Vale_mill%3A1&n=1&withAlerts=true",
            ])
    }

    @Test("over a real connection the User-Agent has the program, its version and its page, then the contact")
    func userAgent() async throws {
        let server = try LoopbackServer { request in
            let lines = request.split(separator: "\r\n").map(String.init)
            guard lines[0].hasPrefix("GET /motis/api/v5/stoptimes?stopId=xx-Vale_mill%3A1&"),
                lines.contains("User-Agent: boardd-test/1 (page) (me@example.org)")
            else { return [.reply(403)] }
            return [.reply(body: MOTISFixture.stopTimes([Self.call]))]
        }
        let curl = CurlTransport(userAgent: "boardd-test/1 (page)", clock: VirtualClock())
        let settings: [String: FeedSettings.Value] = ["url": .text(server.url("/motis"))]
        let named = try MOTISFixture.feed(over: curl, settings.merging(["contact": .text("me@example.org")]) { $1 })
        #expect(try await named.counted(FeedRequest(stop: MOTISFixture.stop)).departures.count == 1)
        let nameless = try MOTISFixture.feed(over: curl, settings)
        await #expect { try await nameless.counted(FeedRequest(stop: MOTISFixture.stop)) } throws: { error in
            let failure = error as? FeedError
            return failure?.kind == .status(403) && failure?.detail.contains("contact in boardd.toml") ?? false
        }
        server.stop()
    }

    @Test("a missing contact is logged once, for Transitous only")
    func contact() async throws {
        func notes(_ settings: [String: FeedSettings.Value]) async throws -> [String] {
            let notes = LogEntries()
            let transport = CannedTransport { _ in (200, MOTISFixture.stopTimes([Self.call])) }
            let storage = FeedStorage(folder: "/nowhere", download: { transport }, log: notes.take)
            let feed = try MOTISFixture.feed(over: transport, settings, storage: storage)
            for _ in 0..<2 { _ = try await feed.counted(FeedRequest(stop: MOTISFixture.stop)) }
            return notes.all
        }
        let entries = try await notes([:])
        #expect(entries.count == 1 && entries.first?.contains("contact = \"me@example.org\"") ?? false)
        #expect(try await notes(["contact": .text("me@example.org")]).isEmpty)
        #expect(try await notes(["url": .text("https://motis.example")]).isEmpty)
    }

    @Test(
        "a stop is unknown only if the server's own error body reports it",
        arguments: [
            (404, #"{"error":"timetable: could not find stop"}"#, FeedError.Kind.unknownStop),
            (400, #"{"error":"bad stop"}"#, .unknownStop), (404, "<html>no such page</html>", .status(404)),
            (500, #"{"error":"internal"}"#, .status(500)), (429, "", .rateLimited(retryAfter: nil)),
            (200, "<html>hello</html>", .unreadable), (200, "[]", .unreadable), (200, "{}", .unreadable),
        ])
    func errors(status: Int, body: String, kind: FeedError.Kind) async throws {
        let failure = try await failure(status, body)
        #expect(failure.kind == kind, "\(failure.detail)")
        #expect(failure.detail.hasPrefix("https://api.transitous.org/api/v5/stoptimes?stopId="))
        if kind == .unknownStop { #expect(failure.detail.contains("stop")) }
    }

    @Test(
        "invalid settings are rejected with the requirement",
        arguments: [
            ("version", FeedSettings.Value.text("5"), "must be v and a number"),
            ("version", .text("v+5"), "must be v and a number"), ("version", .text("v0"), "must be v and a number"),
            ("contact", .text("me) evil"), "must be a mail or web address"),
            ("contact", .text("a\u{7}b"), "must be a mail or web address"),
            ("url", .text("http://api.transitous.org"), "must be an https address"),
        ])
    func settings(name: String, value: FeedSettings.Value, sentence: String) throws {
        let failure = #expect(throws: FeedSettingError.self) {
            _ = try MOTISFixture.feed(over: CannedTransport { _ in nil }, [name: value])
        }
        #expect(failure?.setting == name)
        #expect(failure?.detail.contains(sentence) == true)
    }

    @Test("a stop's identifier has its format checked")
    func codes() {
        let declaration = MOTISFeed.declaration
        #expect(declaration.problem(aboutStop: "de-DELFI_de:02000:8002553:3:255305") == nil)
        #expect(declaration.problem(aboutStop: "fr-tgv_StopPoint:OCE 1") == nil)
        for wrong in ["490008660N", "_x", "de\u{0}_x", ""] {
            #expect(declaration.problem(aboutStop: wrong)?.contains("de-DELFI_de:02000:10950") ?? false)
        }
    }

    // MARK: - Stops with many departures

    /// A stop with a departure of line 1 every twelve seconds and one of C6 after 20 minutes, on as many pages as needed.
    private func busy(
        _ lines: [String], directions: [String] = [], failing: Int? = nil, at place: Int = 100
    ) async throws -> (FeedResponse, [String]) {
        let transport = CannedTransport { path in
            let page = path.firstRange(of: "pageCursor=LATER%7C").map {
                Int(path[$0.upperBound...].prefix { $0 != "&" })
            }
            let start = (page ?? 0) ?? 0
            let count = path.contains("&n=40&") ? 40 : 100
            if let failing, start > 0 { return (failing, Array(#"{"error":"internal"}"#.utf8)) }
            let alerts = #","alerts":[{"headerText":"Strike from \#(start)"}]"#
            let rows = (start..<start + count).map { index in
                let time = (MOTISFixture.madeAt + .seconds(12 * index)).rfc3339
                return MOTISFixture.row(
                    index == place ? "C6" : "1", "\(index)",
                    #","departure":"\#(time)""# + (index == start ? alerts : ""))
            }
            // The first row of a page is the last one of the page before.
            return (200, MOTISFixture.stopTimes(rows, next: "LATER|\(start + count - 1)"))
        }
        let feed = try MOTISFixture.feed(over: transport)
        return (
            try await feed.counted(FeedRequest(stop: MOTISFixture.stop, lines: lines, directions: directions)),
            transport.requested
        )
    }

    @Test("a line of interest is searched behind many others, on a few pages")
    func pages() async throws {
        let (response, requested) = try await busy(["C6"])
        #expect(
            response.departures.contains { $0.line.name == "C6" && $0.due == MOTISFixture.madeAt + .seconds(1_200) })
        #expect(response.requests == 4 && requested.count == 4)
        #expect(
            requested.dropFirst().first
                == requested.first?.replacing(
                    "n=40&withAlerts=true", with: "n=100&withAlerts=true&pageCursor=LATER%7C39", maxReplacements: 1))
        // 40 and three times 100, with three duplicates.
        #expect(response.departures.count == 337)
        #expect(response.alerts.map(\.text) == [])
        let one = try await busy(["1"])
        #expect(one.1.count == 1 && one.0.requests == 1)
        #expect(try await busy([]).1.count == 1)
        // A destination, too.
        #expect(try await busy([], directions: ["250"]).0.departures.contains { $0.destination == "250" })
    }

    @Test("directions selects by destination, as MOTIS reports no direction, also the next departure after the window")
    func destinations() async throws {
        let rows = [("Harbour", "08:05"), ("Mill Park, west", "08:20"), ("Quay", "10:40"), ("Mill Park", "10:50")].map {
            MOTISFixture.row("1", $0.0, MOTISFixture.times([("departure", $0.1)]))
        }
        let feed = try MOTISFixture.feed(over: CannedTransport { _ in (200, MOTISFixture.stopTimes(rows)) })
        func response(_ direction: String) async throws -> (destinations: [String], next: NextDeparture?) {
            let request = FeedRequest(stop: MOTISFixture.stop, directions: [direction])
            let response = try await feed.counted(request)
            return (response.departures.filter(request.selects).map(\.destination), response.next)
        }
        #expect(try await response("mill park") == (["Mill Park, west"], nil))
        #expect(try await response("West").destinations == ["Mill Park, west"])
        #expect(try await response("Quay") == ([], .laterToday(MOTISFixture.at("10:40:00"))))
        #expect(try await response("Dock") == ([], nil))
    }

    @Test("alerts of a line of interest on another page are included")
    func alertsOfPages() async throws {
        let transport = CannedTransport { path in
            let isSecond = path.contains("pageCursor")
            let alerts = #","alerts":[{"headerText":"Strike"}]"#
            let row = MOTISFixture.row(
                isSecond ? "C6" : "1", "Harbour",
                MOTISFixture.times([("departure", isSecond ? "08:20" : "08:02")]) + alerts)
            return (200, MOTISFixture.stopTimes([row], next: isSecond ? "" : "LATER|1"))
        }
        let feed = try MOTISFixture.feed(over: transport)
        let response = try await feed.counted(FeedRequest(stop: MOTISFixture.stop, lines: ["C6"]))
        #expect(response.alerts.map(\.text) == ["Strike"])
        #expect(response.alerts.first?.lines == ["1", "C6"])
        #expect(response.requests == 2)
        // If the first page reaches the board's end, no further page is needed.
        let short = try MOTISFixture.feed(over: transport, ["window": .duration(.seconds(60))])
        #expect(try await short.counted(FeedRequest(stop: MOTISFixture.stop, lines: ["C6"])).requests == 1)
    }

    @Test("a failed page fails the request if no departure of interest precedes it, and never as an unknown stop")
    func failingPage() async throws {
        for (status, kind) in [(500, FeedError.Kind.status(500)), (404, .unreadable)] {
            await #expect("\(status)") { try await busy(["C6"], failing: status) } throws: { error in
                let failure = error as? FeedError
                return failure?.kind == kind && failure?.requests == 2
            }
        }
    }

    @Test("the departures before a failed page are on the board, with a partial failure")
    func brokenOff() async throws {
        let (response, requested) = try await busy(["C6"], failing: 404, at: 7)
        #expect(response.departures.contains { $0.line.name == "C6" } && response.partialFailure?.kind == .unreadable)
        #expect(requested.count == 2 && response.requests == 2)
    }

    // MARK: - Trip details

    private static let trip = #"""
        {"duration":1,"transfers":0,"legs":[{"mode":"BUS","realTime":true,"tripId":"t",
        "from":{"name":"Weir","stopId":"xx_w","departure":"2026-03-02T07:50:00Z","scheduledDeparture":"2026-03-02T07:49:00Z"},
        "intermediateStops":[
        {"name":"Mill Lane","arrival":"2026-03-02T08:00:00Z","departure":"2026-03-02T08:04:00Z",
        "scheduledDeparture":"2026-03-02T08:02:00Z","track":"3"},
        {"name":"Market","scheduledArrival":"2026-03-02T08:06:00Z","scheduledDeparture":"2026-03-02T08:06:00Z","cancelled":true},
        {"name":"Nowhere"}],
        "to":{"name":"Harbour","arrival":"2026-03-02T08:20:00Z","scheduledArrival":"2026-03-02T08:18:00Z"}}]}
        """#

    private func trip(_ body: String, status: Int = 200) async throws -> TripDetails? {
        let transport = CannedTransport { path in
            path == "/api/v5/trip?tripId=t%201" ? (status, Array(body.utf8)) : (599, [])
        }
        return try await MOTISFixture.feed(over: transport).tripDetails(
            of: Departure(
                stop: MOTISFixture.stop, line: Line(id: "C6", name: "C6"), destination: "", status: .cancelled,
                attributes: TripAttributes(id: "t 1"), madeAt: MOTISFixture.madeAt, expiresAt: MOTISFixture.madeAt))
    }

    @Test("the calls of a trip are past, present, cancelled and expected")
    func opened() async throws {
        let trip = try #require(try await trip(Self.trip))
        #expect(trip.calls.map(\.name) == ["Weir", "Mill Lane", "Market", "Harbour"])
        #expect(
            trip.calls.map(\.state) == [
                .called(MOTISFixture.at("07:50:00")), .arrived(MOTISFixture.at("08:00:00")), .cancelled,
                .expected(MOTISFixture.at("08:20:00")),
            ])
        #expect(trip.calls.map(\.booked) == ["07:49:00", "08:02:00", "08:06:00", "08:18:00"].map(MOTISFixture.at))
        #expect(trip.calls[1].platform == "3")
        #expect(trip.madeAt == MOTISFixture.madeAt)
        #expect(trip.expiresAt == MOTISFixture.at("08:22:00"))
    }

    @Test("the calls of a scheduled trip never count as past")
    func detailPageOfTimetable() async throws {
        let body = Self.trip.replacing(#""realTime":true"#, with: #""realTime":false"#, maxReplacements: 1)
        let trip = try #require(try await trip(body))
        #expect(trip.calls.first?.state == .scheduled(MOTISFixture.at("07:50:00")))
        #expect(trip.now == nil)
    }

    @Test("a trip that is no longer available, or has no calls, has no details")
    func forgotten() async throws {
        #expect(try await trip(#"{"error":"no such trip"}"#, status: 404) == nil)
        #expect(try await trip(#"{"legs":[]}"#) == nil)
        await #expect(throws: FeedError.self) { try await trip("[]") }
    }

    // MARK: - Recordings

    @Test("every recorded file gives rows or a typed error", .needsRecordings)
    func recorded() async throws {
        var rows: [String: Int] = [:]
        for name in [
            "location-addresses", "location-geo-search", "location-map-stops", "location-name-search",
            "stopover-arrival", "stopover-departure", "stoptimes_v5_trimmed_rennes", "trip-limited-entry-exit",
        ] {
            guard let body = Recordings.read("motis/\(name).json") else { return }
            do throws(FeedError) {
                let feed = try? MOTISFixture.feed(
                    over: CannedTransport(date: nil) { _ in (200, body) },
                    ["window": .duration(.seconds(86_400 * 40_000))])
                rows[name] = try await feed?.counted(FeedRequest(stop: MOTISFixture.stop)).departures.count
            } catch {
                #expect(error.kind == .unreadable)
            }
        }
        // An arrival is not a departure.
        #expect(rows == ["stopover-arrival": 0, "stopover-departure": 10, "stoptimes_v5_trimmed_rennes": 3])
    }

    @Test(
        "the recorded stop in Rennes has late, realtime and cancelled rows; the entry without a time is a bad row",
        .needsRecordings)
    func rennes() async throws {
        guard let body = Recordings.read("motis/stoptimes_v5_trimmed_rennes.json") else { return }
        let response = try await MOTISFixture.feed(
            over: CannedTransport(date: "Sun, 04 Oct 2026 17:40:00 GMT") { _ in (200, body) }
        ).counted(FeedRequest(stop: MOTISFixture.stop))
        func at(_ clock: String) -> Timestamp? { Timestamp(rfc3339: "2026-10-04T\(clock):00Z") }
        #expect(response.departures.map(\.line.name) == ["C6", "TER 857300", "a"])
        #expect(response.departures.map(\.destination) == ["Cesson Centre", "Saint-Malo", "J.F. Kennedy"])
        #expect(response.departures.map(\.booked) == [at("17:42"), at("17:50"), at("17:41")])
        #expect(response.departures.map(\.due) == [at("17:44"), at("17:50"), at("17:41")])
        #expect(response.departures.last?.status == .cancelled)
        #expect(response.departures.map(\.platform) == [nil, "3", nil])
        #expect(response.badRows == 1)
    }

    @Test("the recorded train from Vienna to Hamburg-Altona has all its calls", .needsRecordings)
    func vienna() async throws {
        guard let body = Recordings.read("motis/trip-limited-entry-exit.json") else { return }
        let trip = try #require(try await trip(String(decoding: body, as: UTF8.self)))
        #expect(trip.calls.first?.name == "Wien Hauptbahnhof")
        #expect(trip.calls.last?.name == "Hamburg-Altona")
        #expect(trip.calls.first { $0.name == "Passau Hbf" }?.platform == "2")
        #expect(trip.calls.count > 15)
    }
}

/// Records a feed's log entries.
final class LogEntries: Sendable {
    private let entries = Mutex<[String]>([])
    var all: [String] { entries.withLock { $0 } }

    @Sendable func take(_ note: FeedStorage.LogEntry) {
        switch note {
        case .completed(let text), .info(let text), .warning(let text), .recovered(let text):
            entries.withLock { $0.append(text) }
        }
    }
}
