import BoardCore
import BoardFeeds
import BoardService
import BoardStore
import FoundationEssentials
import LoopbackServer
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("The list of cities", .endsHangs)
struct CitiesTests {
    /// The list as it is shipped.
    private func list() throws -> CityList { try CityList(path: "\(Checkout.path)/etc/cities.tsv") }

    /// A list with these lines, in a folder for BOARDD_SHARE.
    private func share(_ lines: String) throws -> TemporaryFolder { try TemporaryFolder(["cities.tsv": lines]) }

    private static func city(
        _ id: String, _ provider: String, timetable: String, key: String = "\t\t", realtime: [String] = []
    ) -> String {
        "\(id)\tXX\tVale\tTown\t\(provider)\t\t\(timetable)\txx-vale\t\(key)\t\t50.9,-0.1,51.1,0.1\n"
            + realtime.map { "\t\($0)\n" }.joined()
    }

    @Test("every city has a name of its own, and a table that the loader and the feed accept")
    func everyCity() throws {
        let cities = try list().cities
        #expect(cities.count > 1_500)
        #expect(Set(cities.map(\.name)).count == cities.count)
        let folder = try TemporaryFolder(["boardd.toml": ""])
        try FileManager.default.createDirectory(atPath: "\(folder.path)/feeds.d", withIntermediateDirectories: true)
        for city in cities {
            try folder.write(CityTable(city, named: city.name, isMirrored: false).text, to: "feeds.d/\(city.name).toml")
        }
        let loader = ConfigurationLoader(
            declarations: FeedRegistry.declarations, checkSettings: { FeedFactory.failure(of: $0, $1) })
        let loaded = try loader.load(.directory(folder.path), environment: [:])
        for city in cities {
            let settings = try #require(loaded.feeds[FeedName("gtfs.\(city.name)")])
            let timetable = try #require(settings.text("timetable"))
            #expect(timetable.hasPrefix("https://"), "\(city.name)")
            #expect(SourceAddress(timetable)?.hasKey == false, "\(city.name)")
            let hasKey = settings.text("key_header") != "" || settings.text("key_parameter") != ""
            // No key leaves this machine without encryption.
            for address in settings.texts("realtime") where hasKey { #expect(address.hasPrefix("https://")) }
        }
    }

    @Test("a feed is found by its name, its number, its place and a position in it")
    func search() throws {
        let list = try list()
        #expect(try list.city("mbta").provider == "Massachusetts Bay Transportation Authority (MBTA)")
        #expect(try list.city("437").name == "mbta")
        #expect(try list.search("Boston").first?.name == "mbta")
        #expect(try list.search("42.3564,-71.0624").contains { $0.name == "mbta" })
        #expect(try list.search("boston").allSatisfy { !$0.place.isEmpty })
        #expect(throws: ServiceError.self) { try list.city("atlantis") }
        let failure = try #require(throws: ServiceError.self) { try list.city("boston") }
        #expect(failure.candidates.contains { $0.id == "mbta" })
    }

    @Test("Boston's table has the operator's own addresses, and no key")
    func boston() throws {
        let table = CityTable(try list().city("mbta"), named: "mbta", isMirrored: false)
        #expect(table.keyName == nil)
        #expect(table.remarks.isEmpty)
        let keys = table.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            keys == [
                "[feed.gtfs.mbta]", "title = \"MBTA\"", "timetable = \"https://cdn.mbta.com/MBTA_GTFS.zip\"",
                "realtime = [", "    \"https://cdn.mbta.com/realtime/Alerts.pb\",   # sa",
                "    \"https://cdn.mbta.com/realtime/TripUpdates.pb\",   # tu",
                "    \"https://cdn.mbta.com/realtime/VehiclePositions.pb\",   # vp", "]",
            ])
    }

    @Test("an operator without https has the timetable of the mirror, and realtime with a remark if it needs no key")
    func plain() throws {
        let share = try share(
            Self.city(
                "7", "Town (TT)", timetable: "http://example.org/a.zip",
                realtime: ["tu\thttp://example.org/t\t\t\t", "sa\thttps://key.example.org/a\t2\tX-Key\thttps://get"]))
        let city = try CityList(path: "\(share.path)/cities.tsv").city("tt")
        let table = CityTable(city, named: "tt", isMirrored: false)
        #expect(table.text.contains("\ntimetable = \"\(city.mirror)\"\n"))
        #expect(city.mirror.hasSuffix("/o/xx-vale-gtfs-7.zip?alt=media"))
        #expect(table.text.contains("\n    \"http://example.org/t\",   # tu\n"))
        #expect(!table.text.contains("key.example.org/a"))
        #expect(table.remarks.count == 3, "\(table.remarks)")
        #expect(table.keyName == nil)
    }

