internal import BoardCore

/// The registers of an expander (Microchip DS20001919 for the MCP23008, DS20001952 for the MCP23017).
struct ExpanderRegisters: Hashable, Sendable {
    /// The register that takes the states of the display's port; nil: the chip has no registers.
    let port: UInt8?
    private let pins: PinMap

    /// IOCON.SEQOP: the register pointer stays, so that each byte of a block is the next state of the port.
    private static let staying: UInt8 = 0x20
    /// IOCON.BANK: each port of an MCP23017 has registers of its own, 00–0A and 10–1A. Otherwise the pointer would alternate
    /// between the ports.
    private static let separate: UInt8 = 0x80

    init(_ pins: PinMap) {
        self.pins = pins
        port =
            switch pins.expander {
            case .pcf8574: nil
            case .mcp23008: 0x09
            case .mcp23017: Self.bank(pins) | 0x09
            }
    }

    /// The writes that set the registers from any state. The port's pins are outputs afterwards, also those without a line: a
    /// display's R/W that is connected to one of them is low.
    ///
    /// - Parameter state: the state of the port, which the writes preserve.
    func setUp(preserving state: UInt8) -> [[UInt8]] {
        switch pins.expander {
        case .pcf8574: []
        case .mcp23008: [[0x05, Self.staying], [0x00, 0x00]]
        case .mcp23017:
            [
                // IOCON after power-on. Once the registers are separate it is the output latch of port A.
                [0x0A, Self.separate | (pins.port == 0 ? state : 0)],
                // IOCON with separate registers.
                [0x05, Self.separate | Self.staying],
                [Self.bank(pins), 0x00],
            ]
        }
    }

    private static func bank(_ pins: PinMap) -> UInt8 { pins.port == 0 ? 0x00 : 0x10 }
}

extension AddressSearch.Candidates {
    /// Almost all PCF8574 modules have their address pins high, MCP23008 and MCP23017 boards have them low.
    init(_ expander: Expander) {
        let common: [UInt8] = expander == .pcf8574 ? [0x27, 0x3F] : [0x20]
        self.init(common: common, others: expander.addresses.joined().filter { !common.contains($0) })
    }
}
