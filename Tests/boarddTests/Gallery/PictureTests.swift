import BoardCore
import FoundationEssentials
import PanelModel
import Testing

@testable import BoardDisplays

/// Pages on displays with dots or segments, drawn by their drivers on modelled modules.
///
/// The pictures are SVG files beside this one, written as those of GalleryTests.
@Suite("The gallery's pictures")
struct PictureTests {
    @Test("OLEDs show departures, trains, a walk and the overview in twice the size, and a detail page")
    func oled() throws {
        let pictures = try [
            oled(.ssd1306, 64, "departures"), oled(.sh1106, 64, "six minutes' walk"),
            oled(.ssd1306, 64, "trains and a bus"), oled(.ssd1306, 64, "overview"),
            oled(.ssd1306, 32, "departures"), oled(.ssd1306, 32, "detail page of a service"),
        ]
        try compare(SVG.sheet(pictures, columns: 2, title: "The board on OLEDs"), with: "oled.svg")
    }

    @Test("LED modules show the next departures: eight or four of 14 segments, eight matrices")
    func led() throws {
        let (one, two) = (DisplaySize(columns: 16, rows: 1), DisplaySize(columns: 16, rows: 2))
        let pictures = try [
            led(.segments, 8, two, "departures"), led(.segments, 8, two, "second screen"),
            led(.segments, 4, one, "departures"),
            led(.wideMatrix, 8, DisplaySize(columns: 21, rows: 1), "departures"),
            led(.wideMatrix, 8, two, "second screen"),
        ]
        try compare(SVG.sheet(pictures, columns: 1, title: "The board on LED modules"), with: "led.svg")
    }

    private func frame(_ name: String, in states: [GalleryState]) throws -> Frame {
        let state = try #require(states.first { $0.name.hasSuffix(" " + name) })
        return state.board.render(at: state.now).frame
    }

    private func oled(_ chip: OLEDChip, _ height: Int, _ name: String) throws -> SVG {
        let frame = try frame(name, in: GalleryState.all(in: GallerySample.london, onOLEDOf: height))
        let size = DisplaySize(columns: frame.columns, rows: frame.rows.count)
        return SVG(frame, on: chip, height: height, title: "\(size) on \(chip) 128x\(height): \(name)")
    }

    private func led(_ kind: LEDModules.Kind, _ count: Int, _ size: DisplaySize, _ name: String) throws -> SVG {
        let frame = try frame(name, in: GalleryState.all(in: GallerySample.london, on: size))
        return SVG(frame, on: kind, count, title: "\(size) on \(count) modules \(kind.rawValue): \(name)")
    }

    private func compare(_ picture: String, with file: String) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: file)
        if ProcessInfo.processInfo.environment["BOARDD_GALLERY"] == "write" {
            try Data(picture.utf8).write(to: path)
        }
        let stored = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        #expect(stored == picture, "\(file) differs: BOARDD_GALLERY=write writes it again")
    }
}

/// A picture of lit and unlit dots or segments.
struct SVG {
    private let width: Int
    private let height: Int
    private let title: String
    private let ground: String
    private let body: String

    /// Square dots, one unit apart.
    init(dots: [[Bool]], lit: String, unlit: String? = nil, on ground: String = Self.black, title: String) {
        width = (dots.first?.count ?? 0) * Self.dot
        height = dots.count * Self.dot
        let style =
            "fill=\"none\" stroke-width=\".8\" stroke-dasharray=\".8 .2\" "
            + "transform=\"scale(\(Self.dot)) translate(.1 .5)\""
        let dark =
            unlit.map { "<path \(style) stroke=\"\($0)\" d=\"\(LCDDrawing.runs(of: false, in: dots))\"/>\n" } ?? ""
        let light = "<path \(style) stroke=\"\(lit)\" d=\"\(LCDDrawing.runs(of: true, in: dots))\"/>\n"
        self.title = title
        self.ground = ground
        body = dark + light
    }

    /// Characters of 14 segments and a point, row by row.
    init(segments rows: [[UInt16]], title: String) {
        width = (rows.map(\.count).max() ?? 0) * Self.cellWidth
        height = rows.count * Self.cellHeight
        let style = "fill=\"none\" stroke-width=\"7\" stroke-linecap=\"round\""
        let dark = "<path \(style) stroke=\"#2c1512\" d=\"\(Self.segments(of: 0, in: rows))\"/>\n"
        let light = "<path \(style) stroke=\"#ff5040\" d=\"\(Self.segments(of: 1, in: rows))\"/>\n"
        self.title = title
        ground = Self.black
        body = dark + light
    }

    private static func segments(of value: UInt16, in rows: [[UInt16]]) -> String {
        var path = ""
        for (row, characters) in rows.enumerated() {
            for (column, character) in characters.enumerated() {
                let (x, y) = (column * cellWidth + 8, row * cellHeight + 15)
                for (segment, (from, to)) in lines.enumerated() where character >> UInt16(segment) & 1 == value {
                    path += "M\(x + from.0) \(y + from.1)L\(x + to.0) \(y + to.1)"
                }
            }
        }
        return path
    }

