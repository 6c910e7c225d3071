public import BoardCore
internal import Glibc

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

    /// The bus clock in hertz from the device tree; 100 kHz where the device tree has none.
    public var speed: Int { device.speed }

    public var largestWrite: Int { registers.port == nil ? I2CDevice.largestWrite : I2CDevice.largestWrite - 1 }

    /// The expander's address; set by ``open()``.
    public var address: UInt8? { device.address }

    public mutating func open() throws(BusFault) {
        try device.open()
        try configure()
    }

    public mutating func configure() throws(BusFault) {
        for bytes in registers.setUp(preserving: state) { try device.write(bytes) }
    }

    public mutating func write(_ portBytes: [UInt8]) throws(BusFault) {
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
