internal import BoardCore

/// A picture of `boardd hardware test`, and what a person should see.
struct TestPicture: Hashable, Sendable {
    let expected: String
    let frame: Frame

    /// The pictures for a display, in order.
    static func all(for display: DisplayWiring) -> [TestPicture] {
        let size = display.panel.size
        var pictures = [every(size), numbers(size)]
        if display.driver == .hd44780 { pictures.append(rom(display.panel)) }
        pictures.append(glyphs(size))
        if display.panel.pins.backlight != nil {
            pictures += [false, true].map { light(size, isLit: $0) }
        }
        return pictures
    }

    /// The picture while presses are awaited; `last` is the last one.
    static func buttons(_ size: Panel.Size, last: String) -> TestPicture {
        TestPicture(
            expected: "Press each button: short, twice, for one second, for two seconds. Ctrl-C ends the test.",
            frame: frame(size, "Press a button", "", "", last))
    }

    static func end(_ size: Panel.Size) -> Frame { frame(size, "Test ended") }

    private static func every(_ size: Panel.Size) -> TestPicture {
        let row = String(repeating: "█", count: size.columns)
        return TestPicture(
            expected: "Every dot of every cell is on.",
            frame: Frame(columns: size.columns, rows: Array(repeating: row, count: size.rows)))
    }

    private static func numbers(_ size: Panel.Size) -> TestPicture {
        var picture = frame(size, " \(size)")
        for row in 0..<size.rows {
            picture.put("\(row + 1)", row: row)
            picture.put("\(row + 1)", row: row, column: size.columns - 1)
        }
        return TestPicture(
            expected:
                "The first and the last cell of each row hold its number, 1 to \(size.rows); else size or pins is wrong.",
            frame: picture)
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

    private static func light(_ size: Panel.Size, isLit: Bool) -> TestPicture {
        TestPicture(
            expected: "The backlight is \(isLit ? "on" : "off"); else backlight_on or pins is wrong.",
            frame: frame(size, "Light \(isLit ? "on" : "off")", isLit: isLit))
    }

    /// A frame with these rows; the last one is in the display's last row.
    private static func frame(_ size: Panel.Size, _ rows: String..., isLit: Bool = true) -> Frame {
        var frame = Frame(blank: size, isLit: isLit)
        for (row, text) in rows.enumerated() where !text.isEmpty { frame.put(text, row: min(row, size.rows - 1)) }
        return frame
    }
}
