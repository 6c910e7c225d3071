import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("LA Metro's stops and lines", .endsHangs)
struct LAMetroCatalogueTests {
    private func catalogue(_ transport: CannedTransport) throws -> any StopCatalogue {
        try #require(try LAMetroCatalogue.configured(Boulevard.context(over: transport)))
    }

    @Test("each stop comes once, with all its lines; layovers do not")
    func stops() async throws {
        let basket = StopBasket()
        let catalogue = try catalogue(Boulevard.transport())
        let page = try await catalogue.stops(page: 1, take: basket.take)
        #expect(page == StopPage(entries: 8, badRows: 0, total: 8))
        #expect(try await catalogue.stops(page: 2, take: basket.take).entries == 0)
        #expect(
            basket.stops.map { "\($0.id) \($0.kind) \($0.lines.map(\.line.name))" } == [
                #"lametro:001 pole ["7"]"#, #"lametro:002 pole ["7", "10/48"]"#, #"lametro:003 pole ["7"]"#,
                #"lametro:004 pole ["7"]"#, #"lametro:005 pole ["7"]"#, #"lametro:009 pole ["10/48"]"#,
                #"lametro:rail/80101 station ["Metro Blue Line"]"#,
                #"lametro:rail/80102 station ["Metro Blue Line"]"#,
            ])
        #expect(basket.stops.first?.coordinates == Coordinates(latitude: 34.01, longitude: -118.2))
        #expect(basket.stops.first?.modes == ["bus"])
    }

    @Test("a route whose stops cannot be had is one bad row, and an outage is a failure")
    func failures() async throws {
        let basket = StopBasket()
        let one = try catalogue(Boulevard.transport(["/agencies/lametro/routes/10/sequence/": (500, "")]))
        #expect(try await one.stops(page: 1, take: basket.take) == StopPage(entries: 7, badRows: 1, total: 7))
        let page = try catalogue(
            Boulevard.transport(["/agencies/lametro/routes/10/sequence/": (200, "<html>sorry</html>")]))
        #expect(try await page.stops(page: 1, take: StopBasket().take) == StopPage(entries: 7, badRows: 1, total: 7))
        let throttled = try catalogue(Boulevard.transport(["/agencies/lametro/routes/10/sequence/": (429, "")]))
        let failure = await #expect(throws: FeedFailure.self) { try await throttled.stops(page: 1) { _ in } }
        #expect(failure?.kind == .throttled(retryAfter: nil))
        let other = try catalogue(Boulevard.transport(["/agencies/": (200, #"[{"id":"elsewhere"}]"#)]))
        let nobody = await #expect(throws: FeedFailure.self) { try await other.stops(page: 1) { _ in } }
        #expect(nobody?.detail.contains("neither of LA Metro's agencies") == true)
    }

    @Test("one who takes no more ends the list")
    func full() async throws {
        let basket = StopBasket(room: 3)
        let catalogue = try catalogue(Boulevard.transport())
        let failure = await #expect(throws: FeedFailure.self) { try await catalogue.stops(page: 1, take: basket.take) }
        #expect(failure?.kind == .cancelled)
    }

    @Test("a line's runs are laid over each other in each direction, but those that riders are not told of")
    func route() async throws {
        let catalogue = try catalogue(Boulevard.transport())
        let route = try #require(try await catalogue.route(of: "7"))
        #expect(route.line == Line(id: "7", name: "7") && route.mode == "bus")
        #expect(route.directions.map(\.name) == ["East", "West"])
        #expect(
            route.directions.map { $0.branches.map { "\($0.stops.map(\.id.code)) \($0.next)" } } == [
                [#"["001", "002", "003"] [1, 2]"#, #"["003", "004"] []"#, #"["003", "005"] []"#],
                [#"["004", "003", "002", "001"] []"#],
            ])
        #expect(try await catalogue.route(of: "nowhere") == nil)
    }

    @Test("at most 64 lines of a stop are listed")
    func manyLines() async throws {
        let transport = CannedTransport { path in
            switch path.split(separator: "/").last {
            case "agencies": (200, Array(#"[{"id":"lametro"}]"#.utf8))
            case "routes": (200, Flood.body("{\"items\":[", 70, "]}") { "{\"id\":\"\($0)\"}" })
            default: (200, Array(#"{"items":[{"id":"001","display_name":"Main"}]}"#.utf8))
            }
        }
        let basket = StopBasket()
        _ = try await catalogue(transport).stops(page: 1, take: basket.take)
        #expect(basket.stops.map(\.lines.count) == [64])
    }

    @Test("hidden runs do not count towards the limit of runs")
    func hiddenRuns() async throws {
        let hidden = (0...ResponseLimits.lookups).map { #"{"id":"x\#($0)","display_in_ui":false},"# }.joined()
        let runs = #"{"items":[\#(hidden){"id":"7_1_0","direction_name":"East","display_name":"East to Hills"}]}"#
        let catalogue = try catalogue(Boulevard.transport(["/agencies/lametro/routes/7/runs/": (200, runs)]))
        #expect(try await catalogue.route(of: "7")?.directions.map(\.name) == ["East"])
    }
}
