internal import BoardCore

/// The commands of LCDd's protocol 0.3 (lcdproc-dev, "The LCDd network protocol") that the client uses: lines of ISO 8859-1.
enum LCDdCommand {
    private static let screen = "board"

    static let hello = Array("hello\n".utf8)

    /// Adds a screen that is shown as long as the client is connected, with a text for each row. Each command has one reply.
    static func setUp(rows: Int) -> [[UInt8]] {
        let commands = [
            "client_set -name boardd", "screen_add \(screen)", "screen_set \(screen) -priority foreground",
            "screen_set \(screen) -heartbeat off",
        ]
        let widgets = (1...max(1, rows)).map { "widget_add \(screen) row\($0) string" }
        return (commands + widgets).map { Array("\($0)\n".utf8) }
    }

    /// Sets a row of text, counted from 0.
    static func text(_ cells: [Character], row: Int) -> [UInt8] {
        Array("widget_set \(screen) row\(row + 1) 1 \(row + 1) ".utf8) + quoted(cells) + [0x0A]
    }

    static func light(_ isLit: Bool) -> [UInt8] {
        Array("screen_set \(screen) -backlight \(isLit ? "on" : "off")\n".utf8)
    }

    /// A quoted text. It contains only printable characters of ISO 8859-1, and the quote and the backslash only escaped, so that no
    /// text ends the argument or the line.
    static func quoted(_ cells: [Character]) -> [UInt8] {
        let quote: UInt8 = 0x22
        let backslash: UInt8 = 0x5C
        let bytes = cells.flatMap { cell -> [UInt8] in
            let code = latin1(cell.substitute { latin1($0) != nil }) ?? 0x3F
            return code == quote || code == backslash ? [backslash, code] : [code]
        }
        return [quote] + bytes + [quote]
    }

    /// The code of a printable character in ISO 8859-1, without the no-break space and the soft hyphen, which displays draw
    /// differently.
    private static func latin1(_ character: Character) -> UInt8? {
        let composed = character.unicodeScalars.count == 1 ? character.unicodeScalars.first : nil
        guard let value = composed?.value, (0x20...0x7E).contains(value) || (0xA1...0xFF).contains(value), value != 0xAD
        else { return nil }
        return UInt8(value)
    }
}
