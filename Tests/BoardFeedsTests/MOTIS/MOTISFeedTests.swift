import BoardCore
import LoopbackServer
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("MOTIS's feed", .endsHangs)
struct MOTISFeedTests {
    private static let call = MOTISFixture.row("C6", "Harbour", MOTISFixture.times([("departure", "08:04")]))

    private func failure(_ status: Int, _ body: String, _ settings: [String: FeedSettings.Value] = [:]) async throws
        -> FeedFailure
    {
        let feed = try MOTISFixture.feed(over: CannedTransport { _ in (status, Array(body.utf8)) }, settings)
        do throws(FeedFailure) {
            _ = try await feed.departures(FeedRequest(stop: MOTISFixture.stop))
        } catch {
            return error
        }
        throw FeedFailure(.cancelled, detail: "it was answered")
    }

    @Test("asks the version that is configured, in the language that is")
    func question() async throws {
        let transport = CannedTransport { _ in (200, MOTISFixture.answer([Self.call])) }
        let feed = try MOTISFixture.feed(over: transport, ["version": .text("v6"), "language": .text("de")])
        _ = try await feed.departures(FeedRequest(stop: MOTISFixture.stop))
        _ = try await MOTISFixture.feed(over: transport).lines(at: MOTISFixture.stop)
        #expect(
            transport.asked == [
                "/api/v6/stoptimes?stopId=xx-Vale_mill%3A1&n=40&withAlerts=true&language=de",
                "/api/v5/stoptimes?stopId=xx-Vale_mill%3A1&n=1&withAlerts=true",
            ])
    }

    @Test("says who asks over a real connection: the program, its version and its page, then the contact")
    func userAgent() async throws {
        let server = try LoopbackServer { request in
            let lines = request.split(separator: "\r\n").map(String.init)
            guard lines[0].hasPrefix("GET /motis/api/v5/stoptimes?stopId=xx-Vale_mill%3A1&"),
                lines.contains("User-Agent: boardd-test/1 (page) (me@example.org)")
            else { return [.reply(403)] }
            return [.reply(body: MOTISFixture.answer([Self.call]))]
        }
        let curl = CurlTransport(userAgent: "boardd-test/1 (page)", clock: ManualClock())
        let settings: [String: FeedSettings.Value] = ["url": .url(server.url("/motis"))]
        let named = try MOTISFixture.feed(over: curl, settings.merging(["contact": .text("me@example.org")]) { $1 })
        #expect(try await named.departures(FeedRequest(stop: MOTISFixture.stop)).departures.count == 1)
        let nameless = try MOTISFixture.feed(over: curl, settings)
        await #expect { try await nameless.departures(FeedRequest(stop: MOTISFixture.stop)) } throws: { error in
            let failure = error as? FeedFailure
            return failure?.kind == .status(403) && failure?.detail.contains("contact in boardd.toml") ?? false
        }
        server.stop()
    }

    @Test("asks for a contact once, where Transitous is asked without one")
    func contact() async throws {
        func notes(_ settings: [String: FeedSettings.Value]) async throws -> [String] {
            let notes = Notes()
            let transport = CannedTransport { _ in (200, MOTISFixture.answer([Self.call])) }
            let storage = FeedStorage(folder: "/nowhere", download: { transport }, log: notes.take)
            let feed = try MOTISFixture.feed(over: transport, settings, storage: storage)
            for _ in 0..<2 { _ = try await feed.departures(FeedRequest(stop: MOTISFixture.stop)) }
            return notes.all
        }
        let said = try await notes([:])
        #expect(said.count == 1 && said.first?.contains("contact = \"me@example.org\"") ?? false)
        #expect(try await notes(["contact": .text("me@example.org")]).isEmpty)
        #expect(try await notes(["url": .url("https://motis.example")]).isEmpty)
    }

    @Test(
        "does not know a stop only where it says so itself",
        arguments: [
            (404, #"{"error":"timetable: could not find stop"}"#, FeedFailure.Kind.unknownStop),
            (400, #"{"error":"bad stop"}"#, .unknownStop), (404, "<html>no such page</html>", .status(404)),
            (500, #"{"error":"internal"}"#, .status(500)), (429, "", .rateLimited(retryAfter: nil)),
            (200, "<html>hello</html>", .unreadable), (200, "[]", .unreadable), (200, "{}", .unreadable),
        ])
    func refusals(status: Int, body: String, kind: FeedFailure.Kind) async throws {
        let failure = try await failure(status, body)
        #expect(failure.kind == kind, "\(failure.detail)")
        #expect(failure.detail.hasPrefix("https://api.transitous.org/api/v5/stoptimes?stopId="))
        if kind == .unknownStop { #expect(failure.detail.contains("stop")) }
    }

    @Test(
        "refuses settings that cannot be asked with, and says what they must be",
        arguments: [
            ("version", FeedSettings.Value.text("5"), "must be v and a number"),
            ("version", .text("v+5"), "must be v and a number"), ("version", .text("v0"), "must be v and a number"),
            ("contact", .text("me) evil"), "must be a mail or web address"),
            ("contact", .text("a\u{7}b"), "must be a mail or web address"),
            ("url", .url("http://api.transitous.org"), "must be an https address"),
        ])
    func settings(name: String, value: FeedSettings.Value, sentence: String) throws {
        do {
            _ = try MOTISFixture.feed(over: CannedTransport { _ in nil }, [name: value])
            Issue.record("it was made")
        } catch let failure as FeedSettingFailure {
            #expect(failure.setting == name)
            #expect(failure.detail.contains(sentence))
        }
    }

    @Test("knows what a stop's identifier looks like")
    func codes() {
        let declaration = MOTISFeed.declaration
        #expect(declaration.problem(aboutStop: "de-DELFI_de:02000:8002553:3:255305") == nil)
        #expect(declaration.problem(aboutStop: "fr-tgv_StopPoint:OCE 1") == nil)
        for wrong in ["490008660N", "_x", "de\u{0}_x", ""] {
            #expect(declaration.problem(aboutStop: wrong)?.contains("de-DELFI_de:02000:10950") ?? false)
        }
    }

    @Test("links to the sources of Transitous, as its terms ask")
    func attribution() throws {
        let profile = try MOTISFixture.feed(over: CannedTransport { _ in nil }).profile
        #expect(profile.attribution.contains("transitous.org/sources"))
        #expect(profile.interval == .seconds(60))
    }

    // MARK: - Stops with many departures

    /// A stop with a departure of line 1 every twelve seconds and one of C6 after 20 minutes, in as many pages as it takes.
    private func busy(
        _ lines: [String], failing: Int? = nil, at place: Int = 100
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
                let time = (MOTISFixture.told + .seconds(12 * index)).rfc3339
                return MOTISFixture.row(
                    index == place ? "C6" : "1", "\(index)",
                    #","departure":"\#(time)""# + (index == start ? alerts : ""))
            }
            // The first row of a page is the last one of the page before.
            return (200, MOTISFixture.answer(rows, next: "LATER|\(start + count - 1)"))
        }
        let feed = try MOTISFixture.feed(over: transport)
        return (
            try await feed.departures(FeedRequest(stop: MOTISFixture.stop, lines: lines)), transport.asked
        )
    }

    @Test("a line of interest is looked for behind many others, on a few pages")
    func pages() async throws {
        let (answer, asked) = try await busy(["C6"])
        #expect(answer.departures.contains { $0.line.name == "C6" && $0.due == MOTISFixture.told + .seconds(1_200) })
        #expect(answer.requests == 4 && asked.count == 4)
        #expect(
            asked.dropFirst().first
                == asked.first?.replacingOnce(
                    "n=40&withAlerts=true", with: "n=100&withAlerts=true&pageCursor=LATER%7C39"))
        // 40 and three times 100, of which three are there twice.
        #expect(answer.departures.count == 337)
        #expect(answer.alerts.map(\.text) == [])
        let one = try await busy(["1"])
        #expect(one.1.count == 1 && one.0.requests == 1)
        #expect(try await busy([]).1.count == 1)
    }

    @Test("what is said of a line of interest on another page is said")
    func alertsOfPages() async throws {
        let transport = CannedTransport { path in
            let isSecond = path.contains("pageCursor")
            let alerts = #","alerts":[{"headerText":"Strike"}]"#
            let row = MOTISFixture.row(
                isSecond ? "C6" : "1", "Harbour",
                MOTISFixture.times([("departure", isSecond ? "08:20" : "08:02")]) + alerts)
            return (200, MOTISFixture.answer([row], next: isSecond ? "" : "LATER|1"))
        }
        let feed = try MOTISFixture.feed(over: transport)
        let answer = try await feed.departures(FeedRequest(stop: MOTISFixture.stop, lines: ["C6"]))
        #expect(answer.alerts.map(\.text) == ["Strike"])
        #expect(answer.alerts.first?.scope == .lines(["1", "C6"]))
        #expect(answer.requests == 2)
        // Without an end of the board's time before the first page's there is nothing to look for.
        let short = try MOTISFixture.feed(over: transport, ["window": .duration(.seconds(60))])
        #expect(try await short.departures(FeedRequest(stop: MOTISFixture.stop, lines: ["C6"])).requests == 1)
    }

    @Test(
        "a page that fails fails the answer where nothing of interest was before it, and never says that there is no such stop"
    )
    func failingPage() async throws {
        for (status, kind) in [(500, FeedFailure.Kind.status(500)), (404, .unreadable)] {
            await #expect("\(status)") {
                try await busy(["C6"], failing: status)
            } throws: { error in
                let failure = error as? FeedFailure
                return failure?.kind == kind && failure?.requests == 2
            }
        }
    }

    @Test("what was told before a page that fails is on the board, and that there is no more is trouble")
    func brokenOff() async throws {
        let (answer, asked) = try await busy(["C6"], failing: 404, at: 7)
        #expect(answer.departures.contains { $0.line.name == "C6" } && answer.partialFailure?.kind == .unreadable)
        #expect(asked.count == 2 && answer.requests == 2)
    }

    // MARK: - The opened page

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

    private func service(_ body: String, status: Int = 200) async throws -> TripDetails? {
        let transport = CannedTransport { path in
            path == "/api/v5/trip?tripId=t%201" ? (status, Array(body.utf8)) : (599, [])
        }
        return try await MOTISFixture.feed(over: transport).tripDetails(
            of: Departure(
                stop: MOTISFixture.stop, line: Line(id: "C6", name: "C6"), destination: "", status: .cancelled,
                attributes: TripAttributes(id: "t 1"), madeAt: MOTISFixture.told, expiresAt: MOTISFixture.told))
    }

    @Test("an opened bus has been, is there, does not call, and will be")
    func opened() async throws {
        let service = try #require(try await service(Self.trip))
        #expect(service.calls.map(\.name) == ["Weir", "Mill Lane", "Market", "Harbour"])
        #expect(
            service.calls.map(\.state) == [
                .called(MOTISFixture.at("07:50:00")), .arrived(MOTISFixture.at("08:00:00")), .cancelled,
                .expected(MOTISFixture.at("08:20:00")),
            ])
        #expect(service.calls.map(\.booked) == ["07:49:00", "08:02:00", "08:06:00", "08:18:00"].map(MOTISFixture.at))
        #expect(service.calls[1].platform == "3")
        #expect(service.madeAt == MOTISFixture.told)
        #expect(service.expiresAt == MOTISFixture.at("08:22:00"))
    }

    @Test("of a trip of the timetable nothing is said to have happened")
    func openedTimetable() async throws {
        let body = Self.trip.replacingOnce(#""realTime":true"#, with: #""realTime":false"#)
        let service = try #require(try await service(body))
        #expect(service.calls.first?.state == .scheduled(MOTISFixture.at("07:50:00")))
        #expect(service.now == nil)
    }

    @Test("a trip that is forgotten, or has no calls, is none")
    func forgotten() async throws {
        #expect(try await service(#"{"error":"no such trip"}"#, status: 404) == nil)
        #expect(try await service(#"{"legs":[]}"#) == nil)
        await #expect(throws: FeedFailure.self) { try await service("[]") }
    }

    // MARK: - Recordings

    @Test("every recorded file gives rows or a typed error")
    func recorded() async throws {
        var rows: [String: Int] = [:]
        for name in [
            "location-addresses", "location-geo-search", "location-map-stops", "location-name-search",
            "stopover-arrival",
            "stopover-departure", "stoptimes_v5_trimmed_rennes", "trip-limited-entry-exit",
        ] {
            guard let body = Fixtures.recorded("motis/\(name).json") else { return }
            do throws(FeedFailure) {
                let feed = try? MOTISFixture.feed(
                    over: CannedTransport(date: nil) { _ in (200, body) },
                    ["window": .duration(.seconds(86_400 * 40_000))])
                rows[name] = try await feed?.departures(FeedRequest(stop: MOTISFixture.stop)).departures.count
            } catch {
                #expect(error.kind == .unreadable)
            }
        }
        // What arrives is no departure.
        #expect(rows == ["stopover-arrival": 0, "stopover-departure": 10, "stoptimes_v5_trimmed_rennes": 3])
    }

    @Test("the recorded stop of Rennes is late, live, cancelled; the entry without a time is a bad row")
    func rennes() async throws {
        guard let body = Fixtures.recorded("motis/stoptimes_v5_trimmed_rennes.json") else { return }
        let answer = try await MOTISFixture.feed(
            over: CannedTransport(date: "Sun, 04 Oct 2026 17:40:00 GMT") { _ in (200, body) }
        ).departures(FeedRequest(stop: MOTISFixture.stop))
        func at(_ clock: String) -> Timestamp? { Timestamp(rfc3339: "2026-10-04T\(clock):00Z") }
        #expect(answer.departures.map(\.line.name) == ["C6", "TER 857300", "a"])
        #expect(answer.departures.map(\.destination) == ["Cesson Centre", "Saint-Malo", "J.F. Kennedy"])
        #expect(answer.departures.map(\.booked) == [at("17:42"), at("17:50"), at("17:41")])
        #expect(answer.departures.map(\.due) == [at("17:44"), at("17:50"), at("17:41")])
        #expect(answer.departures.last?.status == .cancelled)
        #expect(answer.departures.map(\.platform) == [nil, "3", nil])
        #expect(answer.badRows == 1)
    }

    @Test("the recorded train from Vienna to Hamburg-Altona calls on its whole way")
    func vienna() async throws {
        guard let body = Fixtures.recorded("motis/trip-limited-entry-exit.json") else { return }
        let service = try #require(try await service(String(decoding: body, as: UTF8.self)))
        #expect(service.calls.first?.name == "Wien Hauptbahnhof")
        #expect(service.calls.last?.name == "Hamburg-Altona")
        #expect(service.calls.first { $0.name == "Passau Hbf" }?.platform == "2")
        #expect(service.calls.count > 15)
    }
}

/// Remembers what a feed had to say.
final class Notes: Sendable {
    private let said = Mutex<[String]>([])
    var all: [String] { said.withLock { $0 } }

    @Sendable func take(_ note: FeedStorage.LogEntry) {
        switch note {
        case .completed(let text), .info(let text), .warning(let text), .recovered(let text):
            said.withLock { $0.append(text) }
        }
    }
}
