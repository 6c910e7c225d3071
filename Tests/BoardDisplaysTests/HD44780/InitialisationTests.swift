import BoardCore
import BoardDisplays
import PanelModel
import Testing

/// All states in which a controller may be found: 8 bit, 4 bit in phase, each pending nibble; and both levels of D0–D3.
struct FoundState: Sendable, CustomTestStringConvertible {
    let start: HD44780Model.Start
    let floating: UInt8

    static let all: [FoundState] = [0, 0xF].flatMap { floating in
        ([.eightBit, .fourBit] + (0..<16).map { .pending($0) }).map { FoundState(start: $0, floating: floating) }
    }

    var testDescription: String { "\(start), D0-D3 \(floating)" }
}

@Suite("The initialisation of the controller")
struct InitialisationTests {
    @Test("there are 36 initial states")
    func states() {
        #expect(FoundState.all.count == 36)
    }

    @Test("the first frame is correct from any state, at both speeds", arguments: FoundState.all, [100_000, 400_000])
    func anyState(_ found: FoundState, speed: Int) {
        var rig = Rig(speed: speed, start: found.start, floating: found.floating)
        let report = rig.show(
            "Oxford St N   12:04⚠", "73  Oxford Cir   due", "390 Archway       4m", "N73 Wältham    12:45")
        #expect(report.health == .shown)
        #expect(
            rig.bus.screen == [
                "Oxford St N   12:04⚠", "73  Oxford Cir   due", "390 Archway       4m", "N73 Wältham    12:45",
            ])
        #expect(rig.bus.violations.isEmpty)
        #expect(!rig.bus.isCursorVisible)
        #expect(rig.bus.isAtRest)
    }

    @Test("both controllers of a 40x4 are initialised from any state", arguments: FoundState.all, [100_000, 400_000])
    func twoControllers(_ found: FoundState, speed: Int) {
        var rig = Rig(.fortyByFour, speed: speed, start: found.start, floating: found.floating)
        let frame = rig.frame(["Oxford St N   12:04⚠", "73  Oxford Circus é", "390 Archway", "N73 Wältham ü"])
        #expect(rig.show(frame).health == .shown)
        #expect(rig.bus.cells == frame.rows)
        #expect(rig.bus.violations.isEmpty && !rig.bus.isCursorVisible && rig.bus.isAtRest)
    }

    @Test(
        "a display with other content is dark from the first instruction to the complete new frame",
        arguments: [0, 0xF] as [UInt8])
    func warmStart(floating: UInt8) throws {
        var rig = Rig(floating: floating)
        let old = rig.frame(["Oxford St N   12:04⚠", "73  Oxford Cir   due", "390 Archway       4m"])
        rig.show(old)
        rig.display.close(last: old, at: rig.bus.now)
        // The next program finds the controller in phase, with its display on.
        var successor = HD44780Display(panel: rig.panel, resync: nil, bus: rig.bus)
        let new = rig.frame(["Euston        12:05█", "18  Sudbury       2m", "30  Häckney       9m", "!"])
        let screens = rig.bus.screens { _ = successor.show(new, at: rig.bus.now) }
        let dark = try #require(screens.firstIndex(of: Frame(blank: rig.panel.size).rows))
        // During the phase alignment a row of the old frame may disappear, and nothing else appears.
        for screen in screens[..<dark] {
            #expect(zip(screen.joined(), old.rows.joined()).allSatisfy { $0 == $1 || $0 == " " })
        }
        #expect(Array(screens[dark...]) == [Frame(blank: rig.panel.size).rows, new.rows])
        #expect(rig.bus.violations.isEmpty)
    }

    @Test("a board starts without a display, reports it, and initialises it when it appears")
    func startsWithout() {
        var rig = Rig()
        rig.bus.unplug()
        let report = rig.show("loading")
        #expect(rig.bus.counts.calls == 0 && rig.bus.counts.probes == 1)
        guard case .absent(let fault) = report.health else {
            Issue.record("shown on a display that is not there")
            return
        }
        #expect(fault.description.contains("no device acknowledges"))
        #expect(report.callAgainAt == rig.bus.now + .milliseconds(100) - rig.bus.sinceProbe)
        rig.bus.replug()
        let frame = rig.frame(["12:04"])
        _ = rig.attend(with: frame, for: .seconds(1)) { $0.bus.cells == frame.rows }
        #expect(rig.bus.cells == frame.rows)
        #expect(rig.bus.violations.isEmpty)
    }
}

extension SimulatedExpander {
    /// The time on the wire of a read without an acknowledge: START, address, STOP at 100 kHz.
    var sinceProbe: Duration { .microseconds(110) }
}
