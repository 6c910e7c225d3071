import BoardCore
import BoardDisplays
import PanelModel

/// A driver, a bus and a simulated display, all in virtual time.
struct Rig {
    let panel: Panel
    let bus: SimulatedExpander
    var display: HD44780Display<SimulatedExpander>

    init(
        _ panel: Panel = Panel(size: DisplaySize(columns: 20, rows: 4)), speed: Int = 100_000,
        start: HD44780Model.Start = .eightBit, floating: UInt8 = 0xF, resync: Duration? = .seconds(60)
    ) {
        self.panel = panel
        bus = SimulatedExpander(panel: panel, speed: speed, start: start, floating: floating)
        display = HD44780Display(panel: panel, resync: resync, bus: bus)
    }

    /// Shows a frame at the bus's virtual time.
    @discardableResult
    mutating func show(_ frame: Frame) -> DisplayReport {
        display.show(frame, at: bus.now)
    }

    /// Shows these rows with the backlight on.
    @discardableResult
    mutating func show(_ rows: String...) -> DisplayReport {
        show(frame(rows))
    }

    /// A frame of the panel's size.
    func frame(_ rows: [String], isLit: Bool = true) -> Frame {
        Frame(
            columns: panel.size.columns,
            rows: (0..<panel.size.rows).map { rows.indices.contains($0) ? rows[$0] : "" }, isLit: isLit)
    }

    /// Calls the display like the daemon, each time it requests a call, until `isDone` or `limit` has passed; returns the
    /// elapsed time.
    mutating func attend(with frame: Frame, for limit: Duration, until isDone: (Rig) -> Bool) -> Duration {
        let start = bus.now
        while true {
            let report = show(frame)
            if isDone(self) || bus.now - start > limit { return bus.now - start }
            guard let callAgainAt = report.callAgainAt else { return bus.now - start }
            bus.advance(by: max(callAgainAt - bus.now, .milliseconds(1)))
        }
    }
}

/// Frames that change a little or much from one to the next, with at most eight custom glyphs each.
struct FrameWalk {
    private var random: RandomSource
    private let panel: Panel
    private let letters: [Character]
    private let glyphs: [Character]
    private var frame: Frame

    init(_ panel: Panel, seed: UInt64) {
        self.panel = panel
        random = RandomSource(seed: seed)
        frame = Frame(blank: panel.size)
        letters = (UInt8(0x20)...0xFF).compactMap { panel.rom.character(of: $0) }
        glyphs = "éèêáàçäöüÄÖÜñßåø\\~↑↓▲▼▶◀€✓⇨…✗⚠█".filter {
            panel.rom.code(of: $0) == nil && Glyph.named($0) != nil
        }
    }

    mutating func next() -> Frame {
        let pool = Array(glyphs.shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random)))
        let changes = Int.random(in: 0...(Bool.random(using: &random) ? 3 : 60), using: &random)
        for row in frame.rows.indices {
            for (column, cell) in frame.rows[row].enumerated() where glyphs.contains(cell) && !pool.contains(cell) {
                frame.put([pick(from: pool)], row: row, column: column)
            }
        }
        for _ in 0..<changes {
            let row = Int.random(in: 0..<panel.size.rows, using: &random)
            let column = Int.random(in: 0..<panel.size.columns, using: &random)
            frame.put([pick(from: pool)], row: row, column: column)
        }
        return frame
    }

    private mutating func pick(from pool: [Character]) -> Character {
        let source = pool.isEmpty || Int.random(in: 0..<4, using: &random) > 0 ? letters : pool
        return source.randomElement(using: &random) ?? " "
    }
}

extension Panel {
    static let twentyByFour = Panel(size: DisplaySize(columns: 20, rows: 4))
    static let sixteenByTwo = Panel(size: DisplaySize(columns: 16, rows: 2))
    /// Behind a PCF8574 that has no pin for R/W.
    static let fortyByFour = Panel(
        size: DisplaySize(columns: 40, rows: 4), pins: PinMap(rs: 0, e: 2, e2: 1, backlight: 3, data: [4, 5, 6, 7]))
    /// Every size with each ROM.
    static let all = DisplaySize.lcd.flatMap { size in
        CharacterROM.allCases.map { rom in
            Panel(size: size, rom: rom, pins: size == fortyByFour.size ? fortyByFour.pins : .standard)
        }
    }
}
