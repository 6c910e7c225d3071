import BoardCore
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("The TfL feed, from request to response", .endsHangs)
struct TfLFeedTests {
    private let pole = FeedRequest(stop: StopID(feed: TfLFeed.name, code: "490099901X"))
    private let hub = FeedRequest(stop: StopID(feed: TfLFeed.name, code: "HUBLRH"))

    private func settings(_ url: String = "https://api.tfl.gov.uk", key: String? = nil) -> FeedSettings {
        var settings = FeedSettings(defaultsOf: TfLFeed.declaration)
        settings.set("url", to: .text(url))
        settings.setSecret("TFL_APP_KEY", to: key.map { Secret($0) })
        return settings
    }

    @Test(
        "a bus stop takes one request, and one for its alerts; the response has its name, its letter and the operator's clock"
    )
    func one() async throws {
        let body = try Fixtures.own("arrivals_bus.json")
        let transport = CannedTransport { _ in (200, body) }
        let response = try await TfLFeed(Feeds.context(settings(), over: transport)).counted(pole)
        #expect(transport.requested.sorted() == ["/StopPoint/490099901X/Arrivals", "/StopPoint/490099901X/Disruption"])
        #expect(
            response.stop
                == Stop(
                    id: pole.stop, name: "Larch Street / Mill Lane", letter: "X",
                    zone: try Feeds.london("Europe/London")))
        #expect(response.departures.count == 3)
        #expect(response.requests == 2)
    }

    @Test("for each part of a stop only as many departures are cached as reach the board, the earliest")
    func many() async throws {
        let body = ManyRows.body("[", ResponseLimits.departures + 1, "]") { index in
            let time = index == ResponseLimits.departures ? "2026-03-02T08:01:00Z" : "2026-03-02T08:20:00Z"
            return "{\"id\":\"\(index)\",\"vehicleId\":\"V\(index)\",\"lineId\":\"73\",\"expectedArrival\":\"\(time)\"}"
        }
        let transport = CannedTransport { path in (200, path.contains("Arrivals") ? body : Array("[]".utf8)) }
        let response = try await TfLFeed(Feeds.context(settings(), over: transport)).counted(pole)
        #expect(response.departures.count == ResponseLimits.departures)
        #expect(response.departures.map(\.due).min() == Timestamp(rfc3339: "2026-03-02T08:01:00Z"))
    }

    @Test("the structure of an interchange is fetched every twelve hours, and its parts with each poll")
    func structure() async throws {
        let transport = try TfLTown.transport()
        let clock = VirtualClock()
        let feed = try TfLFeed(Feeds.context(settings(), over: transport, clock: clock))
        let response = try await feed.counted(hub)
        #expect(response.stop.name == "Larch Hill")
        // The structure, five parts, and the alerts of the interchange and of its lines.
        #expect(response.requests == 8)
        #expect(
            Set(response.departures.map(\.line.name)) == [
                "Elizabeth line", "Mildmay", "73", "N109", "390", "Harbour", "harbour",
            ])
        #expect(response.departures.allSatisfy { $0.stop == hub.stop })
        clock.go(to: .seconds(12 * 3_600 - 1))
        #expect(try await feed.counted(hub).requests == 7)
        clock.go(to: .seconds(12 * 3_600))
        #expect(try await feed.counted(hub).requests == 6)
        #expect(transport.requested.filter { $0 == "/StopPoint/HUBLRH" }.count == 2)
        let few = try await feed.counted(FeedRequest(stop: hub.stop, lines: ["mildmay"]))
        #expect(few.requests == 1)
        #expect(transport.requested.last == "/StopPoint/910GLARCHH/ArrivalDepartures?lineIds=mildmay")
    }

    @Test("a part that fails and has no cached response is counted as a bad row")
    func partly() async throws {
        let whole = try await TfLFeed(Feeds.context(settings(), over: TfLTown.transport())).counted(hub)
        let feed = try TfLFeed(Feeds.context(settings(), over: TfLTown.transport(["mildmay": nil, "940GZZ": 500])))
        let response = try await feed.counted(hub)
        #expect(!response.departures.isEmpty)
        // Without the tube's 6 bad rows and Mildmay's 2, plus one for each of the two parts.
        #expect(response.badRows == whole.badRows - 8 + 2)
        #expect(response.requests == 8)
    }

    /// A feed whose server starts to fail on demand: from then on the parts in `missing` fail.
    private func failing(
        _ missing: [String: Int?], at date: String = "Mon, 02 Mar 2026 08:01:00 GMT"
    ) async throws -> (before: FeedResponse, after: FeedResponse) {
        let transport = try TfLTown.transport()
        let feed = try TfLFeed(Feeds.context(settings(), over: transport))
        let before = try await feed.counted(hub)
        transport.fail(missing, at: date)
        return (before, try await feed.counted(hub))
    }

    @Test("a part with a temporary failure has the rows of its last response, and counts as one bad row")
    func standIn() async throws {
        let (before, after) = try await failing(["mildmay": nil, "940GZZ": 500])
        #expect(Set(after.departures.map(\.line.name)) == Set(before.departures.map(\.line.name)))
        let old = after.departures.filter { $0.line.name == "Mildmay" }
        #expect(old == before.departures.filter { $0.line.name == "Mildmay" }, "as old as they are")
        #expect(after.badRows == before.badRows - 8 + 2)
    }

    @Test("cached rows leave when they expire; if all parts fail, the request still fails")
    func standInVoid() async throws {
        let (before, after) = try await failing(["mildmay": nil], at: "Mon, 02 Mar 2026 08:10:30 GMT")
        #expect(before.departures.count { $0.line.name == "Mildmay" } == 5)
        // Three of them expire at 08:04:30, 08:10:30 and 08:05:30.
        #expect(after.departures.count { $0.line.name == "Mildmay" } == 2)
        await #expect(throws: FeedError.self) { try await failing(["Arrival": nil]) }
    }

    @Test("a part with a permanent error loses its cached rows", arguments: [404, 410])
    func noStandIn(status: Int) async throws {
        let (_, after) = try await failing(["mildmay": status])
        #expect(!after.departures.contains { $0.line.name == "Mildmay" })
        #expect(after.badRows > 0)
    }

    @Test("the request fails if all parts fail, or if one fails for a reason that concerns all")
    func wholly() async throws {
        let unresponsive = try TfLFeed(Feeds.context(settings(), over: TfLTown.transport(["Arrival": nil])))
        let failed = await unresponsive.failure(of: hub)
        #expect(failed?.kind == .timedOut)
        #expect(failed?.requests == 8)
        let rateLimited = try TfLFeed(Feeds.context(settings(), over: TfLTown.transport(["940GZZ": 429])))
        #expect(await rateLimited.failure(of: hub)?.kind == .rateLimited(retryAfter: nil))
        let unknown = try TfLFeed(Feeds.context(settings(), over: TfLTown.transport(["HUBLRH": 404])))
        #expect(await unknown.failure(of: hub)?.kind == .unknownStop)
    }

    @Test("a cached interchange is used beyond its TTL if the fetch fails")
    func stale() async throws {
        let clock = VirtualClock()
        let transport = try TfLTown.transport()
        let feed = try TfLFeed(Feeds.context(settings(), over: transport, clock: clock))
        _ = try await feed.counted(hub)
        clock.go(to: .seconds(90_000))
        transport.fail(["/StopPoint/HUBLRH": 503])
        #expect(try await feed.counted(hub).departures.isEmpty == false)
    }

    @Test("recorded: TfL's own message for an unknown stop", .needsRecordings)
    func recordedError() async throws {
        guard let body = Recordings.read("tfl/error_404_stoppoint_not_recognised.json") else { return }
        let feed = try TfLFeed(Feeds.context(settings(), over: CannedTransport { _ in (404, body) }))
        let failure = try #require(await feed.failure(of: pole))
        #expect(failure.kind == .unknownStop)
        #expect(failure.detail.contains("check it in favourites.toml"))
        #expect(failure.detail.hasSuffix("The following stop point is not recognised: 1a2b3c4d"))
    }

    @Test("every failure states where, what was found, and what to do")
    func advice() async throws {
        func detail(_ status: Int, key: String?) async throws -> String {
            let feed = try TfLFeed(
                Feeds.context(settings(key: key), over: CannedTransport { _ in (status, Array("<html>".utf8)) }))
            return try #require(await feed.failure(of: pole)).detail
        }
        let place = "https://api.tfl.gov.uk/StopPoint/490099901X/Arrivals: "
        #expect(
            try await detail(403, key: "k3y").hasPrefix(
                place + "status 403, TFL_APP_KEY rejected: check it in keys.env and restart"))
        #expect(
            try await detail(401, key: nil).hasPrefix(
                place + "status 401, API key required: put TFL_APP_KEY (from api-portal"))
        #expect(try await detail(429, key: nil).contains("TFL_APP_KEY in keys.env allows ten times as many"))
        #expect(try await detail(429, key: "k3y").contains("poll less often"))
        let unreadable = try await detail(200, key: nil)
        #expect(unreadable.hasPrefix(place + "found HTML"), "\(unreadable)")
        #expect(unreadable.hasSuffix("check url in boardd.toml, [feed.tfl]"), "\(unreadable)")
    }

    @Test("a response that quotes the key without being an error does not leak it either")
    func quoted() async throws {
        let body = Array(#"{"message":"sorry, /Arrivals?app_key=k3y"}"#.utf8)
        let feed = try TfLFeed(Feeds.context(settings(key: "k3y"), over: CannedTransport { _ in (200, body) }))
        let failure = try #require(await feed.failure(of: pole))
        #expect(failure.kind == .unreadable)
        #expect(failure.detail.hasSuffix("[feed.tfl]; server message: sorry, /Arrivals?app_key=***"))
    }

    @Test(
        "a stop's times are in London's zone; without that zone there is no feed, and the failure names what to install"
    )
    func zone() async throws {
        let feed = try TfLFeed(Feeds.context(settings(), over: TfLTown.transport()))
        let london = try Feeds.london("Europe/London")
        #expect(try await feed.counted(pole).stop.zone == london)
        #expect(try await feed.counted(hub).stop.zone == london)
        let context = FeedContext(settings: settings(), transport: try TfLTown.transport(), clock: VirtualClock()) {
            name throws(FeedSettingError) in
            throw FeedSettingError(setting: "zone", detail: "no time zone \"\(name)\": apt install tzdata")
        }
        let known = try #require(FeedRegistry.feedOperator(TfLFeed.name))
        let error = #expect(throws: FeedSettingError.self) { try known.feed(context) }
        #expect(error?.description == "[feed.tfl] zone: no time zone \"Europe/London\": apt install tzdata")
    }

    @Test("the lines of a stop are those that its departures can have")
    func lines() async throws {
        let transport = try TfLTown.transport()
        let feed = try TfLFeed(Feeds.context(settings(), over: transport))
        func names(_ code: String) async throws -> [String] {
            try #require(try await feed.check(StopID(feed: TfLFeed.name, code: code)).lines).map(\.name)
        }
        #expect(try await names("490099901X") == ["73", "390"])
        #expect(try await names("910GLARCHH") == ["Elizabeth line", "Mildmay"], "no trains without predictions in TfL")
        #expect(Set(try await names("HUBLRH")).isSuperset(of: ["Elizabeth line", "Mildmay", "73", "390"]))
        #expect(transport.requested == ["/StopPoint/490099901X", "/StopPoint/910GLARCHH", "/StopPoint/HUBLRH"])
        #expect(try await feed.check(StopID(feed: TfLFeed.name, code: "HUBLRH")).name == "Larch Hill")
        let unknown = try TfLFeed(Feeds.context(settings(), over: TfLTown.transport(["/StopPoint/": 404])))
        let error = await #expect(throws: FeedError.self) { try await unknown.check(pole.stop) }
        #expect(error?.kind == .unknownStop)
    }

    @Test("the declaration has its settings, its key and the format of a stop's code")
    func declaration() throws {
        let declaration = TfLFeed.declaration
        #expect(declaration.secrets == ["TFL_APP_KEY"])
        #expect(declaration.settings.map(\.name) == ["url", "interval"])
        #expect(declaration.problem(aboutStop: "490008660N") == nil)
        #expect(["", "490 1", "490,491", "../x", "é", "HUB?"].allSatisfy { declaration.problem(aboutStop: $0) != nil })
    }

    @Test("the profile has the quota of the key and the interval of the settings; the registry makes the feed")
    func profile() throws {
        var settings = settings(key: "k3y")
        settings.set("interval", to: .duration(.seconds(60)))
        let known = try #require(FeedRegistry.feedOperator(FeedName("tfl")))
        let feed = try known.feed(Feeds.context(settings, over: CannedTransport { _ in nil }))
        #expect(feed.profile.quota == .init(requests: 500, per: .seconds(60)))
        #expect(feed.profile.interval == .seconds(60))
        #expect(feed.profile.attribution == "Powered by TfL Open Data")
        #expect(TfLFeed.profile(interval: .seconds(30), hasKey: false).quota.requests == 50)
        #expect(FeedRegistry.declarations.feeds.first?.name == TfLFeed.name)
        #expect(throws: FeedSettingError.self) {
            try known.feed(Feeds.context(self.settings("http://api.tfl.gov.uk"), over: CannedTransport { _ in nil }))
        }
    }
}
