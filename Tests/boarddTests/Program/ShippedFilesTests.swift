import BoardCore
import BoardDisplays
import BoardFeeds
import BoardIO
import BoardStore
import FoundationEssentials
import TestOperators
import Testing

@testable internal import boardd

@Suite("The installed files")
struct ShippedFilesTests {
    /// The text of a file under etc/boardd of the checkout.
    private func shipped(_ name: String) throws -> String {
        let path = "\(Checkout.path)/etc/boardd/\(name)"
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        try #require(!text.isEmpty)
        return text
    }

    /// Loads these files.
    private func load(
        _ board: String, favourites: String = "", keys: String = "", presets: [String: String] = [:]
    ) throws -> Configuration {
        let folder = try TemporaryFolder(["boardd.toml": board, "favourites.toml": favourites, "keys.env": keys])
        try FileManager.default.createDirectory(atPath: "\(folder.path)/feeds.d", withIntermediateDirectories: true)
        for (name, text) in presets { try folder.write(text, to: name) }
        var configuration = try ConfigurationLoader(declarations: FeedRegistry.declarations, pinMaps: PinMap.named)
            .load(.directory(folder.path), environment: [:])
        // The folder is another one each time.
        configuration.tables = []
        return configuration
    }

    /// The text with some comments taken as keys: `#key` are defaults, `#  key` are examples.
    private func uncommented(_ text: String, defaults: Bool, examples: Bool) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            if line.hasPrefix("#  ") { return examples ? String(line.dropFirst(3)) : String(line) }
            if defaults, line.hasPrefix("#"), let next = line.dropFirst().first, next.isLetter || next == "[" {
                return String(line.dropFirst())
            }
            return String(line)
        }.joined(separator: "\n")
    }

    /// The example of a GTFS feed in boardd.toml.
    private var example: FeedDeclaration {
        get throws { try #require(FeedRegistry.declarations[FeedName("gtfs.example")]) }
    }

    /// An operator of SIRI as in boardd.toml.
    private var visits: FeedDeclaration {
        get throws { try #require(FeedRegistry.declarations[FeedName("siri.example")]) }
    }

    /// The text of each file of feeds.d, by its name.
    private func presets() throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(Checkout.path)/etc/boardd/feeds.d").sorted()
        try #require(!names.isEmpty)
        return Dictionary(uniqueKeysWithValues: try names.map { ("feeds.d/\($0)", try shipped("feeds.d/\($0)")) })
    }

    /// The cities of feeds.d, uncommented, with a timetable each.
    private func cities(keys: String = "") throws -> Configuration {
        let presets = try presets().mapValues {
            uncommented($0, defaults: true, examples: true).replacing("https://…", with: "/a.zip")
        }
        return try load("", keys: keys, presets: presets)
    }

    @Test("unchanged they load without a remark, and are all defaults")
    func asShipped() throws {
        let configuration = try load(
            try shipped("boardd.toml"), favourites: try shipped("favourites.toml"), presets: try presets())
        #expect(configuration == (try load("")))
        #expect(configuration.board == BoardOptions())
        #expect(configuration.display == DisplayWiring(origin: .searched))
        #expect(
            configuration.feeds.keys.sorted { $0.description < $1.description }
                == FeedRegistry.operators.map(\.declaration.name).sorted { $0.description < $1.description })
    }

    @Test("every default in a comment is the default")
    func defaults() throws {
        let text = uncommented(try shipped("boardd.toml"), defaults: true, examples: false)
        // Without [display] the display is searched for.
        #expect(try load(text) == (try load("[display]")))
    }

    @Test("every key of this version is listed")
    func complete() throws {
        let text = try shipped("boardd.toml") + shipped("favourites.toml")
        let keys = [
            "code", "clock", "home", "return_home", "rotate", "turns", "wake", "from", "to",
            "days", "driver", "size", "bus", "address", "expander", "pins", "backlight_on", "rom", "resync", "dots",
            "brightness",
            "leds", "modules", "server", "chip", "line", "pull", "short", "hold", "long_hold", "double", "level", "id",
            "label", "lines", "sort", "walk",
            "towards", "platforms", "directions", "when", "shared", "name", "location", "radius",
            "stops", "modes",
            "read",
            "change", "setup", "names", "networks", "frames", "tiles", "attribution",
        ]
        let feeds = FeedRegistry.operators.map(\.declaration) + [try example, try visits]
        for key in keys + feeds.flatMap(\.settings).map(\.name) {
            let isShown = text.split(separator: "\n").contains { line in
                line.drop { $0 == "#" || $0 == " " }.hasPrefix("\(key) = ")
            }
            #expect(isShown, "\(key)")
        }
    }

    /// The blocks of TOML in README.md and docs, by file and line.
    private func blocks() throws -> [(place: String, text: String)] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(Checkout.path)/docs").filter {
            $0.hasSuffix(".md")
        }
        var blocks: [(place: String, text: String)] = []
        for path in ["README.md"] + paths.sorted().map({ "docs/\($0)" }) {
            let text = String(decoding: try Data(contentsOf: URL(filePath: "\(Checkout.path)/\(path)")), as: UTF8.self)
            var line = 1
            for (index, part) in text.components(separatedBy: "```").enumerated() {
                // Every second part is within a block.
                if index % 2 == 1, part.hasPrefix("toml\n") {
                    blocks.append(("\(path):\(line)", String(part.dropFirst("toml\n".count))))
                }
                line += part.count { $0 == "\n" }
            }
        }
        return blocks
    }

    @Test func `every block of the README and the documentation holds when it is pasted at the end of its file`() throws
    {
        let blocks = try blocks()
        try #require(blocks.count > 10)
        for (place, text) in blocks {
            let isOfFavourites = text.contains("[[stop]]") || text.contains("[[nearby]]")
            do {
                _ = try load(
                    try shipped("boardd.toml") + (isOfFavourites ? "" : text),
                    favourites: try shipped("favourites.toml") + (isOfFavourites ? text : ""), presets: try presets())
            } catch let error as ConfigurationError {
                Issue.record("\(place): \(error)")
            }
        }
    }

    @Test("the examples load")
    func examples() throws {
        // The one example that excludes the others: no button at all.
        let board = uncommented(try shipped("boardd.toml"), defaults: true, examples: true)
            .replacing("\nbutton = []", with: "").replacing("\npins = \"standard\"", with: "")
        let favourites = uncommented(try shipped("favourites.toml"), defaults: true, examples: true)
        let configuration = try load(board, favourites: favourites)
        #expect(configuration.board.quiet == [WeeklyWindow(from: 23 * 60, to: 6 * 60)])
        #expect(configuration.board.abbreviations.count == 2)
        #expect(configuration.display == DisplayWiring(modules: LEDModules(addresses: [0x70, 0x71, 0x72, 0x73])))
        #expect(configuration.buttons.map(\.wiring.line) == [17, 27])
        #expect(configuration.buttons.map(\.binding) == [ButtonBinding(), .second])
        #expect(
            configuration.favourites.map(\.stop.description) == [
                "tfl:490008660N", "rail:RDG", "motis:de-DELFI_de:02000:80953",
            ])
        #expect(configuration.favourites.first?.walk == .seconds(240))
        #expect(configuration.favourites.map(\.when.count) == [1, 3, 0])
        var settings = try #require(configuration.feeds[try example.name])
        #expect(settings.text("timetable") == "https://example.org/gtfs.zip")
        #expect(settings.texts("realtime") == ["https://example.org/trips.pb"])
        // Keys with a default are listed with it.
        for setting in ["timetable", "title", "key_header", "key_parameter", "attribution", "language"] {
            #expect(settings.text(setting) != "")
            settings.set(setting, to: .text(""))
        }
        settings.set("realtime", to: .texts([]))
        #expect(settings == FeedSettings(defaultsOf: try example))
        var visits = try #require(configuration.feeds[try self.visits.name])
        #expect(visits.text("url") == "https://example.org/siri/stop-monitoring.json")
        let unset = ["url", "title", "parameters", "key_header", "key_parameter", "line_names", "zone", "attribution"]
        for setting in unset {
            #expect(visits.text(setting) != "")
            visits.set(setting, to: .text(""))
        }
        #expect(visits == FeedSettings(defaultsOf: try self.visits))
    }

    @Test("the cities of feeds.d use the published addresses, with a key of their own, once they have a timetable")
    func presetCities() throws {
        let configuration = try cities(keys: "GTFS_LAMETRO_KEY=abc\nGTFS_LAMETRO_RAIL_KEY=def\n")
        let cities = configuration.feeds.filter { $0.key.description.hasPrefix("gtfs.") }
        #expect(
            Dictionary(uniqueKeysWithValues: cities.map { ($0.key.description, $0.value.texts("realtime")) }) == [
                "gtfs.lametro": ["https://api.goswift.ly/real-time/lametro/gtfs-rt-trip-updates"],
                "gtfs.lametro-rail": ["https://api.goswift.ly/real-time/lametro-rail/gtfs-rt-trip-updates"],
            ])
        for (name, settings) in cities {
            #expect(settings.text("key_header") == "Authorization")
            let secrets = try #require(FeedRegistry.declarations[name]).secrets
            #expect(secrets.allSatisfy { settings.secret($0) != nil }, "\(secrets)")
        }
        let feeds = try FeedFactory(source: .live(record: nil), clock: SystemClock()).feeds(configuration)
        #expect(feeds[FeedName("gtfs.lametro")]?.profile.title == "LA Metro")
    }

    @Test("a GTFS feed of feeds.d without a timetable is rejected by name, which is why it is shipped as comments")
    func presetWithoutTimetable() throws {
        let presets = try presets().mapValues { uncommented($0, defaults: true, examples: true) }
        let configuration = try load("", presets: presets)
        let failure = try #require(throws: FeedSettingError.self) {
            _ = try FeedFactory(source: .live(record: nil), clock: SystemClock()).feeds(configuration)
        }
        #expect("\(failure)".hasPrefix("[feed.gtfs.lametro] timetable: "))
        #expect(failure.detail.contains("must be an https URL or a path"))
        for (name, text) in try self.presets() {
            #expect(text.contains("NOT TRIED"), "\(name)")
            #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("#") }, "\(name)")
        }
    }

    @Test("the example of keys.env loads, and contains no key")
    func keys() throws {
        let text = uncommented(try shipped("keys.env.example"), defaults: true, examples: true)
        #expect(text.contains("\nTFL_APP_KEY="))
        #expect(text.contains("\nGTFS_LAMETRO_KEY="))
        #expect(try cities(keys: text) == (try cities()))
    }
}
