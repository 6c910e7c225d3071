import BoardDisplays
import FoundationEssentials
import PanelModel
import Testing

@testable import BoardCore

/// Every page and message, drawn by the driver on modelled panels and read back from their screens, side by side.
///
/// The pictures are in the text files beside this one. To change one on purpose, run `make pictures` and review the
/// difference before it is committed.
@Suite("The gallery")
struct GalleryTests {
    @Test("shows every page and message on 16x2, 20x4, 40x2 and 40x4 as it is drawn there")
    func pictures() throws {
        let panels = [(16, 2), (20, 4), (40, 2), (40, 4)].map { DisplaySize(columns: $0.0, rows: $0.1) }.map {
            Panel("\($0)", Self.pictures(of: GallerySample.london, on: $0))
        }
        try compare(Self.sheet(panels), with: "gallery.txt")
    }

    @Test("shows every page and message in the other languages on 16x2 and 20x4")
    func languages() throws {
        let sizes = [(16, 2), (20, 4)].map { DisplaySize(columns: $0.0, rows: $0.1) }
        let panels = GallerySample.all.filter { $0.language != .english }.flatMap { sample in
            sizes.map { Panel("\(sample.language.rawValue) \($0)", Self.pictures(of: sample, on: $0, roms: [.a00])) }
        }
        try compare(Self.sheet(panels), with: "gallery-languages.txt")
    }

    @Test("shows every page and message on OLEDs, with texts of twice the size spaced out")
    func oled() throws {
        let panels = [64, 32].map { height in
            let states = GalleryState.all(in: GallerySample.london, onOLEDOf: height)
            return Panel(
                "OLED 128x\(height)",
                states.map { state in
                    var frame = Self.frame(of: state)
                    for text in frame.doubled {
                        frame.put(text.text.map { "\($0) " }.joined(), row: text.row, column: text.column)
                    }
                    return FramePicture(title: state.name, frame: frame)
                })
        }
        try compare(Self.sheet(panels), with: "gallery-oled.txt")
    }

    @Test("is in every language")
    func complete() {
        #expect(Set(GallerySample.all.map(\.language)) == Set(Language.allCases))
    }

    /// The states of a sample as they are drawn on a character LCD, the same with each of the character ROMs.
    static func pictures(
        of sample: GallerySample, on size: DisplaySize, roms: [CharacterROM] = CharacterROM.allCases
    ) -> [FramePicture] {
        GalleryState.all(in: sample, on: size).map { state in
            let frame = frame(of: state)
            let screens = roms.map { rom in
                // Only a 40x4 uses the second enable line.
                let pins = PinMap(rs: 0, e: 2, e2: 1, backlight: 3, data: [4, 5, 6, 7])
                let panel = BoardDisplays.Panel(
                    size: size, rom: rom, pins: size.columns * size.rows > 80 ? pins : .standard)
                let expander = SimulatedExpander(panel: panel)
                var display = HD44780Display(panel: panel, resync: nil, bus: expander)
                _ = display.show(frame, at: state.now)
                #expect(expander.violations.isEmpty)
                return expander.screen
            }
            #expect(Set(screens).count == 1, "\(state.name)")
            return FramePicture(title: state.name, frame: Frame(columns: size.columns, rows: screens[0]))
        }
    }

    private static func frame(of state: GalleryState) -> Frame {
        state.name.hasSuffix(" ended")
            ? state.board.shutdownFrame(at: state.now) : state.board.render(at: state.now).frame
    }

    /// A column of the sheet.
    private struct Panel {
        let title: String
        /// The rows of each state, by its name.
        let pictures: [(name: String, rows: [String])]
        var width: Int { max(title.count, (pictures.first?.rows.first?.count ?? 0)) }

        init(_ title: String, _ pictures: [FramePicture]) {
            self.title = title
            let display = title.split(separator: " ").last ?? ""
            self.pictures = pictures.map { picture in
                let name = picture.title.firstRange(of: "\(display) ").map { picture.title[$0.upperBound...] } ?? ""
                return (String(name), picture.frame.lines.map { "|\($0)|" })
            }
        }
    }

    /// Each state on all panels side by side. Where texts alternate, panels have different numbers of states.
    private static func sheet(_ panels: [Panel]) -> String {
        var names: [String] = []
        for panel in panels {
            var next = 0
            for (name, _) in panel.pictures {
                if let known = names.firstIndex(of: name) { next = known } else { names.insert(name, at: next) }
                next += 1
            }
        }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, panels).map { $0 + String(repeating: " ", count: max(0, $1.width - $0.count)) }
            return padded.joined(separator: " ").replacing(/\ +$/, with: "") + "\n"
        }
        return line(panels.map(\.title))
            + names.map { name in
                let states = panels.map { panel in panel.pictures.first { $0.name == name }?.rows ?? [] }
                let rows = (0..<(states.map(\.count).max() ?? 0)).map { row in
                    line(states.map { row < $0.count ? $0[row] : "" })
                }
                return name + "\n" + rows.joined()
            }.joined()
    }

    private func compare(_ gallery: String, with file: String) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: file)
        if ProcessInfo.processInfo.environment["BOARDD_GALLERY"] == "write" {
            try Data(gallery.utf8).write(to: path)
        }
        let stored = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        var name = Substring()
        for (old, new) in zip(stored.split(separator: "\n"), gallery.split(separator: "\n")) {
            if !new.hasSuffix("|") { name = new }
            #expect(new == old, "\(name)")
        }
        #expect(stored == gallery, "another number of lines")
    }
}
