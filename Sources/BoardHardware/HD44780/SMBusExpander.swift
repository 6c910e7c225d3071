public import BoardCore
internal import BoardIO
internal import CI2C
internal import Glibc

/// A PCF8574 on an I2C bus of this machine, through i2c-dev and libi2c.
///
/// Writes port bytes as an SMBus block, whose command byte is the first state of the port. Between blocks of 33 bytes
/// (3 ms) other devices can use the bus.
public struct SMBusExpander: ExpanderBus, Sendable {
    /// The bus clock in hertz from the device tree; 100 kHz where the device tree has none.
    public private(set) var speed = BusClock.standard
    /// The device file; set by ``open()``.
    public private(set) var path: String?
    /// The expander's address; set by ``open()``.
    public private(set) var address: UInt8?

    private let bus: DisplayWiring.Bus
    private let library: any I2CLibrary
    /// The configured address; after a success, the address that was found.
    private var target: DisplayWiring.Address
    private var file: Int32?

    public init(bus: DisplayWiring.Bus = .auto, address: DisplayWiring.Address = .auto) {
        self.init(bus: bus, address: address, library: LibI2C())
    }

    init(bus: DisplayWiring.Bus, address: DisplayWiring.Address, library: any I2CLibrary) {
        self.bus = bus
        self.library = library
        target = address
    }

    /// Opens the bus, checks its functions, reads its clock and finds the expander, without writing. After a success only the
    /// address that was found is tried.
    public mutating func open() throws(BusFault) {
        close()
        let path = devicePath
        let file = library.open(path)
        guard file >= 0 else { throw BusFault(errno: -file, bus: path) }
        self.file = file
        self.path = path
        do throws(BusFault) {
            try checkAbilities(file, path: path)
            // Without a time-out a stuck line blocks for a second. In units of 10 ms.
            library.setTimeout(file, 5)
            speed = BusClock.ofBus(at: path) ?? BusClock.standard
            var search = AddressSearch(target: target, bus: path)
            address = try search.run { address in
                let status = library.setAddress(file, address)
                if status < 0 { return -status }
                let errno = max(0, -library.readByte(file))
                // The bus was opened, so it exists: some adapters report ENODEV for an address without a device.
                return errno == ENODEV ? ENXIO : errno
            }
            target = search.target
        } catch {
            close()
            throw error
        }
    }

    /// Writes up to 33 states to the port in one SMBus call.
    public mutating func write(_ portBytes: [UInt8]) throws(BusFault) {
        guard let file else { throw fault(ENODEV) }
        guard let first = portBytes.first, portBytes.count <= Self.largestWrite else {
            throw fault(EINVAL)
        }
        guard portBytes.count > 1 else { return try check(library.writeByte(file, first)) }
        try check(library.writeBlock(file, command: first, portBytes.dropFirst()))
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
        if let file { library.close(file) }
        file = nil
        address = nil
    }

    private var devicePath: String {
        switch bus {
        case .path(let path): return path
        case .auto:
            // The header's bus is i2c-1, on the first Pis i2c-0.
            let common = "/dev/i2c-1"
            let first = "/dev/i2c-0"
            return unsafe access(common, F_OK) != 0 && access(first, F_OK) == 0 ? first : common
        }
    }

    private func checkAbilities(_ file: Int32, path: String) throws(BusFault) {
        let functions = library.functions(file)
        guard functions >= 0 else { throw BusFault(errno: Int32(-functions), bus: path) }
        let needed =
            Int(I2C_FUNC_SMBUS_WRITE_I2C_BLOCK) | Int(I2C_FUNC_SMBUS_READ_BYTE) | Int(I2C_FUNC_SMBUS_WRITE_BYTE)
        guard functions & needed == needed else { throw BusFault(errno: EOPNOTSUPP, bus: path) }
    }

    /// Throws for a negative result of libi2c, which is an errno.
    private func check(_ result: Int32) throws(BusFault) {
        if result < 0 { throw fault(-result) }
    }

    private func fault(_ errno: Int32) -> BusFault {
        BusFault(errno: errno, bus: path ?? devicePath, address: address)
    }
}

/// The clock of an I2C bus, which only the device tree reports.
enum BusClock {
    /// The clock in hertz unless `dtparam=i2c_arm_baudrate` sets another.
    static let standard = 100_000

    /// The clock of the bus of a device file, in hertz; nil where the device tree does not report it.
    ///
    /// - Parameter root: the folder of the adapters.
    static func ofBus(at path: String, root: String = "/sys/class/i2c-adapter") -> Int? {
        guard let name = path.split(separator: "/").last else { return nil }
        let cell = try? SmallFile.read("\(root)/\(name)/of_node/clock-frequency", limit: 4).bytes
        return cell.flatMap(decode)
    }

    /// The value of a device tree cell: 32 bits, most significant byte first; nil for another length, and outside the range of
    /// bus clocks.
    static func decode(_ cell: [UInt8]) -> Int? {
        guard cell.count == 4 else { return nil }
        let value = cell.reduce(0) { $0 << 8 | Int($1) }
        return (1_000...5_000_000).contains(value) ? value : nil
    }
}
