import BoardCore
import BoardDisplays
import PanelModel
import Testing

@Suite("Recovery of a display")
struct HealingTests {
    private let rows = ["Oxford St N   12:04⚠", "73  Oxford Cir   due", "390 Archway       4m", "N73 Zürich éè  12:45"]

    @Test(
        "a byte without an acknowledge anywhere in a frame: cold start, glyphs, the complete frame",
        arguments: (0..<47).map { $0 * 7 })
    func rejectedByte(after count: Int) {
        var rig = Rig()
        rig.show(rig.frame(rows))
        let next = rig.frame(Array(repeating: "éèbbbbbbbbbbbbbbbbbb", count: 4))
        rig.bus.nackByte(after: count)
        let report = rig.show(next)
        #expect(report.health != .shown)
        let took = rig.attend(with: next, for: .seconds(1)) { $0.bus.cells == next.rows }
        #expect(rig.bus.cells == next.rows)
        #expect(took < .milliseconds(400))
        #expect(rig.bus.isAtRest)
    }

    @Test(
        "a byte without an acknowledge anywhere in an initialisation: it starts again",
        arguments: [0, 1, 2, 5, 9, 11, 20, 50, 333])
    func rejectedByteInStart(after count: Int) {
        var rig = Rig()
        rig.bus.nackByte(after: count)
        let frame = rig.frame(rows)
        #expect(rig.show(frame).health != .shown)
        _ = rig.attend(with: frame, for: .seconds(1)) { $0.bus.cells == frame.rows }
        #expect(rig.bus.cells == frame.rows)
    }

    @Test("unplugged and plugged in again: the newest frame reappears")
    func unplugged() {
        var rig = Rig()
        rig.show(rig.frame(rows))
        rig.bus.unplug()
        let frame = rig.frame(["12:05"])
        _ = rig.attend(with: frame, for: .seconds(30)) { _ in false }
        #expect(rig.bus.screen.allSatisfy { $0.allSatisfy { $0 == " " } })
        rig.bus.replug()
        let took = rig.attend(with: frame, for: .seconds(10)) { $0.bus.cells == frame.rows }
        #expect(rig.bus.cells == frame.rows)
        #expect(rig.bus.isLit)
        #expect(took <= .milliseconds(5_200))
    }

    @Test("a stuck line: attempts at most 3 s apart")
    func stuck() {
        var rig = Rig()
        rig.show(rig.frame(rows))
        rig.bus.hold(for: .seconds(60))
        let frame = rig.frame(["12:05"])
        var tries: [Instant] = []
        while rig.bus.cells != frame.rows, tries.count < 60 {
            tries.append(rig.bus.now)
            let report = rig.show(frame)
            rig.bus.advance(by: max((report.callAgainAt ?? rig.bus.now) - rig.bus.now, .zero))
        }
        #expect(rig.bus.cells == frame.rows)
        #expect(zip(tries, tries.dropFirst()).allSatisfy { $1 - $0 <= .seconds(3) })
    }

    @Test("between attempts the bus is idle")
    func backsOff() {
        var rig = Rig()
        rig.bus.unplug()
        let report = rig.show("loading")
        rig.bus.resetCounts()
        rig.show("12:04")
        #expect(rig.bus.counts == SimulatedExpander.Counts())
        #expect(rig.show("12:04").callAgainAt == report.callAgainAt)
    }

    @Test(
        "a re-synchronisation repairs any lost or stray nibble",
        arguments: (UInt8(0)..<16).map { $0 }, [true, false])
    func strayNibble(_ nibble: UInt8, isData: Bool) {
        var rig = Rig(resync: .seconds(60))
        rig.show(rig.frame(rows))
        let began = rig.bus.now
        rig.bus.advance(by: .seconds(10))
        rig.bus.strayNibble(nibble, data: isData)
        rig.show(rig.frame(["12:05 out of phase"] + rows.dropFirst()))
        rig.bus.advance(by: .seconds(10))
        let frame = rig.frame(["12:06"] + rows.dropFirst())
        _ = rig.attend(with: frame, for: .seconds(50)) { $0.bus.cells == frame.rows && $0.bus.isAtRest }
        #expect(rig.bus.cells == frame.rows)
        #expect(rig.bus.isAtRest)
        #expect(!rig.bus.isCursorVisible)
        #expect(rig.bus.now - began <= .milliseconds(60_100))
    }

    @Test("a re-synchronisation repairs either controller of a 40x4", arguments: [0, 1])
    func eitherController(_ controller: Int) {
        var rig = Rig(.fortyByFour, resync: .seconds(10))
        let frame = rig.frame(rows)
        rig.show(frame)
        rig.bus.strayNibble(0x1, controller: controller)
        rig.bus.advance(by: .seconds(10))
        rig.show(frame)
        #expect(rig.bus.cells == frame.rows && rig.bus.isAtRest)
        rig.bus.brownOut(controller: controller)
        rig.bus.advance(by: .seconds(10))
        rig.show(frame)
        #expect(rig.bus.cells == frame.rows && rig.bus.isAtRest)
    }

