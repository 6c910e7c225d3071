internal import BoardCore

/// A frame drawn in place on a terminal (ECMA-48 control sequences, and xterm's alternate screen).
struct TerminalFrame {
    /// Enters the alternate screen and hides the cursor.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
    /// Restores the cursor and the main screen.
    static let leave = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
    static let legend = ["space press · h hold · o hold long · d double", "2 second button · q quit"]

    private static let home = "\u{1B}[H"
    private static let endLine = "\u{1B}[K\r\n"
    private static let clearBelow = "\u{1B}[J"
    private static let plain = "\u{1B}[0m"
    /// Light green on dark green, of the 256 colours.
    private static let lit = "\u{1B}[38;5;157;48;5;22m"
    /// Faint grey on black: text without backlight.
    private static let unlit = "\u{1B}[2;38;5;244m"

    /// The text to write: from the top left corner, over the previous frame.
    let text: String

    /// - Parameter note: a line above the legend; nil: none.
    init(_ frame: Frame, hasColour: Bool, note: String? = nil) {
        let box = FrameText(frame).lines.map { line in
            hasColour ? (frame.isLit ? Self.lit : Self.unlit) + line + Self.plain : line
        }
        let light = frame.isLit ? [] : ["light off"]
        let lines = box + light + [note].compactMap(\.self) + Self.legend
        text = Self.home + lines.map { $0 + Self.endLine }.joined() + Self.clearBelow
    }
}
