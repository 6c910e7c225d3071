public import BoardCore

/// LED modules, each with an HT16K33, that together form one panel.
public struct LEDModules: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// Four characters of 14 segments.
        case segments = "14-segment"
        /// A matrix of 16 columns and 8 rows.
        case wideMatrix = "16x8"
        /// A matrix of 8 columns and 8 rows.
        case matrix = "8x8"

        /// The columns of dots; nil for segments.
        public var dots: Int? {
            switch self {
            case .segments: nil
            case .wideMatrix: 16
            case .matrix: 8
            }
        }
    }

    /// The chip has three address pins.
    public static let addresses: ClosedRange<UInt8> = 0x70...0x77
    /// With fewer columns a departure's row cannot be understood, and no message fits.
    private static let fewestColumns = 16

    public let kind: Kind
    /// From left to right, then the next row.
    public let addresses: [UInt8]

    public init(kind: Kind = .segments, addresses: [UInt8] = []) {
        self.kind = kind
        self.addresses = addresses
    }

    /// The panel sizes that the modules can form: in two rows, then in one.
    public var sizes: [DisplaySize] {
        [2, 1].compactMap { rows in
            guard !addresses.isEmpty, addresses.count.isMultiple(of: rows) else { return nil }
            let columns = columns(modules: addresses.count / rows)
            return columns >= Self.fewestColumns ? DisplaySize(columns: columns, rows: rows) : nil
        }
    }

    /// The columns of text on modules side by side: in the wide font if that gives enough.
    public func columns(modules count: Int) -> Int {
        guard let dots = kind.dots else { return 4 * count }
        let wide = dots * count / PixelFont.cellWidth
        return wide >= Self.fewestColumns ? wide : dots * count / NarrowFont.cellWidth
    }
}

/// LED modules side by side, in one or two rows: what their memories contain for a frame.
struct LEDPanel: Hashable, Sendable {
    /// The bytes of a module's memory (HT16K33 data sheet: 8 commons of 16 rows).
    static let memory = 16

    let modules: LEDModules
    let size: DisplaySize
    /// In percent.
    let brightness: Int

    /// The memory of every module, in the order of their addresses.
    func memories(of frame: Frame) -> [[UInt8]] {
        let perRow = max(1, modules.addresses.count / max(1, size.rows))
        return modules.addresses.indices.map { index in
            let row = index / perRow
            let cells = frame.rows.indices.contains(row) ? frame.rows[row] : []
            let place = index % perRow
            return switch modules.kind {
            case .segments: Self.segments(of: cells.dropFirst(4 * place).prefix(4))
            case .wideMatrix: Self.matrix(dots(of: cells), from: 16 * place, width: 16)
            case .matrix: Self.matrix(dots(of: cells), from: 8 * place, width: 8)
            }
        }
    }

    /// Four characters, one common each: segments `a` to `n` at rows 0 to 13, the point at row 14, as on 14-segment
    /// quad modules.
    private static func segments(of cells: ArraySlice<Character>) -> [UInt8] {
        let bytes = cells.flatMap { cell -> [UInt8] in
            let segments = SegmentFont.segments(of: cell)
            return [UInt8(truncatingIfNeeded: segments), UInt8(truncatingIfNeeded: segments >> 8)]
        }
        return bytes + Array(repeating: 0, count: memory - bytes.count)
    }

    /// The columns of dots of a row of text, the topmost dot in bit 0.
    private func dots(of cells: [Character]) -> [UInt8] {
        let width = (modules.kind.dots ?? 0) * modules.addresses.count / max(1, size.rows)
        let isNarrow = size.columns * PixelFont.cellWidth > width
        let columns = cells.prefix(size.columns).flatMap { cell -> [UInt8] in
            isNarrow
                ? NarrowFont.glyph(of: cell).columns.suffix(NarrowFont.width) + [0]
                : PixelFont.glyph(of: cell).columns + [0]
        }
        // Centred.
        return [UInt8](repeating: 0, count: max(0, width - columns.count) / 2) + columns
    }

    /// Part of a row of dots: a common for each row from the top. A matrix of 16 columns has the leftmost at row 0 of
    /// the chip; one of 8 columns has it at row 7 and the next at row 0, like the usual modules.
    private static func matrix(_ dots: [UInt8], from first: Int, width: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: memory)
        for x in 0..<width where dots.indices.contains(first + x) {
            let row = width == 8 ? (x + 7) % 8 : x
            for y in 0..<8 where dots[first + x] >> UInt8(y) & 1 == 1 {
                bytes[2 * y + row / 8] |= 1 << UInt8(row % 8)
            }
        }
        return bytes
    }
}

