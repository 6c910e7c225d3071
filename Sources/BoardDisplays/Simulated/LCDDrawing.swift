public import BoardCore

/// A frame as a picture of a character LCD, in SVG.
///
/// The dots are those that the controller turns on: eight custom glyphs, and look-alikes from its ROM for the rest. The
/// characters of the ROM are drawn in the board's own font, which lacks kana.
public struct LCDDrawing: Sendable {
    /// The common colours of panels.
    public enum Colour: String, CaseIterable, Sendable {
        case green, blue, white, amber

        /// The ground, a dot that is off, and one that is on.
        fileprivate var paints: (ground: String, off: String, on: String) {
            switch self {
            case .green: ("#a3c614", "#9abc10", "#1d2a08")
            case .blue: ("#1d3fd1", "#2a4cdc", "#f1f5ff")
            case .white: ("#e6ebef", "#dbe1e6", "#14171a")
            case .amber: ("#ffa01c", "#f39612", "#2b1500")
            }
        }
    }

    private let frame: Frame
    /// The rows of dots of the whole panel; true: the dot is on.
    public let dots: [[Bool]]
    /// Whether it is an OLED, whose dots have no gaps between cells and no colour while they are off.
    public let isOLED: Bool
    private let paints: (ground: String, off: String, on: String)
    private let title: String

    public init(_ frame: Frame, on panel: Panel, colour: Colour, title: String) {
        self.init(
            frame: frame, dots: Self.dots(of: frame, on: panel), isOLED: false, paints: colour.paints, title: title)
    }

    /// A frame as a picture of an OLED with this many rows of dots.
    public init(_ frame: Frame, onOLEDOf dotRows: Int, title: String) {
        let size = DisplaySize(columns: frame.columns, rows: frame.rows.count)
        let panel = OLEDPanel(chip: .ssd1306, height: dotRows, size: size, brightness: 100)
        let pages = panel.pages(of: frame, shift: panel.spareColumns / 2)
        let dots = (0..<dotRows).map { row in pages[row / 8].map { $0 >> UInt8(row % 8) & 1 == 1 } }
        self.init(frame: frame, dots: dots, isOLED: true, paints: ("#080808", "#080808", "#bfe6ff"), title: title)
    }

    private init(
        frame: Frame, dots: [[Bool]], isOLED: Bool, paints: (ground: String, off: String, on: String), title: String
    ) {
        self.frame = frame
        self.dots = dots
        self.isOLED = isOLED
        self.paints = paints
        self.title = title
    }

