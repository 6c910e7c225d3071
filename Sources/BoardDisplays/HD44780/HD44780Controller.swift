import BoardCore

/// The state of the display's controllers, and the port bytes that change it. Uses no bus: after a fault, a new controller
/// starts without assumptions about the controllers.
struct HD44780Controller: Hashable, Sendable {
    /// One step on the bus.
    enum Step: Hashable, Sendable {
        /// Writes these states to the port, in as few calls as possible.
        case write([UInt8])
        case wait(Duration)
    }

    private let panel: Panel
    private let map: CellMap
    private var port: PortEncoder
    private var slots = GlyphSlots()
    /// The code in every cell; nil while the controller has not been initialised.
    private var codes: [UInt8]?

    /// - Parameter speed: the bus clock in hertz.
    init(panel: Panel, speed: Int) {
        self.panel = panel
        map = CellMap(panel)
        port = PortEncoder(pins: panel.pins, speed: speed)
    }

    /// Initialises the controller from any state: 8-bit, 4-bit in phase, or with half a byte pending. The display is
    /// off until `frame` is complete, so that old memory is never visible (data sheet, "Initializing by Instruction").
    mutating func coldStart(_ frame: Frame) -> [Step] {
        port.isLit = frame.isLit
        port.settle()
        let settling = Step.write(port.take())
        // If R/W is connected to ground, the edge of E that ends the port's power-on state is a write: not before the
        // controller's own reset has ended.
        var steps: [Step] =
            panel.pins.rw == nil
            ? [.wait(Instruction.powerOn), settling, .wait(Instruction.firstFunctionSet)]
            : [settling, .wait(Instruction.powerOn)]
        steps += phase()
        port.instruction(Instruction.functionSet)
        port.instruction(Instruction.displayOff)
        // Before the clear, unlike in the data sheet's example: the frame and "display on" then fit into ten calls.
        port.instruction(Instruction.entryMode)
        port.instruction(Instruction.clear)
        steps += [.write(port.take()), .wait(Instruction.clearing)]
        let encoding = slots.encode(frame, for: panel)
        upload(encoding.uploads)
        write(encoding.codes, over: nil)
        port.instruction(Instruction.displayOn)
        return steps + [.write(port.take())]
    }

    /// Re-synchronises the controller and repeats its settings, glyphs and cells. Correct content does not visibly
    /// change; a controller that lost power meanwhile is then in the state after ``coldStart(_:)``.
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

    /// The steps that show `frame`: none without a change, one byte for the backlight alone.
    ///
    /// A cell only ever shows its old or its new glyph: cells whose glyph is about to be replaced are overwritten
    /// first, then the glyphs are loaded, then the cells that use them are written.
    mutating func update(_ frame: Frame) -> [Step] {
        guard let old = codes else { return coldStart(frame) }
        let isLightChanged = port.isLit != frame.isLit
        port.isLit = frame.isLit
        let encoding = slots.encode(frame, for: panel)
        let isLoading = { (code: UInt8) in GlyphSlots.slot(of: code).isSomeAnd(encoding.uploads.contains) }
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

    /// The steps from any state to a 4-bit interface without a pending nibble.
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
        // Runs of two controllers alternate byte by byte: one executes its byte while the other receives.
        let runs = map.runs(from: old, to: new)
        let perController = (0..<panel.controllerCount).map { controller in runs.filter { $0.controller == controller }
        }
        for index in 0..<(perController.map(\.count).max() ?? 0) {
            let together = perController.compactMap { $0.dropFirst(index).first }
            for run in together { port.instruction(Instruction.cell(run.address), to: run.controller) }
            for offset in 0..<(together.map(\.codes.count).max() ?? 0) {
                for run in together where run.codes.indices.contains(offset) {
                    port.data(run.codes[offset], to: run.controller)
                }
            }
        }
        codes = new
    }
}

/// The order in which the controllers address their cells, and the writes that a change needs.
struct CellMap: Hashable, Sendable {
    /// Cells that follow each other without a new address.
    struct Run: Hashable, Sendable {
        /// The index of the controller that has the cells.
        let controller: Int
        let address: UInt8
        /// The codes, starting at this address.
        var codes: [UInt8]
    }

    private struct Cell: Hashable, Sendable {
        /// The index in the frame, row by row.
        let index: Int
        let controller: Int
        /// The position in the controller's address order: line 1 continues where line 0 ends.
        let position: Int
    }

    /// Cells per line of the controller: its address counter goes from 27 to 40, and from 67 back to 00 (hexadecimal;
    /// data sheet, DDRAM addresses in two-line mode).
    private static let lineLength = 40

    private let cells: [Cell]

    /// The cells of a panel, controller by controller in address order: rows 0, 2, 1, 3 of four on one controller.
    init(_ panel: Panel) {
        let rowsEach = panel.size.rows / panel.controllerCount
        cells = panel.rowAddresses.enumerated().flatMap { row, address in
            (0..<panel.size.columns).map { column in
                let line = address < 0x40 ? Int(address) : Int(address) - 0x40 + Self.lineLength
                return Cell(
                    index: row * panel.size.columns + column, controller: row / rowsEach, position: line + column)
            }
        }.sorted { ($0.controller, $0.position) < ($1.controller, $1.position) }
    }

    /// The writes that turn one frame's codes into another's; all cells if `old` is nil.
    ///
    /// An unchanged cell between two changed ones is written again: four port bytes instead of six for a new address. A
    /// longer gap takes the address.
    func runs(from old: [UInt8]?, to new: [UInt8]) -> [Run] {
        var runs: [Run] = []
        var last: Int?  // the index in `cells` at which the latest run ends
        for (order, cell) in cells.enumerated() where old?[cell.index] != new[cell.index] {
            if let end = last, cell.controller == cells[end].controller, cell.position - cells[end].position <= 2,
                order - end == cell.position - cells[end].position
            {
                runs[runs.count - 1].codes += cells[(end + 1)...order].map { new[$0.index] }
            } else {
                runs.append(
                    Run(
                        controller: cell.controller, address: Self.address(of: cell.position),
                        codes: [new[cell.index]]))
            }
            last = order
        }
        return runs
    }

    private static func address(of position: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: position < lineLength ? position : position - lineLength + 0x40)
    }
}
