public import BoardCore
import Glibc

/// A character display with one or two HD44780 or compatible controllers behind a port expander.
///
/// Calls sleep only during an initialisation or a re-synchronisation. A call blocks for the bus: 30 ms for a complete
/// 20x4 at 100 kHz, 1 ms for a digit, 130 ms for an initialisation.
public struct HD44780Display<Bus: ExpanderBus>: Display {
    private var display: ReconnectingDisplay<HD44780Link<Bus>>

    /// A display that the first ``show(_:at:)`` searches for.
    ///
    /// - Parameter resync: the interval of re-synchronisations; nil: never.
    public init(panel: Panel, resync: Duration?, bus: Bus) {
        display = ReconnectingDisplay(HD44780Link(panel: panel, bus: bus), resync: resync)
    }

    public mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport { display.show(frame, at: now) }

    /// Writes a last frame if the display is present, and closes the bus.
    ///
    /// Every write ends with E low and a complete byte, so the next program finds the controller in phase.
    public mutating func close(last frame: Frame, at now: Instant) { display.close(last: frame, at: now) }
}

extension HD44780Display where Bus == SMBusExpander {
    public init(_ wiring: DisplayWiring) {
        self.init(
            panel: wiring.panel, resync: wiring.resync,
            bus: SMBusExpander(bus: wiring.bus, address: wiring.address, pins: wiring.panel.pins))
    }
}

/// The connection to the controllers of a character display. No transfer reports a stray nibble, or a brown-out of a
/// controller alone.
struct HD44780Link<Bus: ExpanderBus>: DisplayLink {
    private let panel: Panel
    private var bus: Bus
    /// Nil before the first connection.
    private var writer: DisplayWriter?

    init(panel: Panel, bus: Bus) {
        self.panel = panel
        self.bus = bus
    }

    mutating func connect(showing frame: Frame) throws(DeviceError) {
        try bus.open()
        var writer = DisplayWriter(panel: panel, speed: bus.speed)
        try run(writer.coldStart(frame))
        self.writer = writer
    }

    mutating func update(_ frame: Frame) throws(DeviceError) {
        if let steps = writer?.update(frame) { try run(steps) }
    }

    mutating func resync() throws(DeviceError) {
        try bus.configure()
        if let steps = writer?.resync() { try run(steps) }
    }

    mutating func disconnect() {
        bus.close()
    }

    private mutating func run(_ steps: [DisplayWriter.Step]) throws(DeviceError) {
        for step in steps {
            switch step {
            case .wait(let pause):
                bus.wait(pause)
            case .write(let portBytes):
                var rest = portBytes[...]
                while !rest.isEmpty {
                    try bus.write(Array(rest.prefix(bus.maximumWriteSize)))
                    rest = rest.dropFirst(bus.maximumWriteSize)
                }
            }
        }
    }
}

/// The registers of an expander (Microchip DS20001919 for the MCP23008, DS20001952 for the MCP23017).
struct ExpanderRegisters: Hashable, Sendable {
    /// The register that takes the states of the display's port; nil: the chip has no registers.
    let port: UInt8?
    private let pins: PinMap

    /// IOCON.SEQOP: the register pointer stays, so that each byte of a block is the next state of the port.
    private static let staying: UInt8 = 0x20
    /// IOCON.BANK: each port of an MCP23017 has registers of its own, 00–0A and 10–1A. Otherwise the pointer would
    /// alternate between the ports.
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

    /// The writes that set the registers from any state. The port's pins are then outputs, even those without a line: a
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

/// A PCF8574, MCP23008 or MCP23017 on an I2C bus of this machine.
public struct SMBusExpander: ExpanderBus, Sendable {
    private var device: I2CDevice
    private let registers: ExpanderRegisters
    /// The state of the port after the last write.
    private var state: UInt8 = 0

    public init(
        bus: DisplayWiring.Bus = .auto, address: DisplayWiring.Address = .auto, pins: PinMap = .standard
    ) {
        self.init(bus: bus, address: address, pins: pins, library: LibI2C())
    }

    init(
        bus: DisplayWiring.Bus, address: DisplayWiring.Address, pins: PinMap = .standard, library: any I2CLibrary
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