    private static let black = "#080808"
    private static let dot = 10
    private static let cellWidth = 78
    private static let cellHeight = 120

    /// The ends of the segments, `a` to `n` and the point.
    private static let lines: [((Int, Int), (Int, Int))] = [
        ((8, 0), (44, 0)), ((52, 6), (52, 39)), ((52, 51), (52, 84)), ((8, 90), (44, 90)), ((0, 51), (0, 84)),
        ((0, 6), (0, 39)), ((8, 45), (20, 45)), ((32, 45), (44, 45)), ((10, 12), (20, 34)), ((26, 12), (26, 34)),
        ((42, 12), (32, 34)), ((20, 56), (10, 78)), ((26, 56), (26, 78)), ((32, 56), (42, 78)), ((62, 90), (62, 90)),
    ]

    /// Pictures side by side.
    static func sheet(_ pictures: [SVG], columns: Int, title: String) -> String {
        let rows = stride(from: 0, to: pictures.count, by: columns)
            .map { Array(pictures[$0..<min(pictures.count, $0 + columns)]) }
        return sheet(rows, title: title)
    }

    /// Rows of pictures, each on its ground.
    ///
    /// - Parameter hasCaptions: whether the titles stand above the pictures.
    static func sheet(_ rows: [[SVG]], title: String, hasCaptions: Bool = false) -> String {
        let gap = 60
        let pictures = rows.flatMap(\.self)
        let columns = rows.map(\.count).max() ?? 0
        let width = pictures.map(\.width).max() ?? 0
        var y = hasCaptions ? 2 * gap : gap
        var text = ""
        for line in rows {
            for (column, picture) in line.enumerated() {
                text +=
                    "<g transform=\"translate(\(gap + column * (width + 2 * gap)) \(y))\">\n"
                    + "<rect x=\"-30\" y=\"-30\" width=\"\(picture.width + 60)\" height=\"\(picture.height + 60)\" "
                    + "rx=\"16\" fill=\"\(picture.ground)\"/>\n\(picture.body)"
                    + (hasCaptions ? "<text y=\"-44\" font-size=\"44\">\(picture.title)</text>\n" : "") + "</g>\n"
            }
            y += (line.map(\.height).max() ?? 0) + (hasCaptions ? 3 : 2) * gap
        }
        let size = (columns * (width + 2 * gap), y - gap)
        return
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size.0) \(size.1)\" width=\"\(size.0 / 3)\">\n"
            + "<title>\(title)</title>\n<desc>\(pictures.map(\.title).joined(separator: "; "))</desc>\n\(text)</svg>\n"
    }
}

// Pictures of what the drivers show on modelled displays.
extension SVG {
    /// On a character LCD.
    init(_ frame: Frame, on panel: Panel, title: String) {
        let expander = SimulatedExpander(panel: panel)
        var display = HD44780Display(panel: panel, resync: nil, bus: expander)
        #expect(display.show(frame, at: Instant(microseconds: 0)).health == .shown)
        #expect(expander.violations.isEmpty)
        self.init(dots: expander.dots, lit: "#1d2a08", on: "#a3c614", title: title)
    }

    /// On an OLED.
    init(_ frame: Frame, on chip: OLEDChip, height: Int, title: String) {
        let size = DisplaySize(columns: frame.columns, rows: frame.rows.count)
        let device = SimulatedDevice(OLEDModel(chip: chip == .sh1106 ? .sh1106 : .ssd1306, height: height))
        let panel = OLEDPanel(chip: chip, height: height, size: size, brightness: 50)
        var display = ReconnectingDisplay(OLEDLink(panel: panel, bus: device), resync: nil)
        #expect(display.show(frame, at: Instant(microseconds: 0)).health == .shown)
        #expect(frame.doubled.isEmpty == (device.model.cells(size) == frame.rows))
        self.init(dots: device.model.dots, lit: "#bfe6ff", title: title)
    }

    /// On LED modules.
    init(_ frame: Frame, on kind: LEDModules.Kind, _ count: Int, title: String) {
        let size = DisplaySize(columns: frame.columns, rows: frame.rows.count)
        let modules = LEDModules(kind: kind, addresses: Array(LEDModules.addresses.prefix(count)))
        #expect(modules.sizes.contains(size))
        let devices = modules.addresses.map { _ in SimulatedDevice(HT16K33Model()) }
        let link = LEDLink(panel: LEDPanel(modules: modules, size: size, brightness: 50), buses: devices)
        var display = ReconnectingDisplay(link, resync: nil)
        #expect(display.show(frame, at: Instant(microseconds: 0)).health == .shown)
        let models = devices.map(\.model)
        let perRow = count / size.rows
        let rows = (0..<size.rows).map { Array(models[$0 * perRow..<($0 + 1) * perRow]) }
        guard let width = kind.dots else {
            self.init(segments: rows.map { $0.flatMap(\.segments) }, title: title)
            return
        }
        let dots = rows.flatMap { row in (0..<8).map { y in row.flatMap { $0.dots(columns: width)[y] } } }
        self.init(dots: dots, lit: "#ff5040", unlit: "#3a1210", title: title)
    }
}
