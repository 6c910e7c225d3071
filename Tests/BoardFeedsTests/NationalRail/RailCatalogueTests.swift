import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("The list of stations", .endsHangs)
struct RailCatalogueTests {
    private static func ambridge() throws -> StopCheck {
        StopCheck(.departures, name: "Ambridge", lines: nil, zone: try Rail.zone())
    }

    private func stations(_ text: String) throws -> (stations: [ListedStop], page: StopPage) {
        try RailCatalogue.read(Array(text.utf8), from: "list.csv")
    }

    private func catalogue(_ source: String, _ transport: any HTTPTransport) throws -> RailCatalogue {
        let madeAt = try RailCatalogue(Feeds.context(Rail.settings([:], ["stations": source]), over: transport))
        return try #require(madeAt)
    }

    @Test("columns are found by their names in any order, with quotes, commas, a byte order mark, and any line ends")
    func columns() throws {
        let text =
            "\u{FEFF}CRS Code , lat,\"Station Name\"\r\npad,1,\"Paddington, London\"\r\n\r\nWAT,2, Waterloo \nX1,3,Bad\nSTP,4"
        let (stations, page) = try stations(text + "\nABC,5,\"The \"\"Arms\"\"\"")
        #expect(stations.map(\.id.code) == ["PAD", "WAT", "ABC"])
        #expect(stations.map(\.name) == ["Paddington, London", "Waterloo", "The \"Arms\""])
        #expect(page == StopPage(entries: 5, badRows: 2, total: 5))
    }

    @Test("a file that is not a list is described", arguments: ["", "<html>\n", "a,b\n1,2", "stationName\nPaddington"])
    func others(_ text: String) {
        let failure = #expect(throws: FeedError.self) { try stations(text) }
        #expect(failure?.kind == .unreadable)
        #expect(failure?.detail.contains("list.csv: found") == true)
        #expect(failure?.detail.contains("columns stationName and crsCode was expected") == true)
    }

    @Test("a list comes from a URL or a file, as one page")
    func pages() async throws {
        let text = Array("stationName,crsCode\nAmbridge,AMB\nWeir,WEI\n".utf8)
        let web = try catalogue("https://example.org/list.csv", CannedTransport { _ in (200, text) })
        let folder = try Fixtures.temporaryFolder()
        try RecordingFiles.write(text, to: folder + "/list.csv")
        let file = try catalogue(folder + "/list.csv", CannedTransport { _ in nil })
        for catalogue in [web, file] {
            let collector = StopCollector()
            #expect(try await catalogue.stops(page: 1, take: collector.take).entries == 2)
            #expect(collector.stops.map(\.id) == [.rail("AMB"), .rail("WEI")])
            #expect(try await catalogue.stops(page: 2, take: collector.take).entries == 0)
            #expect(try await catalogue.route(of: "GW") == nil)
            let full = await #expect(throws: FeedError.self) {
                try await catalogue.stops(page: 1, take: StopCollector(room: 1).take)
            }
            #expect(full?.kind == .cancelled)
        }
    }

    @Test("a missing list is reported with its name")
    func missing() async throws {
        let file = try catalogue("/nowhere/list.csv", CannedTransport { _ in nil })
        let failure = await #expect(throws: FeedError.self) { try await file.stops(page: 1) { _ in } }
        #expect(failure?.detail.contains("/nowhere/list.csv: cannot be read") == true)
        let web = try catalogue("https://example.org/list.csv", CannedTransport { _ in (404, []) })
        let notFound = await #expect(throws: FeedError.self) { try await web.stops(page: 1) { _ in } }
        #expect(notFound?.detail.contains("check stations in boardd.toml") == true)
    }

    @Test("the list is fetched every five minutes, however many stations are checked")
    func cachedCodes() async throws {
        let list = Array("stationName,crsCode\nAmbridge,AMB\nWeir,WEI\n".utf8)
        let board = try Fixtures.own("rail_board.json")
        let transport = CannedTransport { $0 == "/list.csv" ? (200, list) : (200, board) }
        let clock = VirtualClock()
        let settings = Rail.settings(Rail.marketplace, ["stations": "https://example.org/list.csv"])
        let feed = try NationalRailFeed(Feeds.context(settings, over: transport, clock: clock))
        for (seconds, count) in [(0, 1), (299, 1), (301, 2)] {
            clock.go(to: .seconds(seconds))
            for code in ["AMB", "WEI"] { _ = try await feed.check(.rail(code)) }
            await #expect(throws: FeedError.self) { try await feed.check(.rail("XXX")) }
            #expect(transport.requested.count { $0 == "/list.csv" } == count)
        }
    }

    @Test("a code that is not in the list is unknown without a request; without a list the board is requested")
    func unknown() async throws {
        let list = Array("stationName,crsCode\nAmbridge,AMB\n".utf8)
        let board = try Fixtures.own("rail_board.json")
        let transport = CannedTransport { $0 == "/list.csv" ? (200, list) : (200, board) }
        let feed = try Rail.feed(Rail.marketplace, over: transport, ["stations": "https://example.org/list.csv"])
        let failure = await #expect(throws: FeedError.self) { try await feed.check(.rail("XXX")) }
        #expect(failure?.kind == .unknownStop)
        #expect(failure?.detail.contains("no station has the code XXX") == true)
        #expect(transport.requested == ["/list.csv"])
        #expect(try await feed.check(.rail("AMB")) == Self.ambridge())
        let blind = try Rail.feed(Rail.marketplace, over: transport)
        #expect(try await blind.check(.rail("XXX")) == Self.ambridge())
        #expect(transport.requested.last?.contains("GetDepartureBoard/XXX?numRows=1&") == true)
    }
}
