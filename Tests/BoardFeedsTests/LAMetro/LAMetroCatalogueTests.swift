import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("LA Metro's stops and lines", .endsHangs)
struct LAMetroCatalogueTests {
    private func catalogue(_ transport: CannedTransport) throws -> any StopCatalogue {
        try #require(try LAMetroCatalogue(LAMetroFixture.context(over: transport)))
    }

    @Test("each stop is listed once, with all its lines; layovers are not")
    func stops() async throws {
        let collector = StopCollector()
        let catalogue = try catalogue(LAMetroFixture.transport())
        let page = try await catalogue.stops(page: 1, take: collector.take)
        #expect(page == StopPage(entries: 8, badRows: 0, total: 8))
        #expect(try await catalogue.stops(page: 2, take: collector.take).entries == 0)
        #expect(
            collector.stops.map { "\($0.id) \($0.kind) \($0.lines.map(\.line.name))" } == [
                #"lametro:001 pole ["7"]"#, #"lametro:002 pole ["7", "10/48"]"#, #"lametro:003 pole ["7"]"#,
                #"lametro:004 pole ["7"]"#, #"lametro:005 pole ["7"]"#, #"lametro:009 pole ["10/48"]"#,
                #"lametro:rail/80101 station ["Metro Blue Line"]"#, #"lametro:rail/80102 station ["Metro Blue Line"]"#,
            ])
        #expect(collector.stops.first?.coordinates == Coordinates(latitude: 34.01, longitude: -118.2))
        #expect(collector.stops.first?.modes == ["bus"])
    }

    @Test("a route whose stops cannot be fetched is one bad row, and a server error is a failure")
    func failures() async throws {
        let collector = StopCollector()
        let one = try catalogue(LAMetroFixture.transport(["/agencies/lametro/routes/10/sequence/": (500, "")]))
        #expect(try await one.stops(page: 1, take: collector.take) == StopPage(entries: 7, badRows: 1, total: 7))
        let page = try catalogue(
            LAMetroFixture.transport(["/agencies/lametro/routes/10/sequence/": (200, "<html>sorry</html>")]))
        #expect(try await page.stops(page: 1, take: StopCollector().take) == StopPage(entries: 7, badRows: 1, total: 7))
        let rateLimited = try catalogue(LAMetroFixture.transport(["/agencies/lametro/routes/10/sequence/": (429, "")]))
        let failure = await #expect(throws: FeedError.self) { try await rateLimited.stops(page: 1) { _ in } }
        #expect(failure?.kind == .rateLimited(retryAfter: nil))
        let other = try catalogue(LAMetroFixture.transport(["/agencies/": (200, #"[{"id":"elsewhere"}]"#)]))
        let noAgency = await #expect(throws: FeedError.self) { try await other.stops(page: 1) { _ in } }
        #expect(noAgency?.detail.contains("lists neither agency") == true)
    }

    @Test("a line's runs are merged in each direction, except those hidden from riders")
    func route() async throws {
        let catalogue = try catalogue(LAMetroFixture.transport())
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
            case "routes": (200, ManyRows.body("{\"items\":[", 70, "]}") { "{\"id\":\"\($0)\"}" })
            default: (200, Array(#"{"items":[{"id":"001","display_name":"Main"}]}"#.utf8))
            }
        }
        let collector = StopCollector()
        _ = try await catalogue(transport).stops(page: 1, take: collector.take)
        #expect(collector.stops.map(\.lines.count) == [64])
    }

    @Test("hidden runs do not count towards the limit of runs")
    func hiddenRuns() async throws {
        let hidden = (0...ResponseLimits.lookups).map { #"{"id":"x\#($0)","display_in_ui":false},"# }.joined()
        let runs = #"{"items":[\#(hidden){"id":"7_1_0","direction_name":"East","display_name":"East to Hills"}]}"#
        let catalogue = try catalogue(LAMetroFixture.transport(["/agencies/lametro/routes/7/runs/": (200, runs)]))
        #expect(try await catalogue.route(of: "7")?.directions.map(\.name) == ["East"])
    }
}
