public import BoardCore

/// An HD44780 as its pins see it, written from the data sheet (HD44780U, ADE-207-272(Z)): what the driver's bytes would
/// have put on real glass.
///
/// It has the interface with its two phases, the instruction set, both memories, the address counter with its wrap from
/// line to line, display shift, and the time that everything takes. A nibble that comes while the controller is busy is
/// lost, as it may be on a real one, and noted in ``violations``.
public struct HD44780Model: Sendable {
    /// In what state a program may find a controller.
    public enum Start: Hashable, Sendable {
        /// As after power-on: 8-bit interface.
        case eightBit
        /// 4-bit interface, in phase.
        case fourBit
        /// 4-bit interface, with the first half of a byte taken.
        case pending(UInt8)
    }

    /// A rule of the data sheet that was broken.
    public enum Violation: Hashable, Sendable {
        /// A nibble came this many nanoseconds before the last instruction had ended.
        case busy(by: Int64)
        /// RS or R/W changed in the moment in which E rose (t_AS, 40 ns).
        case addressSetUp
        /// RS, R/W or the data changed in the moment in which E fell (t_H, 10 ns).
        case hold
    }

    /// The rules that were broken so far.
    public internal(set) var violations: [Violation] = []
    /// What is on the glass, row by row: blanks while the display is off; U+FFFD for a code or a glyph without
    /// a character.
    public var cells: [[Character]] { rows.map { row in row.map { $0.map(character(of:)) ?? " " } } }
    /// Whether the cursor is seen, as an underline or a blinking cell.
    public var isCursorVisible: Bool { isDisplayOn && (hasCursor || isBlinking) }
    /// Whether a 4-bit interface waits for the first half of a byte.
    public var isInPhase: Bool { !isEightBit && pending == nil }

    let panel: Panel
    let timing: ControllerTiming
    /// What the unconnected lines D0 to D3 read as while the interface has 8 bits.
    let floating: UInt8

    var isEightBit = true
    var pending: UInt8?
    var busyUntil: Int64 = 0
    /// Function sets still to come that take longer, as after power-on: 4.1 ms, then 100 µs (figure 24).
    var slowStarts = 0
    var lostPulses = 0

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

    /// A controller on this panel.
    ///
    /// - Parameters:
    ///   - start: its state when the program begins; other than ``Start/eightBit`` with its display on, full of rubbish.
    ///   - floating: 0 or 15, what D0 to D3 read as when they are not connected.
    ///   - timing: how fast it is.
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

    /// Takes the power away and gives it back: the memories are lost, the interface has 8 bits.
    ///
    /// - Parameter now: in nanoseconds.
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

    /// The code in each visible cell; nil where the glass is blank.
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

    /// Where the maker has wired each row's glass to; not taken from ``Panel/rowAddresses``, which is to be judged.
    private var rowStarts: [Int] {
        switch (panel.size.columns, panel.size.rows) {
        case (16, 4): [0x00, 0x40, 0x10, 0x50]
        case (20, 4): [0x00, 0x40, 0x14, 0x54]
        default: Array([0x00, 0x40].prefix(panel.size.rows))
        }
    }

    private func character(of code: UInt8) -> Character {
        guard code < 0x10 else { return panel.rom.character(of: code) ?? "\u{FFFD}" }
        let glyph = Glyph(rows: glyphs[Int(code & 7) * 8..<Int(code & 7) * 8 + 8])
        return glyph.character ?? "\u{FFFD}"
    }

    /// Fills both memories with what nobody wrote: the same rubbish each time.
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
