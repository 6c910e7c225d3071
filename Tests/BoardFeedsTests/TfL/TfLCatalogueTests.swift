import BoardCore
import LoopbackServer
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("TfL's stop catalogue, from request to response", .endsHangs)
struct TfLCatalogueTests {
    private static let list = "/StopPoint/Mode/tube,dlr,elizabeth-line,overground,tram,bus,river-bus,cable-car"

    private func catalogue(
        over transport: any HTTPTransport, url: String = "https://api.tfl.gov.uk", key: String? = nil
    ) throws -> any StopCatalogue {
        var settings = FeedSettings(defaultsOf: TfLFeed.declaration)
        settings.set("url", to: .text(url))
        settings.setSecret("TFL_APP_KEY", to: key.map { Secret($0) })
        let known = try #require(FeedRegistry.feedOperator(TfLFeed.name))
        return try #require(try known.catalogue(Feeds.context(settings, over: transport)))
    }

    private func pole(_ number: Int) -> String {
        #"""
        {"naptanId":"490\#(number)N","stopType":"NaptanPublicBusCoachTram","commonName":"Stop \#(number)",
        "modes":["bus"],"lines":[{"id":"73","name":"73"}],"lat":51.5,"lon":-0.1}
        """#
    }

    private func page(_ entries: [String], total: Int = 3, page: Int = 1) -> [UInt8] {
        Array(
            #"{"stopPoints":[\#(entries.joined(separator: ","))],"pageSize":2,"total":\#(total),"page":\#(page)}"#.utf8)
    }

    private func failure(_ status: Int, _ text: String, key: String? = nil) async throws -> FeedError? {
        let transport = CannedTransport { _ in (status, Array(text.utf8)) }
        let catalogue = try catalogue(over: transport, key: key)
        return await #expect(throws: FeedError.self) { _ = try await catalogue.stops(page: 1) { _ in } }
    }

    @Test(
        "the list is fetched page by page until one is empty, over a real connection, with the key only in the request")
    func pages() async throws {
        let bodies = [
            "?page=1&": page([pole(1), pole(2)]), "?page=2&": page([pole(3), "17"], page: 2),
            "?page=3&": page([], page: 3),
        ]
        let server = try LoopbackServer { head in
            bodies.first { head.contains($0.key) }.map { [.reply(body: $0.value)] } ?? [.reply(404)]
        }
        defer { server.stop() }
        let catalogue = try catalogue(
            over: CurlTransport(userAgent: "test", clock: VirtualClock()), url: server.url(), key: "s3cret")
        let collector = StopCollector()
        var responses: [StopPage] = []
        repeat {
            responses.append(try await catalogue.stops(page: responses.count + 1, take: collector.take))
        } while responses.last?.entries != 0 && responses.count < 9
        #expect(
            responses == [
                StopPage(entries: 2, total: 3), StopPage(entries: 2, badRows: 1, total: 3),
                StopPage(entries: 0, total: 3),
            ])
        #expect(collector.stops.map(\.name) == ["Stop 1", "Stop 2", "Stop 3"])
        #expect(server.record.requests.first?.hasPrefix("GET \(Self.list)?page=1&app_key=s3cret HTTP") == true)
        #expect(server.record.connections == 1)
    }

    @Test(
        "a response that is not a list is unreadable and is described",
        arguments: [
            ("<html><body>Login</body></html>", "HTML"), ("", "empty"), ("{\"stopPoints\":[{}", "truncated"),
            ("{\"message\":\"Maintenance\"}", "server message: Maintenance"), ("{\"stopPoints\":[]} x", "malformed"),
            ("{\"stopPoints\":[{}]", "truncated"), ("{\"stopPoints\":null}", "unexpected structure"),
        ])
    func unreadable(text: String, message: String) async throws {
        let failure = try await failure(200, text)
        #expect(failure?.kind == .unreadable)
        #expect(failure?.detail.contains(message) == true, "\(failure?.detail ?? "")")
    }

    @Test("a page has at most 12 MB and 800,000 values")
    func limits() async throws {
        let pages = [700_000, 900_000].map { values in
            page([pole(1), "{\"a\":[" + String(repeating: "1,", count: values) + "1]}"])
        }
        let transport = CannedTransport { path in (200, pages[path.contains("page=1") ? 0 : 1]) }
        let catalogue = try catalogue(over: transport)
        #expect(try await catalogue.stops(page: 1) { _ in }.entries == 2)
        let failure = await #expect(throws: FeedError.self) { try await catalogue.stops(page: 2) { _ in } }
        #expect(failure?.detail.contains("more than 800000 values") == true, "\(failure?.detail ?? "")")
        #expect(transport.requests.map(\.limit) == [12_000_000, 12_000_000])
    }

    @Test("a list that repeats for every page ends with the first one")
    func whole() async throws {
        let body = page([pole(1), pole(2), pole(3)])
        let catalogue = try catalogue(over: CannedTransport { _ in (200, body) })
        #expect(try await catalogue.stops(page: 1) { _ in }.entries == 3)
        #expect(try await catalogue.stops(page: 2) { _ in }.entries == 0)
    }

    @Test(
        "a route takes one request for both directions, by the line's identifier in any case; an unknown line has none")
    func routes() async throws {
        let transport = CannedTransport { path in
            path.hasPrefix("/Line/n73/")
                ? (200, Array(#"{"lineId":"n73","lineName":"N73","mode":"bus","stopPointSequences":[]}"#.utf8))
                : (404, Array(#"{"message":"The following line id is not recognised: x"}"#.utf8))
        }
        let catalogue = try catalogue(over: transport)
        #expect(
            try await catalogue.route(of: "N73")
                == LineRoute(line: Line(id: "n73", name: "N73"), mode: "bus", colour: "DC241F", directions: []))
        #expect(try await catalogue.route(of: "unknown") == nil)
        #expect(try await catalogue.route(of: "") == nil)
        #expect(
            transport.requested == [
                "/Line/n73/Route/Sequence/all?serviceTypes=Regular,Night&excludeCrowding=true",
                "/Line/unknown/Route/Sequence/all?serviceTypes=Regular,Night&excludeCrowding=true",
            ])
        let broken = try self.catalogue(over: CannedTransport { _ in (500, []) })
        let error = await #expect(throws: FeedError.self) { try await broken.route(of: "73") }
        #expect(error?.kind == .status(500))
    }

    @Test("a recording with a list replays it")
    func replay() async throws {
        let folder = try Fixtures.temporaryFolder()
        let body = page([pole(1), pole(2)])
        let canned = CannedTransport { _ in (200, body) }
        let recording = try RecordingTransport(wrapping: canned, directory: folder)
        _ = try await catalogue(over: recording, key: "s3cret").stops(page: 1) { _ in }
        let clock = VirtualClock()
        let replay = try ReplayTransport(directory: folder, clock: clock)
        let collector = StopCollector()
        let response = try await catalogue(over: replay).stops(page: 1, take: collector.take)
        #expect(response == StopPage(entries: 2, total: 3))
        #expect(collector.stops.count == 2)
        let full = StopCollector(room: 1)
        let error = await #expect(throws: FeedError.self) {
            try await catalogue(over: replay).stops(page: 1, take: full.take)
        }
        #expect(error?.kind == .cancelled)
    }
}