    /// The SVG document; its description has the rows of the frame.
    public var svg: String {
        let margin = Self.bezel + Self.border
        let columns = dots.first?.count ?? 0
        // Each row of dots is one dashed line.
        let unlit =
            isOLED ? "" : dots.indices.filter { $0 % Self.cellHeight < 8 }.map { "M0 \($0)h\(columns)" }.joined()
        let (width, height) = (columns + 2 * margin, dots.count + 2 * margin)
        let ground = Self.rectangle(at: Self.bezel, width - 2 * Self.bezel, height - 2 * Self.bezel, paints.ground)
        let lines: [String] = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width * Self.scale)\" "
                + "height=\"\(height * Self.scale)\" role=\"img\">",
            "<title>\(Self.escaped(title))</title>",
            "<desc>\(frame.lines.map(Self.escaped).joined(separator: "\n"))</desc>",
            Self.rectangle(at: 0, width, height, "#17191c"),
            // Without backlight the bezel is visible through the panel.
            frame.isLit ? "<g>" : "<g opacity=\".35\">",
            ground,
            "<g transform=\"translate(\(margin) \(margin))\(Self.dashes)\(isOLED ? "" : Self.gap)\">",
            "<path stroke=\"\(paints.off)\" d=\"\(unlit)\"/>",
            "<path stroke=\"\(paints.on)\" d=\"\(Self.runs(of: true, in: dots))\"/>",
            "</g></g></svg>",
        ]
        return lines.map { $0 + "\n" }.joined()
    }

    /// The path data of the horizontal runs of equal dots, in units of dots.
    public static func runs(of value: Bool, in dots: [[Bool]]) -> String {
        var path = ""
        for (y, row) in dots.enumerated() {
            var x = 0
            while x < row.count {
                let length = row[x...].prefix { $0 == row[x] }.count
                if row[x] == value { path += "M\(x) \(y)h\(length)" }
                x += length
            }
        }
        return path
    }

    /// The width of the bezel, and of the border of the panel around its dots, in dots.
    private static let (bezel, border) = (3, 4)
    /// The size of a dot with its gap.
    private static let scale = 5
    /// The height of a cell and the gap below it: as wide as a dot, as on common modules.
    private static let cellHeight = 9
    /// Divides a line into dots, 0.88 wide and high.
    private static let dashes = " translate(.06 .5)\" fill=\"none\" stroke-width=\".88\" stroke-dasharray=\".88 .12"
    /// Continues the dashes of a cell of five dots, with the gap after it.
    private static let gap = " .88 .12 .88 .12 .88 .12 .88 1.12"

    /// The rows of dots of the whole panel, with the gaps between cells.
    private static func dots(of frame: Frame, on panel: Panel) -> [[Bool]] {
        let (columns, rows) = (panel.size.columns, panel.size.rows)
        let blank = [Bool](repeating: false, count: columns * PixelFont.cellWidth - 1)
        var dots = [[Bool]](repeating: blank, count: rows * cellHeight - 1)
        var slots = GlyphSlots()
        for (cell, code) in slots.encode(frame, for: panel).codes.enumerated() {
            let character = panel.rom.character(of: code)
            let glyph = GlyphSlots.slot(of: code).map { slots.glyphs[$0] } ?? character.map(PixelFont.glyph(of:))
            let (x, y) = (cell % columns * PixelFont.cellWidth, cell / columns * cellHeight)
            for (row, bits) in (glyph?.rows ?? []).enumerated() {
                for column in 0..<PixelFont.width where bits >> UInt8(PixelFont.width - 1 - column) & 1 == 1 {
                    dots[y + row][x + column] = true
                }
            }
        }
        return dots
    }

    private static func rectangle(at offset: Int, _ width: Int, _ height: Int, _ fill: String) -> String {
        "<rect x=\"\(offset)\" y=\"\(offset)\" width=\"\(width)\" height=\"\(height)\" rx=\"2\" fill=\"\(fill)\"/>"
    }

    private static func escaped(_ text: String) -> String { XMLText.escaped(text.asPrintedLine) }
}

/// A frame as text with a title: what `boardd demo` prints without a terminal, and what the gallery stores.
public struct FramePicture: Hashable, Sendable {
    /// Empty: none.
    public let title: String
    public let frame: Frame

    /// The end of the title of a frame without backlight.
    static let lightOff = " · light off"

    public init(title: String, frame: Frame) {
        self.title = title + (frame.isLit || title.hasSuffix(Self.lightOff) ? "" : Self.lightOff)
        self.frame = frame
    }

    /// Reads every picture in a text: lines between `|` or `│`, below the line with the title.
    ///
    /// - Throws: the line, from 1, and what is wrong with the row in it.
    public static func all(in text: String) throws -> [FramePicture] {
        var pictures: [FramePicture] = []
        var title = ""
        var rows: [String] = []
        let lines: [Substring] = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) + [""]
        for (index, line) in lines.enumerated() {
            let line = trimmed(line)
            if let bar = line.first, bar == "|" || bar == "│" {
                let row = line.dropFirst().dropLast()
                guard line.count > 1, line.last == bar else {
                    throw PlainError("\(index + 1): the row has no \(bar) at its end")
                }
                let width = rows.first?.count ?? row.count
                guard row.count == width else {
                    throw PlainError("\(index + 1): the row has \(row.count) cells, the first of its picture \(width)")
                }
                rows.append(String(row))
                continue
            }
            if let width = rows.first?.count {
                let frame = Frame(columns: width, rows: rows, isLit: !title.hasSuffix(lightOff))
                pictures.append(FramePicture(title: title, frame: frame))
                title = ""
                rows = []
            }
            if let first = line.first, first != "┌", first != "└" { title = String(line) }
        }
        return pictures
    }

    /// The lines of the picture: the title if it has one, and the frame in a box.
    public var lines: [String] { (title.isEmpty ? [] : [title.asPrintedLine]) + FrameText(frame).lines }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop(while: \.isWhitespace)
        while line.last?.isWhitespace == true { line.removeLast() }
        return line
    }
}
