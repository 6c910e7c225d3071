/// The port expander on a backpack.
public enum Expander: String, CaseIterable, Sendable {
    /// Also PCF8574A: eight pins, no registers.
    case pcf8574
    /// Eight pins.
    case mcp23008
    /// Sixteen pins: 0 to 7 are port A, 8 to 15 port B.
    case mcp23017

    public var pinCount: Int { self == .mcp23017 ? 16 : 8 }

    /// The addresses that the chip's address pins select.
    public var addresses: [ClosedRange<UInt8>] {
        self == .pcf8574 ? [0x20...0x27, 0x38...0x3F] : [0x20...0x27]
    }

    /// The pin map of `expander` alone in boardd.toml.
    public var usualPins: PinMap {
        switch self {
        case .pcf8574: .standard
        case .mcp23008: .adafruit
        case .mcp23017: PinMap(expander: self, rs: 0, rw: 1, e: 2, backlight: 3, data: [4, 5, 6, 7])
        }
    }
}
