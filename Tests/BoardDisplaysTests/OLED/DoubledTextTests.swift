import BoardCore
import PanelModel
import Testing

@testable import BoardDisplays

@Suite("Texts of twice the size on an OLED")
struct DoubledTextTests {
    private func picture(_ frame: Frame, height: Int = 64, rows: Int = 8) -> [String] {
        var rig = OLEDRig(height: height, rows: rows)
        _ = rig.display.show(frame, at: OLEDRig.start)
        #expect(rig.device.model.violations.isEmpty)
        let left = rig.panel.spareColumns / 2
        return rig.device.model.dots.map { row in String(row.dropFirst(left).map { $0 ? "#" : "." }) }
    }

    @Test("have rounded corners: a digit and a letter, dot by dot")
    func dots() {
        var frame = Frame(blank: DisplaySize(columns: 20, rows: 8))
        frame.put(doubled: "4m", row: 2, column: 3)
        let dots = picture(frame)
        let text = dots[11..<27].map { String($0.dropFirst(18).prefix(22)) }
        #expect(
            text == [
                "......##..............",
                ".....###..............",
                "....####..............",
                "...#####..............",
                "..##..##.....###..##..",
                ".###..##....####..###.",
                "##....##....##..##..##",
                "##...####...##..##..##",
                "##########..##..##..##",
                ".#########..##..##..##",
                ".....####...##......##",
                "......##....##......##",
                "......##....##......##",
                "......##....##......##",
                "......................",
                "......................",
            ])
        let others = dots[..<11] + dots[27...] + dots[11..<27].map { String($0.prefix(18) + $0.dropFirst(40)) }
        #expect(others.allSatisfy { !$0.contains("#") })
    }

    @Test("replace the small text in their cells, and leave all other cells as they are")
    func cells() {
        var frame = Frame(columns: 20, rows: (0..<4).map { "\($0)bcdefghijklmnopqrst" })
        let plain = picture(frame, height: 32, rows: 4)
        frame.put(doubled: "12", row: 2, column: 16, isAtEnd: true)
        #expect(frame.lines[2] == "2bcdefghijklmnopqr12")
        let dots = picture(frame, height: 32, rows: 4)
        #expect(dots[..<16] == plain[..<16])
        #expect(dots.map { $0.prefix(96) } == plain.map { $0.prefix(96) })
        frame.put("    ", row: 2, column: 16)
        frame.put("    ", row: 3, column: 16)
        #expect(dots == picture(frame, height: 32, rows: 4))
    }

    @Test("stand two dots apart where three departures are below a small first row")
    func gaps() {
        var frame = Frame(columns: 20, rows: ["H"] + Array(repeating: "", count: 7))
        for row in [2, 4, 6] { frame.put(doubled: "H", row: row, column: 0) }
        let lit = picture(frame).map { $0.hasPrefix("#") }
        // A letter has a blank row below it, or two.
        let height = lit.split(separator: false).map(\.count)
        let gaps = lit.split(separator: true).map(\.count)
        #expect(height == [7, 14, 14, 14] && gaps == [4, 4, 4, 3])
    }

    @Test("are small where every letter is 16 dots high, and outside the display")
    func stretched() {
        var frame = Frame(blank: DisplaySize(columns: 20, rows: 4))
        frame.put(doubled: "4m", row: 1, column: 16, isAtEnd: true)
        #expect(
            picture(frame, rows: 4) == picture(Frame(columns: 20, rows: ["", "                  4m", "", ""]), rows: 4))
        var cut = Frame(blank: DisplaySize(columns: 20, rows: 8))
        cut.put(doubled: "4m", row: 7, column: 0)
        cut.put(doubled: "m", row: 0, column: 19)
        #expect(picture(cut).allSatisfy { !$0.contains("#") })
    }
}
