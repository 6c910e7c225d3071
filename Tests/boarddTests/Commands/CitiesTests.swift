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
        _ id: String, _ provider: String, of town: String = "Town", in country: String = "XX", timetable: String,
        mirror: String = "xx-vale", key: String = "\t\t", quality: String = "stable", names: String = "",
        title: String = "", recommended: String = "", people: Int = 10, date: String = "", realtime: [String] = []
    ) -> String {
        "\(id)\t\(country)\tVale\t\(town)\t\(provider)\t\t\(timetable)\t\(mirror)\t\(key)\t\t50.9,-0.1,51.1,0.1"
            + "\t\(quality)\t\(names)\t\(title)\t\t\(recommended)\t\(people)\t\(date)\n"
            + realtime.map { "\t\($0)\n" }.joined()
    }

    @Test("every city has a name of its own, and a table that the loader and the feed accept")
    func everyCity() throws {
        let cities = try list().cities
        #expect(cities.count > 2_700)
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
        #expect(
            try list.search("https://www.openstreetmap.org/#map=17/42.3564/-71.0624").contains { $0.name == "mbta" })
        #expect(throws: ServiceError.self) { try list.city("atlantis") }
        let failure = try #require(throws: ServiceError.self) { try list.city("boston") }
        #expect(failure.candidates.contains { $0.id == "mbta" })
    }

    @Test(
        "a town is found by each of its names, with and without accents and with two letters for one",
        arguments: ["München", "munchen", "MUENCHEN", "Munich"])
    func spellings(name: String) throws {
        let found = try list().search(name)
        #expect(
            found.first?.id == "3215" && found.prefix(4).contains { $0.title == "MVV" }, "\(found.prefix(4).map(\.id))")
    }

    @Test(
        "the feed that most of a town's feeds recommend is first, of the larger town before the smaller one's; copies are last"
    )
    func order() throws {
        let text =
            Self.city(
                "1", "Old Lines", of: "Lyon", timetable: "https://a.example/1", quality: "frozen", recommended: "4")
            + Self.city("2", "Coaches", of: "Lyon", timetable: "https://a.example/2", recommended: "4", people: 500)
            + Self.city(
                "3", "Lyon Trams", of: "Lyon", in: "US", timetable: "https://a.example/3", quality: "transitous",
                recommended: "=", people: 9, realtime: ["tu\thttps://a.example/t\t\t\t"])
            + Self.city(
                "4", "Metro", of: "Rhône", timetable: "https://a.example/4", names: "Lyon|Lyons", recommended: "=")
            + Self.city("5", "Lyonnais", of: "Elsewhere", timetable: "https://a.example/5", quality: "transitous")
            + Self.city("6", "Night Bus", of: "Lyon", timetable: "https://a.example/6", names: "", recommended: "4")
        let list = try CityList(text, file: "cities.tsv")
        #expect(list.matching("lyon").map(\.id) == ["4", "3", "2", "6", "1", "5"])
        #expect(list.matching("lyons").map(\.id) == ["4"])
    }

    @Test("a town that only feeds of its country name has the most reliable of these")
    func wholeCountry() throws {
        let text =
            Self.city(
                "1", "Old Country", of: "", timetable: "https://a.example/1", quality: "dated", names: "Hof",
                recommended: "*", people: 1_000, date: "2026-05")
            + Self.city(
                "2", "Country", of: "", timetable: "https://a.example/2", names: "Hof", recommended: "*", people: 1_000)
        #expect(try CityList(text, file: "cities.tsv").matching("hof").map(\.id) == ["2", "1"])
    }

    @Test(
        "an old copy is said with its date",
        arguments: [
            ("frozen", "2022-04-15", "a copy of 15 Apr 2022"), ("dated", "2025-12", "a copy of Dec 2025"),
            ("dated", "2026", "a copy of 2026"), ("dated", "", "may have ended"),
            ("frozen", "", "a copy that does not change"), ("stable", "", ""), ("transitous", "", ""),
        ])
    func caution(quality: String, date: String, words: String) throws {
        let text = Self.city("1", "Lines", timetable: "https://a.example/1", quality: quality, date: date)
        let city = try #require(try CityList(text, file: "cities.tsv").cities.first)
        #expect(city.caution == words)
        #expect(city.features == words)
        #expect(CityTable(city, named: "lines", isMirrored: false).remarks.isEmpty == words.isEmpty)
    }

    @Test("search shows the realtime kinds, and Transitous before the timetable of a whole country, with its size")
    func searchOutput() async throws {
        let share = try share(
            Self.city(
                "1", "National Rail and Bus (NRB)", of: "", timetable: "https://a.example/1", names: "Aaburg",
                recommended: "*", people: 1_000)
                + Self.city(
                    "2", "Aaburg Trams", of: "Aaburg", timetable: "https://a.example/2", quality: "frozen", title: "AT",
                    recommended: "1", date: "2022-04-15",
                    realtime: [
                        "sa+tu\thttps://a.example/t\t\t\t", "siri\thttps://a.example/s\t\t\t",
                        "vp\thttps://a.example/v\t3\t\thttps://get",
                    ]))
        let found = try await boarddTests.run("cities", "search", "aaburg", environment: ["BOARDD_SHARE": share.path])
        #expect(found.status == 0)
        #expect(found.errors.contains("first try Transitous"), "\(found.errors)")
        let lines = found.output.split(separator: "\n")
        #expect(lines.first?.hasSuffix("whole country, up to 250 MB") == true, "\(found.output)")
        #expect(lines.last?.hasSuffix("realtime (tu, sa), a copy of 15 Apr 2022") == true, "\(found.output)")

        let added = try await boarddTests.run("cities", "show", "at", environment: ["BOARDD_SHARE": share.path])
        #expect(added.output.contains("title = \"AT\"") && added.output.contains("https://a.example/t"))
        for word in ["realtime vp is left out: the operator gives access", "realtime siri is left out", "15 Apr 2022"] {
            #expect(added.output.contains(word), "\(added.output)")
        }
        #expect(!added.output.contains("https://a.example/s\"") && !added.output.contains("https://a.example/v\""))
    }

    @Test(
        "without a copy at the catalogue the timetable is the operator's, with its key and without realtime of another")
    func noMirror() throws {
        let text = Self.city(
            "1", "Key Lines", timetable: "https://zip.example.org/a.zip", mirror: "", key: "2\tX-Zip\thttps://zip",
            realtime: ["tu\thttps://rt.example.org/t\t\t\t"])
        let city = try #require(try CityList(text, file: "cities.tsv").cities.first)
        for isMirrored in [false, true] {
            let table = CityTable(city, named: "key", isMirrored: isMirrored)
            #expect(table.text.contains("\ntimetable = \"https://zip.example.org/a.zip\"\n"))
            #expect(table.remarks.count == (isMirrored ? 2 : 1), "\(table.remarks)")
        }
        let table = CityTable(city, named: "key", isMirrored: false)
        #expect(table.text.contains("\nkey_header = \"X-Zip\"\n") && !table.text.contains("rt.example.org/t\""))
        #expect(table.keySource == "https://zip")
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
                "realtime = [", "    \"https://cdn.mbta.com/realtime/VehiclePositions.pb\",   # vp",
                "    \"https://cdn.mbta.com/realtime/Alerts.pb\",   # sa",
                "    \"https://cdn.mbta.com/realtime/TripUpdates.pb\",   # tu", "]",
            ])
    }

    @Test("an operator without https has the timetable of the mirror, and realtime with a remark if it needs no key")
    func plain() throws {
        let share = try share(
            Self.city(
                "7", "Town (TT)", timetable: "http://example.org/a.zip",
                realtime: ["tu\thttp://example.org/t\t\t\t", "sa\thttps://key.example.org/a\t2\tX-Key\thttps://get"]))
        let city = try CityList(path: "\(share.path)/cities.tsv").city("tt")
        let mirror = try #require(city.mirror)
        let table = CityTable(city, named: "tt", isMirrored: false)
        #expect(table.text.contains("\ntimetable = \"\(mirror)\"\n"))
        #expect(mirror.hasSuffix("/o/xx-vale-gtfs-7.zip?alt=media"))
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
        let mirror = try #require(city.mirror)
        let table = CityTable(city, named: "key", isMirrored: false)
        #expect(table.keyName == "GTFS_KEY_KEY")
        #expect(table.keySource == "https://get")
        #expect(table.text.contains("\nkey_parameter = \"api_key\"\n"))
        // Its own host needs another key.
        #expect(table.text.contains("\ntimetable = \"\(mirror)\"\n"))
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
        func run(_ words: String...) async throws -> Program.Result {
            try await Program.run(words, environment: board.environment.merging(["BOARDD_SHARE": share.path]) { $1 })
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
        let share = try share(Self.city("9", "Town Trams", timetable: gtfs.server.url("/gtfs.zip"), title: "TOWN"))
        let added = try await boarddTests.run(
            "cities", "add", "town", "--config", "\(folder.path)/boardd.toml", environment: ["BOARDD_SHARE": share.path]
        )
        #expect(added.status == 1 && added.errors.contains("--as NAME"), "\(added.errors)")
        #expect(folder.read("feeds.d/town.toml").isEmpty)
    }

    @Test("an added city replaces neither a file of the user's nor another city, and itself when it is added again")
    func keepsFiles() async throws {
        let folder = try TemporaryFolder(["boardd.toml": ""])
        try FileManager.default.createDirectory(atPath: "\(folder.path)/feeds.d", withIntermediateDirectories: false)
        try folder.write("# mine\n", to: "feeds.d/mine.toml")
        let share = try share(
            Self.city("9", "Town Trams", timetable: "https://a.example/gtfs.zip", title: "TOWN")
                + Self.city("10", "Other Trams", timetable: "https://b.example/gtfs.zip", title: "OTHER"))
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
