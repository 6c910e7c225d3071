import BoardCore
import Testing

@testable internal import BoardStore

@Suite("The board's own layer")
struct OwnLayerTests {
    private static let town = FeedName("gtfs.town")
    private static let declared = FeedDeclarations(
        declarations.feeds,
        families: [
            FeedFamily("gtfs") { name in
                FeedDeclaration(
                    name: name, title: "Town", settings: [SettingDeclaration("timetable", .text(), "the zip")],
                    secrets: ["GTFS_TOWN_KEY"])
            }
        ])

    /// Loads /etc's files, and own settings and keys.
    private func load(
        _ files: [String: String], settings: String = "", before: String? = nil, keys: String = ""
    ) throws -> Configuration {
        let folder = try ConfigurationDirectory(files)
        try folder.write(Array("\(settings)\n\(OwnLayer.end)".utf8), to: "own/settings.toml")
        try folder.write(Array(keys.utf8), to: "own/keys.env")
        if let before { try folder.write(Array("\(before)\n\(OwnLayer.end)".utf8), to: "own/settings.toml.1") }
        return try ConfigurationLoader(
            declarations: Self.declared,
            checkSettings: { feed, settings in
                guard feed == Self.town, settings.text("timetable") == "" else { return nil }
                return FeedSettingError(setting: "timetable", detail: "is missing", feed: feed)
            },
            cities: { chosen in
                chosen.map { id, name in
                    id == "437" ? "[feed.gtfs.\(name)]\ntimetable = \"https://example.org/\(id).zip\"\n" : nil
                }
            }
        ).load(.directory(folder.path), own: OwnLayer(folder: "\(folder.path)/own"), environment: [:])
    }