    @Test("a key is written where it goes, with its source, and is sent to no other host")
    func key() throws {
        let share = try share(
            Self.city(
                "8", "Key Lines", timetable: "https://zip.example.org/a.zip", key: "2\tX-Zip\thttps://zip",
                realtime: [
                    "tu\thttps://rt.example.org/t\t1\tapi_key\thttps://get", "vp\thttps://rt.example.org/v\t\t\t",
                    "sa\thttps://other.example.org/s\t\t\t", "sa\thttp://rt.example.org/p\t1\tapi_key\thttps://get",
                ]))
        let city = try CityList(path: "\(share.path)/cities.tsv").city("8")
        let table = CityTable(city, named: "key", isMirrored: false)
        #expect(table.keyName == "GTFS_KEY_KEY")
        #expect(table.keySource == "https://get")
        #expect(table.text.contains("\nkey_parameter = \"api_key\"\n"))
        // Its own host needs another key.
        #expect(table.text.contains("\ntimetable = \"\(city.mirror)\"\n"))
        for word in ["rt.example.org/t", "rt.example.org/v"] { #expect(table.text.contains(word)) }
        for word in ["other.example.org/s", "rt.example.org/p"] { #expect(!table.text.contains(word)) }
    }

    @Test("an added city is searched at once, and is removed only without favourites and if it was added")
    func addAndRemove() async throws {
        let gtfs = try GTFSServer.trams()
        let share = try share(
            Self.city(
                "9", "Town Trams (TRAMS)", timetable: gtfs.server.url("/gtfs.zip"),
                realtime: ["tu\t\(gtfs.server.url("/trips"))\t\t\t"]
            ))
        let board = try InstalledBoard()
        func run(_ words: String...) async throws -> (status: Int32?, output: String, errors: String) {
            let program = try Program(
                words, environment: board.environment.merging(["BOARDD_SHARE": share.path]) { $1 })
            let status = await program.end()
            return (status, program.output, program.errors)
        }
        let added = try await run("cities", "add", "town", "--as", "town")
        #expect(added.status == 0, "\(added.errors)")
        #expect(added.output.contains("gtfs.town"))
        #expect(try await run("check").status == 0)

        let found = try await run("stops", "search", "park")
        #expect(found.output.contains("gtfs.town:P"), "\(found.output)\(found.errors)")
        #expect(found.errors.contains("gtfs.town: downloading the list of stops"))
        let again = try await run("stops", "search", "park")
        #expect(!again.errors.contains("downloading"))

        #expect(try await run("favourites", "add", "gtfs.town:P").status == 0)
        let used = try await run("cities", "remove", "town")
        #expect(used.status == 1 && used.errors.contains("gtfs.town:P"), "\(used.errors)")
        #expect(try await run("favourites", "remove", "gtfs.town:P").status == 0)
        #expect(try await run("cities", "remove", "gtfs.town").status == 0)
        #expect(try await run("check").status == 0)
        #expect(try await run("cities", "remove", "town").status == 1)
    }

    @Test("a city whose zip is dead is reported with what to do, and the search continues")
    func deadZip() async throws {
        let gtfs = try GTFSServer.trams()
        gtfs.files.withLock { $0.archiveSteps = [.reply(404, text: "gone")] }
        let board = try InstalledBoard()
        try board.makeDirectory()
        try board.folder.write(gtfs.config()["boardd.toml"] ?? "", to: "etc/boardd.toml")
        let found = try await board.run("stops", "search", "high street")
        #expect(found.status == 0)
        #expect(found.output.contains("tfl:490000001A"))
        #expect(found.errors.contains("remark: gtfs.town is not searched"), "\(found.errors)")
        #expect(found.errors.contains("sudo boardd stops update gtfs.town"))
    }

    @Test("an added city needs another name where its name is in use")
    func conflict() async throws {
        let gtfs = try GTFSServer.trams()
        let folder = try TemporaryFolder(gtfs.config())
        let share = try share(Self.city("9", "Town Trams (TOWN)", timetable: gtfs.server.url("/gtfs.zip")))
        let added = try await boarddTests.run(
            "cities", "add", "town", "--config", "\(folder.path)/boardd.toml", environment: ["BOARDD_SHARE": share.path]
        )
        #expect(added.status == 1 && added.errors.contains("--as NAME"), "\(added.errors)")
        #expect(folder.read("feeds.d/town.toml").isEmpty)
    }

    @Test("an added city replaces neither a file of the user's nor another city, and itself when it is added again")
    func keepsFiles() async throws {
        let folder = try TemporaryFolder(["boardd.toml": ""])
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/feeds.d", withIntermediateDirectories: false)
        try folder.write("# mine\n", to: "feeds.d/mine.toml")
        let share = try share(
            Self.city("9", "Town Trams (TOWN)", timetable: "https://a.example/gtfs.zip")
                + Self.city("10", "Other Trams (OTHER)", timetable: "https://b.example/gtfs.zip"))
        func add(_ arguments: String...) async throws -> Int32? {
            let words = ["cities", "add"] + arguments + ["--config", "\(folder.path)/boardd.toml"]
            return try await Program(words, environment: ["BOARDD_SHARE": share.path]).end()
        }
        #expect(try await add("town", "--as", "mine") == 1)
        #expect(folder.read("feeds.d/mine.toml") == "# mine\n")
        #expect(try await add("town") == 0)
        let written = folder.read("feeds.d/town.toml")
        #expect(try await add("other", "--as", "town") == 1)
        #expect(folder.read("feeds.d/town.toml") == written)
        #expect(try await add("town") == 0)
    }
}
