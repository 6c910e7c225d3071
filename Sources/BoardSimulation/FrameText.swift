public import BoardCore

/// A frame as text in a box.
public struct FrameText {
    public let lines: [String]

    public init(_ frame: Frame) {
        let edge = String(repeating: "─", count: frame.columns)
        let rows = frame.rows.map { row in "│" + String(row.map(Self.cell)) + "│" }
        lines = ["┌\(edge)┐"] + rows + ["└\(edge)┘"]
    }

    /// The one-column form of a cell: "?" for a wide character, a space for an empty one.
    private static func cell(_ character: Character) -> Character {
        guard !character.unicodeScalars.isEmpty else { return " " }
        // A character of several scalars may contain a control character.
        let text = String(character)
        if text.asPrintedLine != text { return text.asPrintedLine.first ?? " " }
        return character.unicodeScalars.contains(where: isWide) ? "?" : character
    }

    /// Whether a terminal uses two columns for a scalar: emoji, and the East Asian blocks that are wide throughout (UAX #11).
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isEmojiPresentation || scalar == "\u{FE0F}" { return true }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return true
        default:
            return false
        }
    }
}
