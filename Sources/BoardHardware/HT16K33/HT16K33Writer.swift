internal import BoardCore

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
