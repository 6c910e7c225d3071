/// A model of an MCP23008 or MCP23017, written from the data sheets (Microchip DS20001919 and DS20001952): what its pins do for
/// the bytes of a transfer.
public struct MCP230xxModel: Sendable {
    private static let iodir = 0x00
    private static let iocon = 0x05
    private static let gpio = 0x09
    private static let olat = 0x0A

    /// The registers of each port, by their MCP23008 addresses. IOCON is common to both ports.
    private var ports: [[UInt8]]
    private var control: UInt8 = 0

    /// - Parameters:
    ///   - ports: 1 for an MCP23008, 2 for an MCP23017.
    ///   - control: IOCON as an earlier program left it; 0 after power-on.
    public init(ports: Int, control: UInt8 = 0) {
        self.ports = Array(repeating: [], count: ports)
        powerOn()
        self.control = control
    }

    /// Power-on reset: all pins are inputs, all other registers 0.
    public mutating func powerOn() {
        control = 0
        for index in ports.indices { ports[index] = [0xFF] + Array(repeating: 0, count: 10) }
    }

    /// The levels of the pins from pin 0; nil for an input.
    public var pins: [Bool?] {
        ports.flatMap { port in
            (0..<8).map { bit in port[Self.iodir] >> bit & 1 == 0 ? port[Self.olat] >> bit & 1 == 1 : nil }
        }
    }

    /// Whether an interrupt or an inverted input is configured; a driver of a display needs neither.
    public var isDisturbed: Bool { ports.contains { $0[1...4].contains { $0 != 0 } } }

    /// Receives the bytes of a transfer: the address of a register, then values. Calls `changed` after each.
    public mutating func write(_ bytes: [UInt8], changed: (MCP230xxModel) -> Void) {
        guard var pointer = bytes.first.map(Int.init) else { return }
        for value in bytes.dropFirst() {
            let isSequential = control & 0x20 == 0
            let hasBanks = control & 0x80 != 0
            if let (port, register) = place(pointer, hasBanks: hasBanks) {
                if register == Self.iocon {
                    control = value & 0xFE
                } else {
                    ports[port][register == Self.gpio ? Self.olat : register] = value
                }
            }
            if isSequential {
                pointer += 1
            } else if ports.count == 2, !hasBanks {
                pointer ^= 1  // the pair of the other port (DS20001952, 3.2.1)
            }
            changed(self)
        }
    }

    /// The port and the register of an address; nil where it has none, or one that cannot be written.
    private func place(_ address: Int, hasBanks: Bool) -> (port: Int, register: Int)? {
        let (port, register) =
            ports.count == 1 ? (0, address) : hasBanks ? (address >> 4, address & 0x0F) : (address & 1, address >> 1)
        let isWritable = register <= 6 || register == Self.gpio || register == Self.olat
        return ports.indices.contains(port) && isWritable ? (port, register) : nil
    }
}
