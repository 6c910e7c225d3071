import BoardStore
import Testing

@Suite("Faults of boardd.toml")
struct BoardFileFaultTests {
    @Test("an unknown key is reported with its position, the most similar key and all allowed ones")
    func unknownKeys() throws {
        #expect(
            try faults("[bord]\nlanguage = 'en'") == [
                "boardd.toml:1:2: unknown key \"bord\"; did you mean \"board\"? "
                    + "allowed: board, language, pages, light, quiet, abbreviations, display, button, page, map, fleet, feed, log"
            ])
        #expect(
            try faults("[log]\n  levle = 'info'\nwalk=1") == [
                "boardd.toml:2:3: unknown key \"levle\" in [log]; did you mean \"level\"? allowed: level",
                "boardd.toml:3:1: unknown key \"walk\" in [log]; allowed: level",
            ])
    }

    @Test("every invalid value of the whole board is reported with what is allowed, not only the first")
    func board() throws {
        let text = """
            [language]
            code = "it"
            clock = "25h"
            [pages]
            home = 1
            return_home = 60
            rotate = '1s'
            turns = "no"
            [light]
            wake = "90"   # no unit
            """
        #expect(
            try faults(text) == [
                "boardd.toml:2:8: code is \"it\", but must be \"en\", \"de\", \"fr\" or \"es\"",
                "boardd.toml:3:9: clock is \"25h\", but must be \"24h\" or \"12h\"",
                "boardd.toml:5:8: home is 1, but must be \"first\" or \"overview\"",
                "boardd.toml:6:15: return_home is 60, but must be \"never\" or "
                    + "a duration from 5s to 24h, such as \"30s\" or \"4m\"",
                "boardd.toml:7:10: rotate is '1s', but must be \"auto\" or \"off\" or "
                    + "a duration from 2s to 10m, such as \"30s\" or \"4m\"",
                "boardd.toml:8:9: turns is \"no\", but must be true or false",
                "boardd.toml:10:8: wake is \"90\", but must be a duration from 5s to 1h, such as \"30s\" or \"4m\"",
            ])
    }

    @Test("a quiet window needs two times of day, and valid days without duplicates")
    func quiet() throws {
        let text = """
            [[quiet]]
            from = "7:3"
            to = 23:00:00
            days = ["mon", "mon", "tus", 1]
            [[quiet]]
            from = "24:00"
            days = "mondays"
            """
        let time = "but must be a time of day from \"00:00\" to \"23:59\""
        let day = "but must be \"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\" or \"sun\""
        #expect(
            try faults(text) == [
                "boardd.toml:2:8: from is \"7:3\", \(time)", "boardd.toml:3:6: to is 23:00:00, \(time)",
                "boardd.toml:4:16: days: \"mon\" is a duplicate", "boardd.toml:4:23: days is \"tus\", \(day)",
                "boardd.toml:4:30: days is 1, \(day)",
                "boardd.toml:5:3: [[quiet]] has no to, which must be a time of day from \"00:00\" to \"23:59\"",
                "boardd.toml:6:8: from is \"24:00\", \(time)",
                "boardd.toml:7:8: days is \"mondays\", but must be \"daily\", \"weekdays\", \"weekend\" or "
                    + "a list of days, such as [\"mon\", \"fri\"]",
            ])
    }

    @Test("unknown hardware is rejected")
    func display() throws {
        let text = """
            [display]
            size = "40x3"
            driver = "ssd1309"
            address = 0x28
            bus = "i2c-1"
            expander = "mcp23016"
            pins = "nope"
            rom = "a00"
            backlight_on = true
            resync = "never"
            """
        #expect(
            try faults(text) == [
                "boardd.toml:2:8: size is \"40x3\", but must be "
                    + "\"16x2\", \"20x2\", \"40x2\", \"16x4\", \"20x4\" or \"40x4\"",
                "boardd.toml:3:10: driver is \"ssd1309\", "
                    + "but must be \"hd44780\", \"ssd1306\", \"sh1106\", \"ht16k33\", \"lcdproc\" or \"none\"",
                "boardd.toml:4:11: address is 0x28, but must be \"auto\" or "
                    + "an address from 0x20 to 0x27 or from 0x38 to 0x3f, without quotes",
                "boardd.toml:5:7: bus is \"i2c-1\", but must be \"auto\" or the path of a device, such as \"/dev/i2c-1\"",
                "boardd.toml:6:12: expander is \"mcp23016\", but must be "
                    + "\"pcf8574\", \"mcp23008\" or \"mcp23017\"",
                "boardd.toml:7:8: pins is \"nope\", but must be \"standard\" or a table of pins, such as "
                    + "{ rs = 0, rw = 1, e = 2, backlight = 3, d4 = 4, d5 = 5, d6 = 6, d7 = 7 }",
                "boardd.toml:8:7: rom is \"a00\", but must be \"A00\" or \"A02\"",
                "boardd.toml:9:16: backlight_on is true, but must be \"high\" or \"low\"",
                "boardd.toml:10:10: resync is \"never\", but must be \"off\" or "
                    + "a duration from 10s to 24h, such as \"30s\" or \"4m\"",
            ])
    }

    @Test("an OLED has its own sizes and addresses")
    func oled() throws {
        let text = """
            [display]
            driver = "ssd1306"
            dots = "128x32"
            size = "16x2"
            address = 0x27
            brightness = 0
            """
        #expect(
            try faults(text) == [
                "boardd.toml:4:8: size is \"16x2\", but must be \"20x4\" or \"20x2\"",
                "boardd.toml:5:11: address is 0x27, but must be \"auto\" or "
                    + "an address from 0x3c to 0x3d, without quotes",
                "boardd.toml:6:14: brightness is 0, but must be a whole number from 1 to 100",
            ])
        #expect(
            try faults("[display]\ndriver = 'sh1106'\ndots = '128x32'\nsize = '20x2'") == [
                "boardd.toml:3:8: dots is '128x32', but must be \"128x64\"",
                "boardd.toml:4:8: size is '20x2', but must be \"20x8\" or \"20x4\"",
            ])
    }

    @Test("LED modules need their addresses, each once, and enough of them for sixteen columns")
    func modules() throws {
        #expect(
            try faults("[display]\ndriver = 'ht16k33'") == [
                "boardd.toml:1:2: [display] has no modules, "
                    + "which must be a list of addresses, such as [0x70, 0x71, 0x72, 0x73]"
            ])
        #expect(
            try faults("[display]\ndriver = 'ht16k33'\nmodules = [0x70, 0x70, 0x78]\nleds = '5x7'") == [
                "boardd.toml:3:18: modules: 0x70 is a duplicate",
                "boardd.toml:3:24: modules is 0x78, but must be an address from 0x70 to 0x77, without quotes",
                "boardd.toml:4:8: leds is '5x7', but must be \"14-segment\", \"16x8\" or \"8x8\"",
            ])
        #expect(
            try faults("[display]\ndriver = 'ht16k33'\nmodules = [0x70, 0x71]\nleds = '8x8'\nsize = '16x2'") == [
                "boardd.toml:3:11: 2 8x8 modules show 4 columns of text, but a board needs 16: add modules"
            ])
        #expect(
            try faults(
                "[display]\ndriver = 'ht16k33'\nmodules = [0x70, 0x71, 0x72, 0x73]\nsize = '20x4'\naddress = 0x70") == [
                    "boardd.toml:4:8: size is '20x4', but must be \"16x1\"",
                    "boardd.toml:5:11: address is 0x70, but must be \"auto\"",
                ])
    }

    @Test("LCDd is at a numeric address, and its display may have any size that a board can fill")
    func server() throws {
        for server in [
            "localhost:13666", "127.0.0.1", "127.0.0.1:0", "127.0.0:13666", "[127.0.0.1]:13666", "::1:13666",
            "127.0.0.1:+5", "127.0.0.1:013", "+127.0.0.1:5", "127.0.0.010:5",
        ] {
            #expect(
                try faults("[display]\ndriver = 'lcdproc'\nserver = '\(server)'\nsize = '12x2'") == [
                    "boardd.toml:3:10: server is '\(server)', but must be "
                        + "an IP address and a port, such as \"127.0.0.1:13666\" or \"[::1]:13666\"",
                    "boardd.toml:4:8: size is '12x2', but must be "
                        + "columns and rows from \"16x1\" to \"40x8\", such as \"20x4\"",
                ])
        }
        for size in ["15x2", "41x2", "20x0", "20x9", "+20x4", "020x4", "20", "x"] {
            #expect(try faults("[display]\ndriver = 'lcdproc'\nsize = '\(size)'").count == 1, "\(size)")
        }
    }

    @Test("a table of pins has each line of the display on its own pin")
    func pins() throws {
        #expect(
            try faults("display.pins = { rs = 0, RW = 1, e = 8, d4 = 4, d5 = 4, d6 = 'x', d7 = 7 }") == [
                "boardd.toml:1:26: pins: \"RW\" is not a line of the display; did you mean rw? "
                    + "allowed: rs, e, d4, d5, d6, d7, rw, e2, backlight",
                "boardd.toml:1:38: pins: 8 is not a pin for e: must be a whole number from 0 to 7",
                "boardd.toml:1:54: pins: 4 is the pin of both d4 and d5",
                "boardd.toml:1:62: pins: 'x' is not a pin for d6: must be a whole number from 0 to 7",
            ])
    }

    @Test("keys of the display that contradict each other")
    func contradictions() throws {
        func display(_ keys: String...) throws -> [String] {
            try faults("display = { \(keys.joined(separator: ", ")) }")
        }
        let data = "d4 = 4, d5 = 5, d6 = 6, d7 = 7"
        #expect(
            try display("size = '40x4'") == [
                "boardd.toml:1:20: size = \"40x4\" needs the display's second enable line: write pins as a table with e2, "
                    + "in place of rw or backlight if no pin is free"
            ])
        #expect(
            try display("size = '40x4'", "pins = { rs = 0, e = 2, e2 = 2, \(data) }") == [
                "boardd.toml:1:57: pins: 2 is the pin of both e and e2"
            ])
        #expect(
            try display("pins = { rs = 0, e = 2, e2 = 1, \(data) }") == [
                "boardd.toml:1:20: pins has e2, which only a display of size 40x4 has: remove it"
            ])
        #expect(
            try display("expander = 'mcp23008'", "pins = 'standard'") == [
                "boardd.toml:1:43: pins is a map for pcf8574, but expander is \"mcp23008\": remove one of them"
            ])
        #expect(
            try display("expander = 'mcp23017'", "address = 0x3f") == [
                "boardd.toml:1:46: address is 0x3f, but an mcp23017 has an address from 0x20 to 0x27"
            ])
        #expect(
            try display("expander = 'mcp23017'", "pins = { rs = 8, e = 2, \(data) }") == [
                "boardd.toml:1:43: pins: a table has pins of both ports: all must be from 0 to 7, or all from 8 to 15"
            ])
        // What another driver does not use does not matter.
        #expect(try display("driver = 'none'", "size = '40x4'") == [])
    }

    @Test("a second button must set its line, and no two share one")
    func buttons() throws {
        let text = """
            [[button]]
            [[button]]
            short = "nxt"
            [[button]]
            line = 17
            [[button]]
            line = -1
            [[button]]
            chip = "/dev/gpiochip3"
            line = 17
            """
        #expect(
            try faults(text) == [
                "boardd.toml:2:3: [[button]] has no line, which must be a whole number from 0 to 1023",
                "boardd.toml:3:9: short is \"nxt\", but must be "
                    + "\"next\", \"previous\", \"sort\", \"open\", \"back\", \"refresh\" or \"none\"",
                "boardd.toml:5:8: line 17 is already used by button 1: each button needs its own line",
                "boardd.toml:7:8: line is -1, but must be a whole number from 0 to 1023",
            ])
    }

    @Test("a table instead of a list, and a value instead of a table, are reported with the correct form")
    func shapes() throws {
        #expect(
            try faults("board = 3\nlog = [[1]]\n[button]\nline = 3") == [
                "boardd.toml:1:1: board is 3, but must be a table: [board]",
                "boardd.toml:2:1: log is a list, but must be a table: [log]",
                "boardd.toml:3:2: button is a table, but must be a list of tables: write [[button]]",
            ])
        #expect(
            try faults("button = [1, { line = 2.5 }]") == [
                "boardd.toml:1:11: button holds 1, but must be a list of tables: [[button]]",
                "boardd.toml:1:23: line is 2.5, but must be a whole number from 0 to 1023",
            ])
    }

    @Test("a feed's keys are those that it declares")
    func feeds() throws {
        let text = """
            [feed.demo]
            url = "http://example.com"
            interval = "5s"
            region = ""
            key = 1
            [feed.dmo]
            [feed.town.City]
            """
        #expect(
            try faults(text) == [
                "boardd.toml:2:7: url: \"http://example.com\" is not encrypted: must be https; "
                    + "http is allowed only to this machine (localhost, 127.0.0.1, [::1])",
                "boardd.toml:3:12: interval is \"5s\", but must be "
                    + "a duration from 10s to 1h, such as \"30s\" or \"4m\"",
                "boardd.toml:4:10: region is \"\", \(Sentence.oneLine)",
                "boardd.toml:5:1: unknown key \"key\" in [feed.demo]; allowed: url, interval, region",
                "boardd.toml:6:7: unknown key \"dmo\" in [feed]; did you mean \"demo\"? allowed: demo, tfl, town",
                "boardd.toml:7:12: [feed.town.City]: \"City\" must be small letters, digits and hyphens, such as lametro",
            ])
    }

    @Test("an address with a key in it is rejected without repeating the key")
    func urlWithKey() throws {
        for address in ["https://user:hunter2@example.com", "https://example.com/?app_key=hunter2"] {
            let found = try faults("[feed.demo]\nurl = '\(address)'")
            #expect(
                found == [
                    "boardd.toml:2:7: url is an address with a name, a password or a query in it, "
                        + "but must be an address such as \"https://api.example.com\""
                ])
        }
    }

    @Test("an abbreviation maps a text to a text")
    func abbreviations() throws {
        #expect(
            try faults("[abbreviations]\nStation = 3\n\"Bus Stop\" = ''") == [
                "boardd.toml:2:11: Station is 3, \(Sentence.oneLine)",
                "boardd.toml:3:14: Bus Stop is '', \(Sentence.oneLine)",
            ])
    }
}
