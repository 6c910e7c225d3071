internal import BoardCore

/// What is known of the glass, and what has to be sent to change it. It touches no bus: a controller that was lost is
/// forgotten by making a new writer.
struct DisplayWriter: Hashable, Sendable {
    /// One thing to do on the bus.
    enum Step: Hashable, Sendable {
        /// Put these states on the port, in as few calls as they fit into.
        case write([UInt8])
        /// Let this time go by.
        case wait(Duration)
    }

    private let panel: Panel
    private let map: CellMap
    private var port: PortEncoder
    private var slots = GlyphSlots()
    /// The code in every cell; nil while the controller has not been initialised.
    private var codes: [UInt8]?

    /// A writer for a controller of which nothing is known.
    ///
    /// - Parameter speed: of the bus, in hertz.
    init(panel: Panel, speed: Int) {
        self.panel = panel
        map = CellMap(panel)
        port = PortEncoder(pins: panel.pins, speed: speed)
    }

    /// Initialises the controller from any state: 8 bit, 4 bit in phase, or half a byte in. The glass is off until
    /// `frame` is whole, so that nobody sees what was in the memory (data sheet, "Initializing by Instruction").
    mutating func coldStart(_ frame: Frame) -> [Step] {
        port.isLit = frame.isLit
        port.settle()
        var steps: [Step] = [.write(port.take()), .wait(Instruction.powerOn)]
        steps += phase()
        port.instruction(Instruction.functionSet)
        port.instruction(Instruction.displayOff)
        port.instruction(Instruction.clear)
        steps += [.write(port.take()), .wait(Instruction.clearing)]
        port.instruction(Instruction.entryMode)
        let encoding = slots.encode(frame, for: panel)
        upload(encoding.uploads)
        write(encoding.codes, over: nil)
        port.instruction(Instruction.displayOn)
        return steps + [.write(port.take())]
    }

    /// Brings the controller in phase again and repeats all it should hold: settings, glyphs, cells. What is right
    /// already is not seen to change; a controller that lost its power meanwhile is as after ``coldStart(_:)``.
    mutating func resync() -> [Step] {
        guard let codes else { return [] }
        var steps = phase()
        port.instruction(Instruction.functionSet)
        port.instruction(Instruction.entryMode)
        port.instruction(Instruction.home)
        steps += [.write(port.take()), .wait(Instruction.clearing)]
        upload(slots.glyphs.indices.filter { slots.glyphs[$0] != nil })
        write(codes, over: nil)
        port.instruction(Instruction.displayOn)
        return steps + [.write(port.take())]
    }

    /// Changes the glass to `frame`: nothing for no change, one byte for the light alone.
    ///
    /// A cell never shows another glyph than its old or its new one: cells with a glyph that is about to be replaced
    /// are overwritten first, then the glyphs are loaded, then the cells that want them are written.
    mutating func update(_ frame: Frame) -> [Step] {
        guard let old = codes else { return coldStart(frame) }
        let isLightChanged = port.isLit != frame.isLit
        port.isLit = frame.isLit
        let encoding = slots.encode(frame, for: panel)
        let isLoading = { (code: UInt8) in GlyphSlots.slot(of: code).map(encoding.uploads.contains) ?? false }
        let blank: UInt8 = 0x20
        let between = zip(old, encoding.codes).map { old, new in
            isLoading(old) ? (isLoading(new) ? blank : new) : old
        }
        write(between, over: old)
        upload(encoding.uploads)
        write(encoding.codes, over: between)
        if port.bytes.isEmpty, isLightChanged { port.idle() }
        return port.bytes.isEmpty ? [] : [.write(port.take())]
    }

    /// From any state to a 4-bit interface with no nibble pending.
    private mutating func phase() -> [Step] {
        var steps: [Step] = []
        for (nibble, pause) in [
            (Instruction.eightBitNibble, Instruction.firstFunctionSet),
            (Instruction.eightBitNibble, Instruction.laterFunctionSet),
            (Instruction.eightBitNibble, Instruction.laterFunctionSet),
            (Instruction.fourBitNibble, Instruction.laterFunctionSet),
        ] {
            port.nibble(nibble)
            steps += [.write(port.take()), .wait(pause)]
        }
        return steps
    }

    private mutating func upload(_ indices: [Int]) {
        var next: Int?  // the slot that the controller's counter points at
        for slot in indices {
            guard let glyph = slots.glyphs[slot] else { continue }
            if slot != next { port.instruction(Instruction.glyph(slot)) }
            for row in glyph.rows { port.data(row) }
            next = slot + 1
        }
    }

    private mutating func write(_ new: [UInt8], over old: [UInt8]?) {
        for run in map.runs(from: old, to: new) {
            port.instruction(Instruction.cell(run.address))
            for code in run.codes { port.data(code) }
        }
        codes = new
    }
}
