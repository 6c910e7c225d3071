import BoardDisplays
import FoundationEssentials
import PanelModel
import Testing

@testable import BoardCore

/// Every page and message, drawn by the driver on a modelled panel and read back from its screen.
///
/// The pictures are in the text files beside this one. To change one on purpose, run the tests with
/// BOARDD_GALLERY=write and review the difference before it is committed.
@Suite("The gallery")
struct GalleryTests {
    @Test("shows every page and message on 16x2, 20x4, 40x2 and 40x4 with both character ROMs as it is drawn there")
    func pictures() throws {
        let sizes = [(16, 2), (20, 4), (40, 2), (40, 4)].map { DisplaySize(columns: $0.0, rows: $0.1) }
        try compare(Self.gallery(of: GallerySample.london, sizes, roms: CharacterROM.allCases), with: "gallery.txt")
    }

    @Test("shows every page and message in the other languages on 16x2 and 20x4 with the usual character ROM")
    func languages() throws {
        let sizes = [(16, 2), (20, 4)].map { DisplaySize(columns: $0.0, rows: $0.1) }
        let galleries = GallerySample.all.filter { $0.language != .english }.map { sample in
            Self.gallery(of: sample, sizes, roms: [.a00]).split(separator: "\n")
        }
        let lines = try #require(galleries.first).indices.map { index in
            let line = galleries.map { $0[index] }
            if line[0].hasPrefix("|") { return line.joined(separator: " ") }
            #expect(Set(line).count == 1)
            return String(line[0])
        }
        try compare(lines.map { $0 + "\n" }.joined(), with: "gallery-languages.txt")
    }

    @Test("shows every page and message on OLEDs, with texts of twice the size spaced out")
    func oled() throws {
        let states = [64, 32].flatMap { GalleryState.all(in: GallerySample.london, onOLEDOf: $0) }
        let pictures = states.map { state in
            var frame = Self.frame(of: state)
            for text in frame.doubled {
                frame.put(text.text.map { "\($0) " }.joined(), row: text.row, column: text.column)
            }
            return state.name + "\n" + frame.lines.map { "|\($0)|\n" }.joined() + "\n"
        }
        try compare(pictures.joined(), with: "gallery-oled.txt")
    }

    @Test("is in every language")
    func complete() {
        #expect(Set(GallerySample.all.map(\.language)) == Set(Language.allCases))
    }

    private static func gallery(of sample: GallerySample, _ sizes: [DisplaySize], roms: [CharacterROM]) -> String {
        sizes.flatMap { size in
            GalleryState.all(in: sample, on: size).map { picture(of: $0, size: size, roms: roms) }
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
            if !new.hasPrefix("|") { name = new }
            #expect(new == old, "\(name)")
        }
        #expect(stored == gallery, "another number of lines")
    }

    private static func frame(of state: GalleryState) -> Frame {
        state.name.hasSuffix(" ended")
            ? state.board.shutdownFrame(at: state.now) : state.board.render(at: state.now).frame
    }

    private static func picture(of state: GalleryState, size: DisplaySize, roms: [CharacterROM]) -> String {
        let frame = frame(of: state)
        let screens = roms.map { rom in
            // Only a 40x4 uses the second enable line.
            let pins = PinMap(rs: 0, e: 2, e2: 1, backlight: 3, data: [4, 5, 6, 7])
            let panel = Panel(size: size, rom: rom, pins: size.columns * size.rows > 80 ? pins : .standard)
            let expander = SimulatedExpander(panel: panel)
            var display = HD44780Display(panel: panel, resync: nil, bus: expander)
            _ = display.show(frame, at: state.now)
            #expect(expander.violations.isEmpty)
            return expander.screen
        }
        var text = state.name + "\n"
        for (row, first) in screens[0].enumerated() {
            text += "|\(first)|"
            for (rom, screen) in zip(roms, screens).dropFirst() where screen[row] != first {
                text += " \(rom.rawValue): |\(screen[row])|"
            }
            text += "\n"
        }
        return text + "\n"
    }
}
