public import BoardCore
import BoardIO
import Glibc

/// A display for `--simulate`: drawn on a terminal, as plain text, or as a log of frames.
///
/// Writes a frame only if it differs from the previous one.
public struct SimulatedDisplay: Display, Sendable {
    public enum Output: Hashable, Sendable {
        /// Drawn in place on a terminal, whose content is restored on closing; `note`: a line above the keys.
        case terminal(descriptor: Int32, hasColour: Bool, note: String? = nil)
        /// Frames as text in a box, each with its number and the seconds since the first.
        case text(descriptor: Int32)
        /// One JSON object per line: `{"t": 1500000, "lit": true, "rows": ["…"]}`; `t` is the frame's ``Instant`` in
        /// microseconds.
        case log(descriptor: Int32)
    }

    private let output: Output
    private let descriptor: Int32
    private let limit: Int
    private let onFrame: @Sendable (Int) -> Void
    /// The `errno` of the last write; 0 after a success.
    public private(set) var writeError: Int32 = 0
    private var count = 0
    private var start: Instant?
    private var last: Frame?
    private var isClosed = false

    /// - Parameters:
    ///   - output: the caller closes its descriptor.
    ///   - limit: the number of frames to write (`--frames`); nil: no limit.
    ///   - onFrame: called on the display's thread after each written frame, with the number of frames so far.
    public init(_ output: Output, limit: Int? = nil, onFrame: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.output = output
        self.limit = limit ?? .max
        self.onFrame = onFrame
        switch output {
        case .terminal(let descriptor, _, _), .text(let descriptor), .log(let descriptor):
            self.descriptor = descriptor
        }
    }

    /// Writes the frame; a failed write makes the display absent.
    public mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        guard frame != last, count < limit, !isClosed else { return DisplayReport(.shown) }
        let first = start ?? now
        let text = text(of: frame, number: count + 1, at: now, since: first)
        writeError = writeAll(Array(text.utf8).span, to: descriptor)
        guard writeError == 0 else {
            return DisplayReport(
                .absent("the simulated display cannot write to descriptor \(descriptor): \(errnoText(writeError))"))
        }
        start = first
        last = frame
        count += 1
        onFrame(count)
        return DisplayReport(.shown)
    }

    /// Writes the last frame; a terminal gets its own content back, with the last frame below.
    public mutating func close(last frame: Frame, at now: Instant) {
        guard !isClosed else { return }
        _ = show(frame, at: now)
        isClosed = true
        guard case .terminal = output, count > 0 else { return }
        let text = TerminalFrame.leave + FrameText(frame).lines.map { $0 + "\n" }.joined()
        _ = writeAll(Array(text.utf8).span, to: descriptor)
    }

    private func text(of frame: Frame, number: Int, at now: Instant, since first: Instant) -> String {
        switch output {
        case .terminal(_, let hasColour, let note):
            let drawing = TerminalFrame(frame, hasColour: hasColour, note: note).text
            return number == 1 ? TerminalFrame.enter + drawing : drawing
        case .text:
            let tenths = (now - first).wholeMicroseconds / 100_000
            let title = "frame \(number) · \(tenths / 10).\(tenths % 10) s"
            return FramePicture(title: title, frame: frame).lines.map { $0 + "\n" }.joined() + "\n"
        case .log:
            let rows = frame.lines.map(Self.quoted).joined(separator: ", ")
            return "{\"t\": \(now.microseconds), \"lit\": \(frame.isLit), \"rows\": [\(rows)]}\n"
        }
    }

    /// A string of JSON (RFC 8259 §7).
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\0"..<" ": "\\u" + scalar.value.padded(to: 4, radix: 16)
            default: "\(scalar)"
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}

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

    /// Whether a terminal uses two columns for a scalar: emoji, and the all-wide East Asian blocks (UAX #11).
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

/// The properties of the terminal that started the program.
public enum Terminal {
    /// Whether a descriptor is a terminal that supports cursor movement.
    public static func isTerminal(_ descriptor: Int32, environment: [String: String]) -> Bool {
        isatty(descriptor) == 1 && environment["TERM"] != "dumb"
    }

    /// Whether colours are allowed: not with a non-empty NO_COLOR (no-color.org).
    public static func usesColour(environment: [String: String]) -> Bool {
        environment["NO_COLOR"].isNilOr(\.isEmpty)
    }

    /// The size in characters; nil if the terminal does not report it.
    public static func size(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
