import BoardCore
import BoardDisplays
import BoardIO
import Testing

@testable internal import BoardStore

@Suite("boardd.toml")
struct BoardFileTests {
    @Test("an empty file means all defaults")
    func emptyIsDefaults() throws {
        let configuration = try load("")
        #expect(configuration.board == BoardOptions())
        #expect(configuration.display == DisplayWiring(origin: .searched))
        #expect(configuration.buttons == [ButtonConfiguration()])
        #expect(configuration.logLevel == .info)
        #expect(configuration.favourites.isEmpty)
        #expect(configuration.feeds.count == declarations.feeds.count)
        #expect(configuration.feeds[FeedName("demo")]?.duration("interval") == .seconds(30))
    }

    @Test("a display that no file describes is searched for; any [display] describes one, in the own layer, too")
    func origin() throws {
        #expect(try load("[language]").display.origin == .searched)
        for text in ["[display]", "[display]\nsize = \"20x4\"", "display = {}"] {
            #expect(try load(text).display.origin == .configured, "\(text)")
        }
        let folder = try ConfigurationDirectory(["own/settings.toml": "[display]\nsize = \"16x2\"\n\(OwnLayer.end)"])
        let own = OwnLayer(folder: "\(folder.path)/own")
        let loaded = try ConfigurationLoader(declarations: declarations).load(
            .directory(folder.path), own: own, environment: [:])
        #expect(loaded.display == DisplayWiring(panel: Panel(size: DisplaySize(columns: 16, rows: 2))))
    }

    @Test("every key of the whole board sets its option")
    func board() throws {
        let board = try load(
            """
            [board]
            name = "Küche"
            [language]
            code = "de"
            clock = "12h"
            [pages]
            home = "overview"
            return_home = "2m"
            rotate = "8s"
            turns = false
            [light]
            wake = "1h"
            [[quiet]]
            from = "23:00"
            to = "06:30"
            days = "weekdays"
            [[quiet]]
            from = "00:00"
            to = "09:05"
            days = ["sat", "sun"]
            [abbreviations]
            Station = "Stn"
            "Bus Garage" = "Gar."
            """
        ).board
        var expected = BoardOptions()
        expected.name = "Küche"
        expected.language = .german
        expected.clock = .h12
        expected.home = .overview
        expected.returnHome = .seconds(120)
        expected.rotation = .every(.seconds(8))
        expected.turns = false
        expected.wake = .seconds(3600)
        expected.quiet = [
            WeeklyWindow(from: 23 * 60, to: 6 * 60 + 30, days: [.mon, .tue, .wed, .thu, .fri]),
            WeeklyWindow(from: 0, to: 9 * 60 + 5, days: [.sat, .sun]),
        ]
        expected.abbreviations = ["Station": "Stn", "Bus Garage": "Gar."]
        #expect(board == expected)
    }

    @Test(
        "the display has four languages",
        arguments: [("en", Language.english), ("de", .german), ("fr", .french), ("es", .spanish)])
    func languages(name: String, language: Language) throws {
        #expect(try load("language.code = '\(name)'").board.language == language)
    }

    @Test("never, off and auto are allowed instead of a duration")
    func words() throws {
        let configuration = try load(
            """
            pages = { return_home = "never", rotate = "off" }
            display.resync = "off"
            """)
        #expect(configuration.board.returnHome == nil)
        #expect(configuration.board.rotation == .off)
        #expect(configuration.display.resync == nil)
        #expect(try load("pages.rotate = 'auto'").board.rotation == .auto)
    }

