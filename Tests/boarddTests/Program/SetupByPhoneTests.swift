import BoardControl
import BoardCore
import BoardDisplays
import BoardService
import BoardStore
import FoundationEssentials
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("Set-up by phone", .endsHangs)
struct SetupByPhoneTests {
    private func fresh(_ board: String = "") throws -> InstalledBoard {
        let installed = try InstalledBoard()
        // A fresh board has no file of the administrator's, but for the test's operator.
        let tfl = installed.folder.read("etc/boardd.toml").split(separator: "\n").drop { !$0.hasPrefix("[feed.tfl]") }
        try installed.folder.write(tfl.joined(separator: "\n") + "\n" + board, to: "etc/boardd.toml")
        try installed.folder.write("", to: "etc/favourites.toml")
        return installed
    }

    @Test func `a setting holds at once and after a restart, below the administrator's files`() async throws {
        let board = try fresh("[light]\nwake = \"40s\"\n")
        var daemon = try await board.start()
        var state = try await board.client.setTable("language", to: [["code": .text("de")]])
        #expect(state.steps.first { $0.id == .name }?.isDone == true)
        #expect(state.steps.first { $0.id == .stop }?.isDone == false)
        #expect(state.tables.first { $0.name == "language" }?.values == [["code": .text("de")]])
        #expect(state.tables.first { $0.name == "light" }?.lockedBy == "\(board.path)/etc/boardd.toml")
        let german = await board.state { $0.live.display.rows.joined().contains("Pi eingeben") }
        #expect(german.live.display.rows.joined().contains("Pi eingeben"), "\(german.live.display.rows)")
        try await board.end(daemon)
        daemon = try await board.start()
        state = try await board.client.setup()
        #expect(state.tables.first { $0.name == "language" }?.values == [["code": .text("de")]])
        await #expect(throws: ServiceError.self) {
            try await board.client.setTable("light", to: [["wake": .text("1m")]])
        }
        try await board.end(daemon)
    }

    @Test func `what a phone must not set is refused, and a wrong value named`() async throws {
        let board = try fresh()
        let daemon = try await board.start()
        func failure(_ table: String, _ values: [String: SettingValue]) async -> ServiceError? {
            do throws(ServiceError) {
                _ = try await board.client.setTable(table, to: [values])
                return nil
            } catch {
                return error
            }
        }
        for table in ["page", "fleet", "feed.tfl", "feed.siri.town", "feed.gtfs.Town", "log"] {
            #expect(await failure(table, ["change": .text("network")])?.kind == .notFound, "\(table)")
        }
        #expect(await failure("feed.motis", ["url": .text("https://evil.example")])?.kind == .invalid)
        let size = await failure("display", ["size": .text("3x3")])
        #expect(size?.kind == .invalid && size?.value?.key == "size")
        #expect(await failure("language", ["code": .text("de"), "colour": .text("red")])?.kind == .invalid)
        #expect(try await board.client.setup().tables.isEmpty)
        try await board.end(daemon)
    }

    @Test func `a city comes from the list by its number, and stays while a favourite needs it`() async throws {
        let board = try fresh()
        try board.folder.write(
            String(contentsOf: URL(filePath: "\(Checkout.path)/etc/cities.tsv"), encoding: .utf8), to: "cities.tsv")
        let daemon = try await board.start(environment: ["BOARDD_SHARE": board.path])
        let places = try await board.client.places("Boston")
        #expect(places.first?.feed == "motis" && places.first?.needsContact == true)
        let city = try #require(places.first { $0.city != nil })
        #expect(city.place?.hasPrefix("Boston") == true && city.isLive && city.key == nil)
        let table = "feed.\(city.feed)"
        _ = try await board.client.setTable(table, to: [["city": .text(try #require(city.city))]])
        let again = try await board.client.places("Boston")
        #expect(again.filter { $0.feed == city.feed }.map(\.city) == [nil] && again.first?.feed == city.feed)
        #expect(try await board.client.places("national rail").first?.feed == "rail")
        let elsewhere = try await board.client.places("Helsinki")
        #expect(elsewhere.first?.feed == "motis" && elsewhere.last?.feed == city.feed)
        try board.append("[[stop]]\nid = \"\(city.feed):place-sstat\"\n")
        _ = await board.state { $0.live.stops.count == 1 }
        await #expect(throws: ServiceError.self) { try await board.client.setTable(table, to: []) }
        try await board.end(daemon)
    }

    @Test func `a key is used, is never sent back, and loses to one of the administrator`() async throws {
        let board = try fresh()
        let daemon = try await board.start()
        var state = try await board.client.setKey("TFL_APP_KEY", to: "a-key-of-a-phone")
        #expect(state.keys.first { $0.name == "TFL_APP_KEY" }?.isSet == true)
        #expect(!String(decoding: try JSONEncoder().encode(state), as: UTF8.self).contains("a-key-of-a-phone"))
        let report = try await board.run("report")
        #expect(!(report.output + report.errors).contains("a-key-of-a-phone"))
        state = try await board.client.setKey("TFL_APP_KEY", to: nil)
        #expect(state.keys.first { $0.name == "TFL_APP_KEY" }?.isSet == false)
        await #expect(throws: ServiceError.self) { try await board.client.setKey("PATH", to: "x") }
        await #expect(throws: ServiceError.self) { try await board.client.setKey("TFL_APP_KEY", to: "x\nRAIL_TOKEN=y") }
        try board.folder.write("TFL_APP_KEY=of-the-administrator\n", to: "etc/keys.env")
        try await board.client.reload()
        await #expect(throws: ServiceError.self) { try await board.client.setKey("TFL_APP_KEY", to: "of-a-phone") }
        try await board.end(daemon)
    }

    @Test func `a backup brings settings and favourites back, and a faulty one changes nothing`() async throws {
        let board = try fresh()
        let daemon = try await board.start()
        _ = try await board.client.setTable("language", to: [["code": .text("de")]])
        _ = try await board.client.setKey("TFL_APP_KEY", to: "a-key-of-a-phone")
        try board.append("# mine\n[[stop]]\nid = \"tfl:490000001A\"\n")
        _ = await board.state { $0.live.stops.count == 1 }
        let backup = try await board.client.backup()
        #expect(backup.settings.contains("\"de\"") && backup.favourites.contains("# mine"))
        #expect(!backup.settings.contains("a-key-of-a-phone"))
        _ = try await board.client.setTable("language", to: [])
        for faulty in [
            Backup(settings: "[page]\nchange = \"network\"\n", favourites: backup.favourites),
            Backup(settings: backup.settings, favourites: "[[stop]]\nid = \"nowhere:1\"\n"),
            Backup(settings: backup.settings, favourites: "[[stop]]\nid = \"gtfs.lyon:1\"\n"),
        ] {
            await #expect(throws: ServiceError.self) { try await board.client.restore(faulty) }
            #expect(try await board.client.setup().tables.contains { $0.name == "language" } == false)
            #expect(board.favourites == backup.favourites)
            try await board.client.reload()
        }
        try await board.client.removeFavourite(StopID(feed: FeedName("tfl"), code: "490000001A"))
        let restored = try await board.client.restore(backup)
        #expect(restored.tables.first { $0.name == "language" }?.values == [["code": .text("de")]])
        #expect(board.favourites == backup.favourites)
        #expect(await board.state { $0.live.stops.count == 1 }.live.stops.count == 1)
        try await board.end(daemon)
    }

    @Test func `a backup of two hundred stops is restored`() async throws {
        let board = try fresh()
        let daemon = try await board.start()
        let label = String(repeating: "n", count: 50)
        let favourites = (100..<300).map {
            "[[stop]]\nid = \"tfl:490000\($0)A\"\nlabel = \"\(label)\"\nlines = [\"7\", \"73\", \"390\"]\nwalk = \"4m\"\n"
        }
        let backup = Backup(settings: "[language]\ncode = \"de\"\n", favourites: favourites.joined())
        let restored = try await board.client.restore(backup)
        #expect(restored.tables.contains { $0.name == "language" })
        #expect(try await board.client.favourites().count == 200)
        #expect(try await board.client.backup().favourites == backup.favourites)
        try await board.end(daemon)
    }

    @Test func `an OLED has a brightness, an LCD has none`() async throws {
        let board = try fresh()
        let daemon = try await board.start()
        #expect(try await board.client.setup().brightness == nil)
        let oled: [String: SettingValue] = ["driver": .text("ssd1306"), "brightness": .integer(20)]
        #expect(try await board.client.setTable("display", to: [oled]).brightness == 20)
        await #expect(throws: ServiceError.self) {
            try await board.client.setTable("display", to: [oled.merging(["brightness": .integer(0)]) { $1 }])
        }
        #expect(try await board.client.setup().brightness == 20)
        try await board.end(daemon)
    }

    @Test func `a display that was found by itself keeps what it was found with when a value of it is set`() throws {
        func table(_ addresses: [UInt8]) throws -> [String: SettingValue] {
            let found = try #require(ProposedDisplay.all(at: addresses, bus: "/dev/i2c-1").first).wiring
            return SetupService.withWiring(of: found, ["brightness": .integer(20)])
        }
        #expect(
            try table([0x3C]) == ["driver": .text("ssd1306"), "address": .integer(0x3C), "brightness": .integer(20)])
        #expect(
            try table([0x70, 0x71, 0x72, 0x73]) == [
                "driver": .text("ht16k33"), "leds": .text("14-segment"),
                "modules": .list([0x70, 0x71, 0x72, 0x73].map { .integer($0) }), "brightness": .integer(20),
            ])
        #expect(try table([0x27])["expander"] == .text("pcf8574"))
        let configured = DisplayWiring(driver: .ssd1306)
        #expect(SetupService.withWiring(of: configured, [:]).isEmpty)
    }

    @Test func `the window opens on the board's machine unless the administrator forbids set-up`() async throws {
        let board = try fresh("[page]\nsetup = false\n")
        let daemon = try await board.start()
        await #expect(throws: ServiceError.self) { try await board.client.openSetup() }
        try board.folder.write("", to: "etc/boardd.toml")
        try await board.client.reload()
        try await board.client.openSetup()
        try await board.client.closeSetup()
        try await board.end(daemon)
    }
}