/// The connection to LED modules on one bus.
///
/// A module that fails does not stop the others: each gets its part of the frame, and then the first fault is thrown.
/// While it is missing, the others get a frame at each attempt to connect. A complete module takes 1.7 ms at 100 kHz.
struct LEDLink<Bus: DeviceBus>: DisplayLink {
    private let panel: LEDPanel
    /// One device for each module.
    private(set) var buses: [Bus]
    private var writers: [HT16K33Writer]

    init(panel: LEDPanel, buses: [Bus]) {
        self.panel = panel
        self.buses = buses
        writers = buses.map { _ in HT16K33Writer(brightness: panel.brightness) }
    }

    mutating func connect(showing frame: Frame) throws(DeviceError) {
        let memories = panel.memories(of: frame)
        writers = buses.map { _ in HT16K33Writer(brightness: panel.brightness) }
        try forEachModule { link, index throws(DeviceError) in
            try link.buses[index].open()
            try link.write(link.writers[index].coldStart(memories[index], isLit: frame.isLit), to: index)
        }
    }

    mutating func update(_ frame: Frame) throws(DeviceError) {
        let memories = panel.memories(of: frame)
        try forEachModule { link, index throws(DeviceError) in
            try link.write(link.writers[index].update(memories[index], isLit: frame.isLit), to: index)
        }
    }

    mutating func resync() throws(DeviceError) {
        try forEachModule { link, index throws(DeviceError) in
            try link.write(link.writers[index].resync(), to: index)
        }
    }

    mutating func disconnect() {
        for index in buses.indices { buses[index].close() }
    }

    private mutating func forEachModule(_ body: (inout Self, Int) throws(DeviceError) -> Void) throws(DeviceError) {
        var fault: DeviceError?
        for index in buses.indices {
            do throws(DeviceError) {
                try body(&self, index)
            } catch {
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
    }

    private mutating func write(_ transfers: [[UInt8]], to index: Int) throws(DeviceError) {
        for transfer in transfers { try buses[index].write(transfer) }
    }
}

extension AddressSearch.Candidates {
    /// No search: every module has its address in the configuration.
    static let none = Self(common: [], others: [])
}

/// What one LED module shows, and the transfers that change it. Uses no bus: after a fault, a new writer starts without
/// assumptions about the chip.
struct HT16K33Writer: Hashable, Sendable {
    /// The chip's commands (HT16K33 data sheet, command summary); an address of the memory is a command too.
    private enum Command {
        static let oscillator: UInt8 = 0x21
        static let off: UInt8 = 0x80
        /// On, without blinking.
        static let on: UInt8 = 0x81
        /// Pins for rows, not for interrupts.
        static let rows: UInt8 = 0xA0
        /// From 0 (1/16) to 15 (16/16).
        static func dimming(_ level: UInt8) -> UInt8 { 0xE0 | level }
    }

    private let dimming: UInt8
    /// The chip's memory; nil while it has not been initialised.
    private var memory: [UInt8]?
    private var isLit = false

    /// - Parameter brightness: in percent.
    init(brightness: Int) {
        dimming = UInt8(max(0, min(15, (brightness * 16 + 99) / 100 - 1)))
    }

    /// Initialises the chip from any state. It is dark until its memory is complete.
    mutating func coldStart(_ memory: [UInt8], isLit: Bool) -> [[UInt8]] {
        self.memory = memory
        self.isLit = isLit
        return [[Command.oscillator], [Command.off]] + repeated()
    }

    /// Repeats the settings and the memory.
    func resync() -> [[UInt8]] {
        [[Command.oscillator]] + repeated()
    }

    /// The transfers that show a memory: the bytes from the first to the last that differ, and the light if it changed.
    mutating func update(_ memory: [UInt8], isLit: Bool) -> [[UInt8]] {
        guard let old = self.memory else { return coldStart(memory, isLit: isLit) }
        var transfers: [[UInt8]] = []
        let changed = memory.indices.filter { !old.indices.contains($0) || old[$0] != memory[$0] }
        if let first = changed.first, let last = changed.last {
            transfers.append([UInt8(first)] + memory[first...last])
        }
        if isLit != self.isLit { transfers.append([isLit ? Command.on : Command.off]) }
        self.memory = memory
        self.isLit = isLit
        return transfers
    }

    private func repeated() -> [[UInt8]] {
        [[Command.rows], [Command.dimming(dimming)], [0] + (memory ?? []), [isLit ? Command.on : Command.off]]
    }
}