    @Test(
        "after an interruption of the whole supply that no transfer reported, a re-synchronisation repairs the expander too",
        arguments: [PinMap.standard, .adafruit])
    func interruptedSupply(_ pins: PinMap) {
        var rig = Rig(Panel(size: DisplaySize(columns: 20, rows: 4), pins: pins), resync: .seconds(10))
        let frame = rig.frame(rows)
        rig.show(frame)
        rig.bus.flicker()
        rig.bus.advance(by: .seconds(10))
        rig.show(frame)
        #expect(rig.bus.cells == frame.rows)
        #expect(rig.bus.isLit && rig.bus.isAtRest)
    }

    @Test("a re-synchronisation repairs each of the 256 stray instructions: shift, cursor, clear, one line, 8 bit")
    func strayInstructions() {
        for instruction in UInt8.min...UInt8.max {
            var rig = Rig(resync: .seconds(10))
            let frame = rig.frame(rows)
            rig.show(frame)
            rig.bus.advance(by: .seconds(1))
            rig.bus.strayNibble(instruction >> 4)
            rig.bus.strayNibble(instruction & 0xF)
            rig.bus.advance(by: .seconds(10))
            rig.show(frame)
            #expect(rig.bus.cells == frame.rows, "instruction \(instruction)")
            #expect(rig.bus.isAtRest && !rig.bus.isCursorVisible, "instruction \(instruction)")
            let next = rig.frame(["12:05"])
            rig.show(next)
            #expect(rig.bus.cells == next.rows, "instruction \(instruction)")
        }
    }

    @Test("a brown-out of the controller alone is repaired, and its random memory is never visible")
    func brownOut() {
        var rig = Rig(resync: .seconds(10))
        let frame = rig.frame(rows)
        rig.show(frame)
        rig.bus.brownOut()
        rig.bus.advance(by: .seconds(10))
        let screens = rig.bus.screens { rig.show(frame) }
        #expect(screens == [Frame(blank: rig.panel.size).rows, frame.rows])
    }

    @Test(
        "a re-synchronisation shows nothing new: a line may be blank for some ms, too short to see",
        arguments: [0, 0xF])
    func resyncIsInvisible(floating: UInt8) {
        var rig = Rig(floating: floating, resync: .seconds(10))
        let frame = rig.frame(rows)
        let report = rig.show(frame)
        #expect(report.callAgainAt == Instant(microseconds: 0) + .seconds(10))
        rig.bus.advance(by: .seconds(10))
        rig.bus.resetCounts()
        let screens = rig.bus.screens { rig.show(frame) }
        for screen in screens {
            #expect(zip(screen.joined(), frame.rows.joined()).allSatisfy { $0 == $1 || $0 == " " })
        }
        #expect(screens.last == frame.rows)
        #expect(rig.bus.counts.calls > 10)
        #expect(rig.bus.violations.isEmpty)
        #expect(rig.bus.counts.wire + rig.bus.counts.waited < 66_000_000)
    }

    @Test("a press changes the display before a due re-synchronisation")
    func pressBeforeResync() {
        var rig = Rig(resync: .seconds(10))
        rig.show(rig.frame(rows))
        rig.bus.advance(by: .seconds(11))
        let next = rig.frame(["by line"] + rows.dropFirst())
        let screens = rig.bus.screens { rig.show(next) }
        let firstRight = screens.firstIndex(of: next.rows)
        #expect(firstRight.map { $0 <= 20 } ?? false)
        #expect(screens.last == next.rows)
    }

    @Test("without re-synchronisation a working display requests no call")
    func noResync() {
        var rig = Rig(resync: nil)
        #expect(rig.show("12:04").callAgainAt == nil)
    }

    @Test("closing shows the last frame and leaves the controller in phase with E low; the next program starts")
    func close() {
        var rig = Rig()
        rig.show(rig.frame(rows))
        rig.display.close(last: rig.frame(["stopped"]), at: rig.bus.now)
        #expect(rig.bus.cells == rig.frame(["stopped"]).rows)
        #expect(rig.bus.isAtRest)
        var successor = HD44780Display(panel: rig.panel, resync: nil, bus: rig.bus)
        #expect(successor.show(rig.frame(rows), at: rig.bus.now).health == .shown)
        #expect(rig.bus.cells == rig.frame(rows).rows)
    }

    @Test("closing a missing display uses no bus")
    func closeAbsent() {
        var rig = Rig()
        rig.bus.unplug()
        rig.show("loading")
        rig.bus.resetCounts()
        rig.display.close(last: rig.frame(["stopped"]), at: rig.bus.now)
        #expect(rig.bus.counts == SimulatedExpander.Counts())
    }
}