    @Test("every key of [display] sets the wiring")
    func display() throws {
        let display = try load(
            """
            [display]
            driver = "none"
            size = "16x2"
            bus = "/dev/i2c-3"
            address = 0x3f
            expander = "pcf8574"
            pins = { rs = 6, rw = 5, e = 4, backlight = 7, d4 = 0, d5 = 1, d6 = 2, d7 = 3 }
            backlight_on = "low"
            rom = "A02"
            resync = "5m"
            dots = "128x32"
            brightness = 7
            leds = "16x8"
            modules = [0x70, 0x77]
            server = "192.168.1.9:13000"
            """
        ).display
        let pins = PinMap(rs: 6, rw: 5, e: 4, backlight: 7, data: [0, 1, 2, 3], isBacklightActiveHigh: false)
        #expect(
            display
                == DisplayWiring(
                    driver: .none, panel: Panel(size: DisplaySize(columns: 16, rows: 2), rom: .a02, pins: pins),
                    bus: .path("/dev/i2c-3"), address: .fixed(0x3F), resync: .seconds(300), dotRows: 32, brightness: 7,
                    modules: LEDModules(kind: .wideMatrix, addresses: [0x70, 0x77]),
                    server: ServerAddress(host: "192.168.1.9", port: 13_000)))
    }

    @Test("an OLED has 20 columns, and rows of eight dots by default, which can be of twice the size; of 16 on request")
    func oled() throws {
        let wiring = try load("display = { driver = 'sh1106', address = 0x3d }").display
        let panel = Panel(size: DisplaySize(columns: 20, rows: 8))
        #expect(wiring == DisplayWiring(driver: .sh1106, panel: panel, address: .fixed(0x3D)))
        func display(_ text: String) throws -> DisplayWiring { try load("display = { \(text) }").display }
        let small = try display("driver = 'ssd1306', dots = '128x32'")
        #expect(small.panel.size == DisplaySize(columns: 20, rows: 4))
        #expect(wiring.hasDoubleSize && small.hasDoubleSize)
        #expect(try !display("driver = 'ssd1306', size = '20x4'").hasDoubleSize)
        #expect(try !display("driver = 'ssd1306', dots = '128x32', size = '20x2'").hasDoubleSize)
        #expect(try !display("size = '20x4'").hasDoubleSize)
    }

    @Test("the size of LED modules follows from their number")
    func modules() throws {
        func size(_ text: String) throws -> String {
            try load("[display]\ndriver = 'ht16k33'\n\(text)").display.panel.size.description
        }
        let four = "modules = [0x70, 0x71, 0x72, 0x73]"
        let eight = "modules = [0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77]"
        #expect(try size(four) == "16x1")
        #expect(try size(eight) == "16x2")
        #expect(try size(eight + "\nsize = '32x1'") == "32x1")
        #expect(try size(eight + "\nleds = '16x8'\nsize = '21x1'") == "21x1")
    }

    @Test("a display of LCDd may have a size that no character LCD has, and an IPv6 address")
    func server() throws {
        let wiring = try load("display = { driver = 'lcdproc', size = '24x2', server = '[::1]:13666' }").display
        #expect(wiring.panel.size == DisplaySize(columns: 24, rows: 2))
        #expect(wiring.server == ServerAddress(host: "::1", port: 13_666))
        #expect(wiring.server.description == "[::1]:13666")
        #expect(try load("display.driver = 'lcdproc'").display.server == .lcdd)
    }

    @Test("a named pin map brings its polarity, and backlight_on overrides it")
    func namedPins() throws {
        let map = PinMap(rs: 6, rw: 5, e: 4, backlight: 7, data: [0, 1, 2, 3], isBacklightActiveHigh: false)
        let loader = ConfigurationLoader(declarations: FeedDeclarations([]), pinMaps: PinMap.named)
        func pins(_ text: String) throws -> PinMap {
            let directory = try ConfigurationDirectory(["boardd.toml": text])
            return try loader.load(.directory(directory.path), environment: [:]).display.panel.pins
        }
        #expect(try pins("display.pins = 'mjkdz'") == map)
        #expect(try pins("display.pins = 'mjkdz'\ndisplay.backlight_on = 'high'") == map.backlight(activeHigh: true))
    }

    @Test("a pin map brings its expander, and an expander its usual pin map")
    func expanders() throws {
        func pins(_ text: String) throws -> PinMap {
            let loader = ConfigurationLoader(declarations: FeedDeclarations([]), pinMaps: PinMap.named)
            let directory = try ConfigurationDirectory(["boardd.toml": text])
            return try loader.load(.directory(directory.path), environment: [:]).display.panel.pins
        }
        #expect(try pins("") == .standard)
        #expect(try pins("display.pins = 'jeelabs'").expander == .mcp23008)
        #expect(try pins("display.expander = 'mcp23008'") == .adafruit)
        #expect(try pins("display.expander = 'mcp23017'") == Expander.mcp23017.usualPins)
        let table = "{ rs = 15, e = 13, e2 = 8, d4 = 12, d5 = 11, d6 = 10, d7 = 9 }"
        #expect(
            try pins("display = { size = '40x4', expander = 'mcp23017', pins = \(table) }")
                == PinMap(expander: .mcp23017, rs: 15, e: 13, e2: 8, data: [12, 11, 10, 9]))
    }

    @Test("the first button has its defaults, the second its own")
    func buttons() throws {
        let buttons = try load(
            """
            [[button]]
            line = 22
            double = "refresh"
            [[button]]
            chip = "pinctrl-rp1"
            line = 27
            pull = "down"
            """
        ).buttons
        #expect(
            buttons == [
                ButtonConfiguration(wiring: ButtonWiring(line: 22), binding: ButtonBinding(double: .refresh)),
                ButtonConfiguration(
                    wiring: ButtonWiring(chip: .named("pinctrl-rp1"), line: 27, pull: .down), binding: .second),
            ])
        #expect(try load("button = []").buttons.isEmpty)
        #expect(try load("[display]\ndriver = \"none\"").buttons.isEmpty)
        #expect(try load("[display]\ndriver = \"none\"\n[[button]]").buttons == [ButtonConfiguration()])
    }

    @Test("a feed's table contains what the feed declares")
    func feeds() throws {
        let feeds = try load(
            """
            [feed.demo]
            url = "http://127.0.0.1:8080/base/"
            interval = "1m"
            [feed.town.city]
            region = "south"
            """
        ).feeds
        let demo = feeds[FeedName("demo")]
        #expect(demo?.text("url") == "http://127.0.0.1:8080/base")
        #expect(demo?.duration("interval") == .seconds(60))
        #expect(demo?.text("region") == "north")
        #expect(demo?.text("interval") == nil)
        #expect(feeds[FeedName("town.city")]?.text("region") == "south")
    }

    @Test("the log has four levels", arguments: LogLevel.allCases)
    func log(level: LogLevel) throws {
        #expect(try load("[log]\nlevel = \"\(level.rawValue)\"").logLevel == level)
    }
}
