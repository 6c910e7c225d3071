import BoardCore
import BoardHardware
import BoardSimulation
import FoundationEssentials
import Testing

/// Every page and message, drawn by the driver on a modelled panel and read back from its glass.
///
/// The pictures are in gallery.txt beside this file, for people to look at. When one is meant to change, run the tests
/// with BOARDD_GALLERY=write and look at the difference before it is committed.
@Suite("The gallery")
struct GalleryTests {
    private static let file = "gallery.txt"

    @Test("shows every page and message on 16x2, 20x4 and 40x2 with both character ROMs as it is drawn there")
    func pictures() throws {
        var gallery = ""
        for size in [
            Panel.Size(columns: 16, rows: 2), Panel.Size(columns: 20, rows: 4), Panel.Size(columns: 40, rows: 2),
        ] {
            for scene in Scene.all(on: size) {
                gallery += Self.picture(of: scene, size: size)
            }
        }
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: Self.file)
        if ProcessInfo.processInfo.environment["BOARDD_GALLERY"] == "write" {
            try Data(gallery.utf8).write(to: path)
        }
        let kept = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        let pairs = zip(kept.split(separator: "\n\n"), gallery.split(separator: "\n\n"))
        for (old, new) in pairs { #expect("\n" + new == "\n" + old) }
        #expect(kept == gallery)
    }

    private static func picture(of scene: Scene, size: Panel.Size) -> String {
        let frame =
            scene.name.hasSuffix(" ended")
            ? scene.board.farewell(at: scene.now) : scene.board.picture(at: scene.now).frame
        let glasses = CharacterROM.allCases.map { rom in
            let panel = Panel(size: size, rom: rom)
            let expander = SimulatedExpander(panel: panel)
            var display = HD44780Display(panel: panel, resync: nil, bus: expander)
            _ = display.show(frame, at: scene.now)
            #expect(expander.violations.isEmpty)
            return expander.glass
        }
        var text = scene.name + "\n"
        for (first, second) in zip(glasses[0], glasses[1]) {
            text += first == second ? "|\(first)|\n" : "|\(first)| A02: |\(second)|\n"
        }
        return text + "\n"
    }
}
