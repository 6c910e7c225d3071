import BoardCore
import PanelModel
import Testing

@testable import BoardDisplays

@Suite("Frames on the display")
struct FrameTests {
    @Test(
        "the display shows the frame, for every size and ROM, through random changes", arguments: Panel.all,
        [100_000, 400_000])
    func walk(_ panel: Panel, speed: Int) {
        var rig = Rig(panel, speed: speed)
        var walk = FrameWalk(panel, seed: 44_780)
        for step in 0..<80 {
            let frame = walk.next()
            #expect(rig.show(frame).health == .shown)
            #expect(rig.bus.cells == frame.rows, "step \(step)")
            rig.bus.advance(by: .milliseconds(250))
        }
        #expect(rig.bus.violations.isEmpty)
    }

    @Test(
        "every named pin map, and the usual one of each expander, draws the same and turns the backlight on",
        arguments: PinMap.named.sorted { $0.key < $1.key }
            + Expander.allCases.map { (key: $0.rawValue, value: $0.usualPins) })
    func pins(_ name: String, map: PinMap) {
        for map in [map, map.backlight(activeHigh: !map.isBacklightActiveHigh)] {
            var rig = Rig(Panel(size: DisplaySize(columns: 20, rows: 4), pins: map))
            let rows = ["Paddington  ! 12:04⚠", "12:45 Oxford 3    6m", "12:50 Bristo    Canc", ""]
            rig.show(rig.frame(rows, isLit: true))
            #expect(rig.bus.cells == rig.frame(rows).rows)
            #expect(rig.bus.isLit)
            rig.show(rig.frame(rows, isLit: false))
            #expect(rig.bus.cells == rig.frame(rows).rows)
            #expect(!rig.bus.isLit)
            #expect(rig.bus.violations.isEmpty)
        }
    }

    @Test(
        "the backlight has the right level from the first byte to the last", arguments: [true, false], [true, false])
    func light(isActiveHigh: Bool, isLit: Bool) throws {
        let pins = PinMap.standard.backlight(activeHigh: isActiveHigh)
        var writer = HD44780Controller(
            panel: Panel(size: DisplaySize(columns: 16, rows: 2), pins: pins), speed: 100_000)
        let steps = writer.coldStart(Frame(columns: 16, rows: ["73 due", ""], isLit: isLit)) + writer.resync()
        let expected: UInt8 = isActiveHigh == isLit ? 8 : 0
        for case .write(let portBytes) in steps {
            #expect(portBytes.allSatisfy { $0 & 8 == expected })
        }
    }

    @Test("every cell shows only its old character, a blank, or its new one", arguments: Panel.all)
    func neverWrong(_ panel: Panel) {
        var rig = Rig(panel, resync: .seconds(5))
        var walk = FrameWalk(panel, seed: 4)
        var old = walk.next()
        rig.show(old)
        for step in 0..<50 {
            let new = walk.next()
            let screens = rig.bus.screens { rig.show(new) }
            for screen in screens {
                #expect(isBetween(screen, old.rows, new.rows), "step \(step)")
            }
            old = new
            rig.bus.advance(by: .milliseconds(400))
        }
    }

    private func isBetween(_ screen: [[Character]], _ old: [[Character]], _ new: [[Character]]) -> Bool {
        let (before, after) = (Array(old.joined()), Array(new.joined()))
        return screen.joined().enumerated().allSatisfy { index, cell in
            cell == " " || cell == before[index] || cell == after[index]
        }
    }

    @Test("of more than eight glyphs the least important become their base letters")
    func tooManyGlyphs() {
        var rig = Rig()
        rig.show("éèêáàâíìóòúù", "⚠×↑")
        #expect(
            rig.bus.screen == [
                "éèêáàaiioouu        ", "⚠×↑                 ", "                    ", "                    ",
            ])
    }

    @Test("a frame of another size is cut or filled with blanks")
    func otherSize() {
        var rig = Rig(.sixteenByTwo)
        rig.show(Frame(columns: 20, rows: ["73  Oxford Cir   due", "390 Archway       4m", "third"]))
        #expect(rig.bus.screen == ["73  Oxford Cir  ", "390 Archway     "])
        rig.show(Frame(columns: 8, rows: ["12:04"]))
        #expect(rig.bus.screen == ["12:04           ", "                "])
    }
}
