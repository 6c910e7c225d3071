internal import BoardCore
internal import BoardHardware
internal import PanelModel

/// The cost of frames on the bus: the product's driver on a modelled panel with counters.
enum BusCost {
    /// Writes the rows.
    static func report() {
        let large = Panel(size: Panel.Size(columns: 20, rows: 4))
        let full = cost(large, from: filled(large, "a"), to: filled(large, "b"))
        BenchmarkRow(
            what: "full 20x4 frame at 100 kHz", measured: text(full),
            goal: "<= 326 bytes, <= 10 calls", isMet: full.portBytes <= 326 && full.calls <= 10
        ).write()
        let none = cost(large, from: ["12:04"], to: ["12:04"])
        BenchmarkRow(
            what: "unchanged frame", measured: text(none), goal: "0 bytes", isMet: none.portBytes == 0
        ).write()
        let digit = cost(large, from: ["73  Oxford Cir    4m"], to: ["73  Oxford Cir    3m"])
        let two = cost(large, from: ["12:09"], to: ["12:10"])
        BenchmarkRow(
            what: "one digit changed · clock 12:09 to 12:10", measured: "\(text(digit)) · \(text(two))",
            goal: "1 call, <= 14 bytes",
            isMet: [digit, two].allSatisfy { $0.calls == 1 && $0.portBytes <= 14 }
        ).write()
        BenchmarkRow(
            what: "full 20x4 frame at 400 kHz (padded)",
            measured: text(cost(large, speed: 400_000, from: filled(large, "a"), to: filled(large, "b")))
        ).write()
        let small = Panel(size: Panel.Size(columns: 16, rows: 2))
        BenchmarkRow(
            what: "full 16x2 frame at 100 kHz",
            measured: text(cost(small, from: filled(small, "a"), to: filled(small, "b")))
        ).write()
        BenchmarkRow(
            what: "backlight only", measured: text(cost(large, from: ["12:04"], to: ["12:04"], isLit: false))
        ).write()
    }

    /// The cost of changing one frame into another on a display in use.
    private static func cost(
        _ panel: Panel, speed: Int = 100_000, from: [String], to: [String], isLit: Bool = true
    ) -> SimulatedExpander.Counts {
        let bus = SimulatedExpander(panel: panel, speed: speed)
        var display = HD44780Display(panel: panel, resync: .seconds(60), bus: bus)
        _ = display.show(frame(panel, ["start"]), at: bus.now)
        _ = display.show(frame(panel, from), at: bus.now)
        bus.resetCounts()
        let last = frame(panel, to, isLit: isLit)
        _ = display.show(last, at: bus.now)
        // The counts are meaningless if the frame is wrong.
        precondition(bus.cells == last.rows && bus.violations.isEmpty, "display contents differ")
        return bus.counts
    }

    private static func frame(_ panel: Panel, _ rows: [String], isLit: Bool = true) -> Frame {
        let blank = Array(repeating: "", count: max(0, panel.size.rows - rows.count))
        return Frame(columns: panel.size.columns, rows: rows + blank, isLit: isLit)
    }

    private static func filled(_ panel: Panel, _ cell: Character) -> [String] {
        Array(repeating: String(repeating: cell, count: panel.size.columns), count: panel.size.rows)
    }

    private static func text(_ counts: SimulatedExpander.Counts) -> String {
        let calls = "\(counts.calls) call\(counts.calls == 1 ? "" : "s")"
        return counts.calls == 0
            ? "0 bytes" : "\(counts.portBytes) bytes, \(calls), \((Double(counts.wire) / 1e6).text(1)) ms on the wire"
    }
}
