import BoardCore
public import BoardDisplays

/// A model of an HD44780 at its pins, written from the data sheet (HD44780U, ADE-207-272(Z)): what a real display would
/// show for the driver's bytes.
///
/// It models the interface with its two phases, the instruction set, both memories, the address counter with its wrap
/// from line to line, the display shift, and execution times. A nibble that arrives while the controller is busy is
/// lost, as may happen with a real one, and recorded in ``violations``.
public struct HD44780Model: Sendable {
    /// The state in which a program may find a controller.
    public enum Start: Hashable, Sendable {
        /// After power-on: 8-bit interface.
        case eightBit
        /// 4-bit interface, in phase.
        case fourBit
        /// 4-bit interface, with the first half of a byte received.
        case pending(UInt8)
    }

    /// A violation of the data sheet's timing.
    public enum Violation: Hashable, Sendable {
        /// A nibble arrived this many nanoseconds before the last instruction had ended.
        case busy(by: Int64)
        /// RS or R/W changed at the rising edge of E (t_AS, 40 ns).
        case addressSetUp
        /// RS, R/W or the data changed at the falling edge of E (t_H, 10 ns).
        case hold
    }

    public internal(set) var violations: [Violation] = []
    /// The visible characters, row by row: blanks while the display is off; U+FFFD for a code or a glyph without a
    /// character.
    public var cells: [[Character]] { rows.map { row in row.map { $0.map(character(of:)) ?? " " } } }
    /// Whether a cursor is visible, as an underline or a blinking cell.
    public var isCursorVisible: Bool { isDisplayOn && (hasCursor || isBlinking) }
    /// Whether a 4-bit interface expects the first half of a byte.
    public var isInPhase: Bool { !isEightBit && pending == nil }

    let panel: Panel
    let timing: ControllerTiming
    /// The level of the unconnected lines D0 to D3 while the interface has 8 bits.
    let floating: UInt8

    var isEightBit = true
    var pending: UInt8?
    var busyUntil: Int64 = 0
    /// The number of coming function sets that take longer after power-on: 4.1 ms, then 100 µs (figure 24).
    var slowStarts = 0

    var memory = [UInt8](repeating: 0x20, count: 80)
    var glyphs = [UInt8](repeating: 0, count: 64)
    var address = 0
    var isAddressingGlyphs = false
    var isTwoLine = false
    var isIncrementing = true
    var isShifting = false
    var shift = 0
    var isDisplayOn = false
    var hasCursor = false
    var isBlinking = false

    /// - Parameters:
    ///   - start: the initial state; other than ``Start/eightBit`` with the display on and random memory.
    ///   - floating: 0 or 15, the level of D0 to D3 when they are not connected.
    ///   - timing: the execution times.
    public init(
        panel: Panel, start: Start = .eightBit, floating: UInt8 = 0xF, timing: ControllerTiming = .slowest
    ) {
        self.panel = panel
        self.floating = floating & 0xF
        self.timing = timing
        switch start {
        case .eightBit:
            powerOn(at: 0)
        case .fourBit, .pending:
            isEightBit = false
            isTwoLine = true
            isDisplayOn = true
            scramble()
            if case .pending(let nibble) = start { pending = nibble & 0xF }
        }
    }

    /// Interrupts the power: the memories are lost, the interface has 8 bits.
    ///
    /// - Parameter now: the time in nanoseconds.
    public mutating func powerOn(at now: Int64) {
        scramble()
        isEightBit = true
        pending = nil
        isTwoLine = false
        isIncrementing = true
        isShifting = false
        shift = 0
        isDisplayOn = false
        hasCursor = false
        isBlinking = false
        address = 0
        isAddressingGlyphs = false
        slowStarts = 2
        busyUntil = now + timing.powerOn
    }

    /// The code in each visible cell; nil where the display is off.
    var rows: [[UInt8?]] {
        rowStarts.map { first in
            (0..<panel.size.columns).map { column in
                guard isDisplayOn else { return nil }
                let line = first / 0x40
                guard isTwoLine else { return line == 0 ? memory[(first + column + shift) % 80] : nil }
                return memory[line * 40 + (first % 0x40 + column + shift) % 40]
            }
        }
    }

    /// The dots that are on, row by row, with the dark column and row between cells of most modules.
    public var dots: [[Bool]] {
        let rows = self.rows.flatMap { codes in
            let glyphs = codes.map { $0.map(glyph(of:)) }
            return (0...Self.cellHeight).map { y in
                glyphs.flatMap { glyph in
                    let bits = y < Self.cellHeight ? glyph?.rows[y] ?? 0 : 0
                    return (0...Self.cellWidth).map { bits << UInt8($0) & 0x10 != 0 }
                }
            }
        }
        return rows.dropLast().map { $0.dropLast() }
    }

    private static let (cellWidth, cellHeight) = (5, 8)

    /// The picture of a code: the ROM's characters in the board's own font.
    private func glyph(of code: UInt8) -> Glyph {
        guard code < 0x10 else { return panel.rom.character(of: code).map(PixelFont.glyph(of:)) ?? Glyph(rows: []) }
        return Glyph(rows: glyphs[Int(code & 7) * 8..<Int(code & 7) * 8 + 8])
    }

    /// The wiring of each row in the module; independent of ``Panel/rowAddresses``, which the model must verify.
    private var rowStarts: [Int] {
        switch (panel.size.columns, panel.size.rows) {
        case (16, 4): [0x00, 0x40, 0x10, 0x50]
        case (20, 4): [0x00, 0x40, 0x14, 0x54]
        default: Array([0x00, 0x40].prefix(panel.size.rows))
        }
    }

    private func character(of code: UInt8) -> Character {
        guard code < 0x10 else { return panel.rom.character(of: code) ?? "\u{FFFD}" }
        return glyph(of: code).character ?? "\u{FFFD}"
    }

    /// Fills both memories with random values, the same each time.
    private mutating func scramble() {
        var value: UInt32 = 0x2545_F491
        func next() -> UInt8 {
            value ^= value << 13
            value ^= value >> 17
            value ^= value << 5
            return UInt8(truncatingIfNeeded: value >> 8)
        }
        for index in memory.indices { memory[index] = next() }
        for index in glyphs.indices { glyphs[index] = next() & 0x1F }
    }
}
