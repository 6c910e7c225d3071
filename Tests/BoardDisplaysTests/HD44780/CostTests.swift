import BoardCore
import BoardDisplays
import PanelModel
import Testing

@Suite("The cost of a frame on the bus")
struct CostTests {
    /// Shows the rows `from`, then counts the cost of showing `to`. A frame before them leaves RS at data, as in normal
    /// operation.
    private func cost(
        _ panel: Panel = .twentyByFour, speed: Int = 100_000, from: [String], to: [String], lit: Bool = true
    ) -> SimulatedExpander.Counts {
        var rig = Rig(panel, speed: speed)
        rig.show(rig.frame(["start"]))
        rig.show(rig.frame(from))
        rig.bus.resetCounts()
        rig.show(rig.frame(to, isLit: lit))
        #expect(rig.bus.cells == rig.frame(to).rows)
        return rig.bus.counts
    }

    private func full(_ panel: Panel, _ character: Character) -> [String] {
        Array(repeating: String(repeating: character, count: panel.size.columns), count: panel.size.rows)
    }

    @Test(
        "a complete frame needs only its cells and one address per run",
        arguments: [
            (Panel.twentyByFour, 326, 10),
            (.sixteenByTwo, 140, 5),
            (Panel(size: DisplaySize(columns: 20, rows: 2)), 172, 6),
            (Panel(size: DisplaySize(columns: 40, rows: 2)), 326, 10),
            (Panel(size: DisplaySize(columns: 16, rows: 4)), 268, 9),
            // Both controllers take their addresses and their cells together: 162 bytes and two changes of RS.
            (.fortyByFour, 650, 20),
            // One of the 33 bytes of a call is the register.
            (Panel(size: DisplaySize(columns: 20, rows: 4), pins: .adafruit), 326, 11),
        ])
    func wholeFrame(_ panel: Panel, portBytes: Int, calls: Int) {
        let counts = cost(panel, from: full(panel, "a"), to: full(panel, "b"))
        #expect(counts.portBytes == portBytes)
        #expect(counts.calls == calls)
        #expect(counts.waited == 0)
    }

    @Test("an initialisation is six calls, and the complete 20x4 that it ends with ten, as any other")
    func initialisation() {
        var rig = Rig(.twentyByFour, speed: 100_000)
        let frame = rig.frame(full(.twentyByFour, "a"))
        rig.show(frame)
        #expect(rig.bus.counts.calls == 6 + 10)
        #expect(rig.bus.cells == frame.rows)
    }

    @Test("a complete 20x4 takes 30.44 ms at 100 kHz, and 9.47 ms at 400 kHz with its padding")
    func wireTime() {
        let slow = cost(from: full(.twentyByFour, "a"), to: full(.twentyByFour, "b"))
        #expect(slow.wire == 30_440_000)
        let fast = cost(speed: 400_000, from: full(.twentyByFour, "a"), to: full(.twentyByFour, "b"))
        #expect(fast.portBytes == 326 + 79)
        #expect(fast.wire == 9_470_000)
    }

    @Test("each controller of a 40x4 executes while the other receives: no padding at 400 kHz")
    func alternation() {
        let panel = Panel.fortyByFour
        let counts = cost(panel, speed: 400_000, from: full(panel, "a"), to: full(panel, "b"))
        #expect(counts.portBytes == 650)
    }

    @Test("an unchanged frame costs nothing")
    func unchanged() {
        let rows = ["73  Oxford Cir   due", "éü⚠"]
        #expect(cost(from: rows, to: rows) == SimulatedExpander.Counts())
    }

    @Test("one digit is one call of 10 port bytes, a clock tick of two 14")
    func digits() {
        let one = cost(from: ["12:04"], to: ["12:05"])
        #expect(one.calls == 1)
        #expect(one.portBytes == 10)
        let two = cost(from: ["12:09"], to: ["12:10"])
        #expect(two.calls == 1)
        #expect(two.portBytes == 14)
    }

    @Test("one unchanged cell between two changed ones is written again, two are skipped")
    func gaps() {
        #expect(cost(from: ["a-a"], to: ["b-b"]).portBytes == 1 + 4 + 1 + 3 * 4)
        #expect(cost(from: ["a--a"], to: ["b--b"]).portBytes == 2 * (1 + 4 + 1 + 4))
    }

    @Test("a row of 20 is 86 port bytes in 3 calls")
    func row() {
        let counts = cost(from: ["aaaaaaaaaaaaaaaaaaaa"], to: ["bbbbbbbbbbbbbbbbbbbb"])
        #expect(counts.portBytes == 86)
        #expect(counts.calls == 3)
    }

    @Test("a new glyph costs its upload once; signs that have all been shown cost a cell")
    func glyphs() {
        #expect(cost(from: ["x"], to: ["é"]).portBytes == 44 + 4)
        var rig = Rig()
        let signs = "⇨~…✗⚠"
        for sign in signs { rig.show(String(sign)) }
        rig.bus.resetCounts()
        for sign in signs.dropLast().reversed() { rig.show(String(sign)) }
        #expect(rig.bus.counts.portBytes == 4 * 10)
    }

    @Test("a turn of the middle of three rows is at most ten calls")
    func turn() {
        let first = ["Oxford St N    12:04", "73  Oxford…      due", "390 Archway   ⇨in 4m", "8   Café Zürich ~10m"]
        let third = ["Oxford St N    12:04", "73  …Circus      due", "390 at 12:08  ⇨in 4m", "8   from Euston ~10m"]
        #expect(cost(from: first, to: third).calls <= 10)
    }

    @Test("the backlight alone is one port byte")
    func light() {
        let counts = cost(from: ["12:04"], to: ["12:04"], lit: false)
        #expect(counts.portBytes == 1)
        #expect(counts.calls == 1)
    }
}