    @Test func `a table of etc wins whole, and any other holds`() throws {
        let configuration = try load(
            ["boardd.toml": "[pages]\nscreens = 3\n"],
            settings: """
                [pages]
                rotate = "off"
                [language]
                code = "de"
                [[quiet]]
                from = "23:00"
                to = "06:00"
                """)
        #expect(configuration.board.screens == 3 && configuration.board.rotation == .auto)
        #expect(configuration.board.language == .german)
        #expect(configuration.board.quiet.count == 1)
        #expect(
            configuration.tables.map {
                "\($0.name) \($0.file.split(separator: "/").suffix(2).last ?? "") \($0.isHidden)"
            } == [
                "[pages] boardd.toml false", "[pages] settings.toml true", "[language] settings.toml false",
                "[[quiet]] settings.toml false",
            ])
        #expect(configuration.setAside == nil && configuration.warnings.isEmpty)
    }

    @Test func `keys of an earlier version move before the layers are compared`() throws {
        let configuration = try load(
            [
                "boardd.toml":
                    "[board]\nlanguage = \"fr\"\nwake = \"5m\"\n[[board.quiet]]\nfrom = \"01:00\"\nto = \"02:00\"\n"
            ],
            settings: "[language]\ncode = \"de\"\n")
        #expect(configuration.board.language == .french && configuration.board.wake == .seconds(300))
        #expect(configuration.tables.first { $0.isHidden }?.name == "[language]")
        #expect(
            configuration.warnings.map { $0.description.split(separator: "/").last ?? "" } == [
                "boardd.toml:2:1: language of [board] is now code in [language]: move it there",
                "boardd.toml:3:1: wake of [board] is now wake in [light]: move it there",
                "boardd.toml:4:9: quiet of [board] is now [[quiet]]: move it there",
            ])
    }

    @Test(
        "nothing that leads elsewhere can be set by phone",
        arguments: [
            "[page]\nchange = \"network\"", "[fleet]\nbroker = \"mqtts://evil.test\"", "[log]\nlevel = \"debug\"",
            "[feed.tfl]\nurl = \"https://evil.test\"", "[feed.demo]\nurl = \"https://evil.test\"",
            "[feed.motis]\nurl = \"https://evil.test\"", "[feed.gtfs.a]\ntimetable = \"https://evil.test/a.zip\"",
            "[feed.siri.a]\nurl = \"https://evil.test\"", "[display]\nserver = \"10.0.0.1:13666\"",
            "[display]\nbus = \"/dev/mem\"", "[[button]]\nchip = \"/dev/../etc/passwd\"",
            "[feed.gtfs.\"a]\\n[page\"]\ncity = \"437\"", "[map]\ntiles = \"https://evil.test/{z}/{x}/{y}.png\"",
            "x = 1",
        ])
    func allowed(text: String) throws {
        let configuration = try load([:], settings: "[language]\ncode = \"de\"\n" + text)
        // The whole layer is set aside.
        #expect(configuration.board.language == .english)
        #expect(configuration.setAside?.file == "settings.toml")
        #expect(configuration.page == PageOptions() && configuration.fleet == FleetOptions())
        #expect(
            configuration.warnings.first?.message.contains(
                text.contains("437") ? "small letters" : "cannot be set here") == true)
    }

    @Test(
        "a faulty layer is set aside whole, and the last good one holds",
        arguments: ["[language]\ncode = \"xx\"", "[language", "[display]\nsize = \"40x4\"", "\u{0}"])
    func faulty(text: String) throws {
        let before = "[language]\ncode = \"de\"\n[pages]\nscreens = 4\n"
        let configuration = try load([:], settings: text + "\n[pages]\nscreens = 5", before: before)
        #expect(configuration.board.language == .german && configuration.board.screens == 4)
        #expect(configuration.setAside?.file == "settings.toml")
        // A fault of the administrator's files is not blamed on the layer, and sets nothing aside.
        do {
            _ = try load(["boardd.toml": "[log]\nlevel = 3"], settings: before)
            Issue.record("[log] has a fault")
        } catch let error as ConfigurationError {
            #expect(error.faults.count == 1 && error.partial.setAside == nil)
            #expect(error.partial.board.language == .german)
        }
    }

    @Test func `a city is looked up in the list, and gets no key of etc`() throws {
        let city = "[feed.gtfs.town]\ncity = \"437\"\n"
        let keys = ["keys.env": "GTFS_TOWN_KEY=administrator\n"]
        let town = Self.town
        let own = try load(keys, settings: city)
        #expect(own.feeds[town]?.text("timetable") == "https://example.org/437.zip")
        #expect(own.feeds[town]?.secret("GTFS_TOWN_KEY") == nil)
        #expect(own.warnings.contains { $0.file.hasSuffix("keys.env") && $0.message.contains("enter GTFS_TOWN_KEY") })
        let phone = try load(keys, settings: city, keys: "GTFS_TOWN_KEY=phone\nOLD_KEY=x\n")
        #expect(phone.feeds[town]?.secret("GTFS_TOWN_KEY")?.revealed == "phone")
        #expect(!phone.warnings.contains { $0.message.contains("GTFS_TOWN_KEY") })
        let preset = try load(
            keys.merging(["feeds.d/town.toml": "[feed.gtfs.town]\ntimetable = \"https://example.com/own.zip\"\n"]) {
                $1
            },
            settings: city)
        #expect(preset.feeds[town]?.text("timetable") == "https://example.com/own.zip")
        #expect(preset.feeds[town]?.secret("GTFS_TOWN_KEY")?.revealed == "administrator")
    }

    @Test func `a city that is not in the list any more costs its stops alone`() throws {
        let configuration = try load(
            ["favourites.toml": "[[stop]]\nid = \"gtfs.town:1\"\n[[stop]]\nid = \"demo:2\"\n"],
            settings: "[language]\ncode = \"de\"\n[feed.gtfs.town]\ncity = \"9\"\n")
        #expect(configuration.board.language == .german && configuration.setAside == nil)
        #expect(configuration.favourites.map(\.stop.description) == ["demo:2"])
        #expect(configuration.warnings.contains { $0.message.contains("no number \"9\"") })
    }

    @Test func `keys of etc win name by name over those that were entered by phone`() throws {
        let name = try #require(declarations.feeds.first { !$0.secrets.isEmpty }?.secrets.first)
        let feed = try #require(declarations.feeds.first { !$0.secrets.isEmpty }?.name)
        #expect(try load([:], keys: "\(name)=phone\n").feeds[feed]?.secret(name)?.revealed == "phone")
        let both = try load(["keys.env": "\(name)=administrator\n"], keys: "\(name)=phone\n")
        #expect(both.feeds[feed]?.secret(name)?.revealed == "administrator")
    }
}
