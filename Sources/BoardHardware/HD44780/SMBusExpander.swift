public import BoardCore
internal import Glibc

/// A PCF8574 on an I2C bus of this machine. Each byte of a write is a state of its port.
public struct SMBusExpander: ExpanderBus, Sendable {
    private var device: I2CDevice

    public init(bus: DisplayWiring.Bus = .auto, address: DisplayWiring.Address = .auto) {
        self.init(bus: bus, address: address, library: LibI2C())
    }

    init(bus: DisplayWiring.Bus, address: DisplayWiring.Address, library: any I2CLibrary) {
        device = I2CDevice(bus: bus, address: address, candidates: .pcf8574, library: library)
    }

    /// The bus clock in hertz from the device tree; 100 kHz where the device tree has none.
    public var speed: Int { device.speed }

    /// The expander's address; set by ``open()``.
    public var address: UInt8? { device.address }

    public mutating func open() throws(BusFault) {
        try device.open()
    }

    public mutating func write(_ portBytes: [UInt8]) throws(BusFault) {
        try device.write(portBytes)
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

extension AddressSearch.Candidates {
    /// PCF8574 and PCF8574A; almost all modules have their address pins high.
    static let pcf8574 = Self(common: [0x27, 0x3F], others: Array(0x20...0x26) + Array(0x38...0x3E))
}
