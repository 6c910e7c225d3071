internal import BoardCore

/// A picture of `boardd hardware test`, and what a person should see.
struct TestPicture: Hashable, Sendable {
    let expected: String
    let frame: Frame

    /// The pictures for a display, in order; none without one.
    static func all(for display: DisplayWiring) -> [TestPicture] {
        let size = display.panel.size
        switch display.driver {
        case .hd44780:
            let first = [every(size), numbers(size, settings: "size or pins"), rom(display.panel), glyphs(size)]
            return display.panel.pins.backlight == nil
                ? first : first + lights(size, "The backlight is", else: "backlight_on or pins is wrong")
        case .ssd1306, .sh1106:
            let pictures = [every(size), numbers(size, settings: "driver, dots or size"), glyphs(size)]
            return pictures + lights(size, "The display is", else: "driver is wrong")
        case .ht16k33:
            return [every(size), columns(size)]
                + lights(size, "The modules are", else: "a module has another chip than an HT16K33")
        case .lcdproc:
            let pictures = [numbers(size, settings: "the size in LCDd.conf"), accent(size)]
            return pictures + lights(size, "The backlight is", else: "LCDd's driver cannot switch it")
        case .none:
            return []
        }
    }

    /// The picture that shows whether the size of a character LCD is right.
    static func numbers(for display: DisplayWiring) -> TestPicture? {
        display.driver == .hd44780 ? numbers(display.panel.size, settings: "size or pins") : nil
    }

    /// The picture while presses are awaited; `last` is the last one.
    static func buttons(_ size: Panel.Size, last: String) -> TestPicture {
        TestPicture(
            expected: "Press each button: short, twice, for one second, for two seconds. Ctrl-C ends the test.",
            frame: frame(size, "Press a button", last: last))
    }

    static func end(_ size: Panel.Size) -> Frame { frame(size, "Test ended") }

    private static func every(_ size: Panel.Size) -> TestPicture {
        let row = String(repeating: "█", count: size.columns)
        return TestPicture(
            expected: "Every dot or segment of every cell is on.",
            frame: Frame(columns: size.columns, rows: Array(repeating: row, count: size.rows)))
    }

    private static func numbers(_ size: Panel.Size, settings: String) -> TestPicture {
        var picture = frame(size, "  \(size)")
        for row in 0..<size.rows {
            picture.put("\(row + 1)", row: row)
            picture.put("\(row + 1)", row: row, column: size.columns - 1)
        }
        return TestPicture(
            expected:
                "The first and the last cell of each row hold its number, 1 to \(size.rows); else \(settings) is wrong.",
            frame: picture)
    }

    /// A character of its own in every cell of a row: two modules in the wrong order are visible.
    private static func columns(_ size: Panel.Size) -> TestPicture {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        let rows = (0..<size.rows).map { row in
            // The rows of two differ, as the modules of each are others.
            String((0..<size.columns).map { characters[($0 + row * size.columns) % characters.count] })
        }
        return TestPicture(
            expected: "\(rows.joined(separator: ", then ")); else the order of modules, leds or size is wrong.",
            frame: Frame(columns: size.columns, rows: rows))
    }

    /// Two codes whose characters differ between the ROMs: an arrow and a degree sign, or a tilde and an ß.
    private static func rom(_ panel: Panel) -> TestPicture {
        let characters = ([0x7E, 0xDF] as [UInt8]).compactMap(panel.rom.character(of:))
        return TestPicture(
            expected:
                "After \"ROM\": an arrow and a degree sign for rom = \"A00\", a tilde and a German sharp s for \"A02\". "
                + "boardd.toml: \"\(panel.rom.rawValue)\".",
            frame: frame(panel.size, "ROM " + String(characters)))
    }

    private static func glyphs(_ size: Panel.Size) -> TestPicture {
        TestPicture(
            expected: "A bar that rises in seven steps, and an e with an acute accent.",
            frame: frame(size, Glyph.bar[1...7].map { String($0) }.joined() + " é"))
    }

    private static func accent(_ size: Panel.Size) -> TestPicture {
        TestPicture(
            expected: "An e with an acute accent; else LCDd's driver shows no accents, and the board's are wrong.",
            frame: frame(size, "Accent é"))
    }

    private static func lights(_ size: Panel.Size, _ light: String, else cause: String) -> [TestPicture] {
        [false, true].map { isLit in
            let state = isLit ? "on" : "off"
            return TestPicture(
                expected: "\(light) \(state); else \(cause).", frame: frame(size, "Light \(state)", isLit: isLit))
        }
    }

    /// A frame with a text in the first row and one in the last, which takes the place of the first in a single row.
    private static func frame(_ size: Panel.Size, _ first: String, last: String = "", isLit: Bool = true) -> Frame {
        var frame = Frame(blank: size, isLit: isLit)
        if last.isEmpty || size.rows > 1 { frame.put(first, row: 0) }
        frame.put(last, row: size.rows - 1)
        return frame
    }
}
