import BoardCore
import Glibc

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

/// The bus to eight pins of a port expander, real or simulated.
///
/// A failed write may stop after any byte: the state of the port is then unknown and the caller starts over.
public protocol ExpanderBus {
    /// The clock of the bus in hertz; valid once ``open()`` has returned.
    var speed: Int { get }

    /// The maximum number of port bytes in one call: an SMBus I2C block has a command byte and up to 32 more. The
    /// command byte is the first port byte, or the register of an expander with registers.
    var maximumWriteSize: Int { get }

    /// Opens the bus, finds the expander by reading from it, and configures it; never writes to an unverified address.
    /// May be called again after a fault, and then starts from the beginning.
    mutating func open() throws(DeviceError)

    /// Sets the expander's registers, whatever state they are in: a power interruption resets them.
    mutating func configure() throws(DeviceError)

    /// Writes these states to the port in order: 1 to ``maximumWriteSize`` bytes; throws for more.
    mutating func write(_ portBytes: [UInt8]) throws(DeviceError)

    mutating func wait(_ duration: Duration)

    mutating func close()
}

/// The registers of an expander (Microchip DS20001919 for the MCP23008, DS20001952 for the MCP23017).
struct ExpanderRegisters: Hashable, Sendable {
    /// The register that takes the states of the display's port; nil: the chip has no registers.
    let port: UInt8?
    private let pins: PinMap

    /// IOCON, of an MCP23017 with separate registers.
    static let control: UInt8 = 0x05
    /// IOCON.SEQOP: the register pointer stays, so that each byte of a block is the next state of the port.
    static let staying: UInt8 = 0x20
    /// IOCON.BANK: each port of an MCP23017 has registers of its own, 00–0A and 10–1A. Otherwise the pointer would
    /// alternate between the ports.
    static let separate: UInt8 = 0x80

    init(_ pins: PinMap) {
        self.pins = pins
        port =
            switch pins.expander {
            case .pcf8574: nil
            case .mcp23008: 0x09
            case .mcp23017: Self.bank(pins) | 0x09
            }
    }

    /// The writes that set the registers from any state. The port's pins are then outputs, even those without a line: a
    /// display's R/W that is connected to one of them is low.
    ///
    /// - Parameter state: the state of the port, which the writes preserve.
    func setUp(preserving state: UInt8) -> [[UInt8]] {
        switch pins.expander {
        case .pcf8574: []
        case .mcp23008: [[Self.control, Self.staying], [0x00, 0x00]]
        case .mcp23017:
            [
                // IOCON after power-on. Once the registers are separate it is the output latch of port A.
                [0x0A, Self.separate | (pins.port == 0 ? state : 0)],
                // IOCON with separate registers.
                [Self.control, Self.separate | Self.staying],
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

/// A PCF8574, MCP23008 or MCP23017 on an I2C bus of this machine.
public struct SMBusExpander: ExpanderBus, Sendable {
    private var device: I2CDevice
    private let registers: ExpanderRegisters
    /// The state of the port after the last write.
    private var state: UInt8 = 0

    init(
        bus: DisplayWiring.Bus = .auto, address: DisplayWiring.Address = .auto, pins: PinMap = .standard,
        library: any I2CLibrary = LibI2C()
    ) {
        device = I2CDevice(bus: bus, address: address, candidates: .init(pins.expander), library: library)
        registers = ExpanderRegisters(pins)
    }

    /// The bus clock in hertz from the device tree; 100 kHz if the device tree has none.
    public var speed: Int { device.speed }

    public var maximumWriteSize: Int {
        registers.port == nil ? I2CDevice.maximumWriteSize : I2CDevice.maximumWriteSize - 1
    }

    /// The expander's address; set by ``open()``.
    public var address: UInt8? { device.address }

    public mutating func open() throws(DeviceError) {
        try device.open()
        try configure()
    }

    public mutating func configure() throws(DeviceError) {
        for bytes in registers.setUp(preserving: state) { try device.write(bytes) }
    }

    public mutating func write(_ portBytes: [UInt8]) throws(DeviceError) {
        try device.write((registers.port.map { [$0] } ?? []) + portBytes)
        state = portBytes.last ?? state
    }

    /// Sleeps, and continues after signals.
    public func wait(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var unslept = left
        while unsafe nanosleep(&left, &unslept) != 0, errno == EINTR { left = unslept }
    }

    /// Closes the device file; the port keeps its state.
    public mutating func close() {
        device.close()
    }
}
