import BoardCore
import BoardIO
import CI2C
import Glibc

/// A device on an I2C bus of this machine, through i2c-dev and libi2c.
///
/// A write is one SMBus I2C block, whose command byte is the first byte. Between blocks (3 ms at 100 kHz) other devices
/// can use the bus.
struct I2CDevice: Sendable {
    /// The maximum number of bytes in one write: a block's command byte, and up to 32 more.
    static let maximumWriteSize = 33

    /// The bus clock in hertz from the device tree; 100 kHz if the device tree has none.
    private(set) var speed = BusClock.standard
    /// The device file; set by ``open()``.
    private(set) var path: String?
    /// The device's address; set by ``open()``.
    private(set) var address: UInt8?

    private let bus: DisplayWiring.Bus
    private let candidates: AddressSearch.Candidates
    private let library: any I2CLibrary
    /// The configured address; after a success, the address that was found.
    private var target: DisplayWiring.Address
    private var file: Int32?

    /// - Parameter candidates: where to search for the device if `address` is `auto`.
    init(
        bus: DisplayWiring.Bus, address: DisplayWiring.Address, candidates: AddressSearch.Candidates,
        library: any I2CLibrary = LibI2C()
    ) {
        self.bus = bus
        self.candidates = candidates
        self.library = library
        target = address
    }

    /// Opens the bus, checks its functions, reads its clock and finds the device, without writing. After a success only
    /// the address that was found is tried.
    mutating func open() throws(DeviceError) {
        close()
        let path = devicePath
        let file = library.open(path)
        guard file >= 0 else { throw DeviceError(errno: -file, bus: path) }
        self.file = file
        self.path = path
        do throws(DeviceError) {
            try checkAbilities(file, path: path)
            // Without a timeout a stuck line blocks for a second. In units of 10 ms.
            library.setTimeout(file, 5)
            speed = BusClock.ofBus(at: path) ?? BusClock.standard
            var search = AddressSearch(target: target, candidates: candidates, bus: path)
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

    /// Writes 1 to ``maximumWriteSize`` bytes in one transfer; throws for another number.
    func write(_ bytes: [UInt8]) throws(DeviceError) {
        guard let file else { throw fault(ENODEV) }
        guard let first = bytes.first, bytes.count <= Self.maximumWriteSize else { throw fault(EINVAL) }
        let status =
            bytes.count == 1
            ? library.writeByte(file, first) : library.writeBlock(file, command: first, bytes.dropFirst())
        if status < 0 { throw fault(-status) }
    }

    /// Closes the device file; the device keeps its state.
    mutating func close() {
        if let file { library.close(file) }
        file = nil
        address = nil
    }

    private var devicePath: String {
        switch bus {
        case .path(let path): path
        case .auto: HeaderBus.path()
        }
    }

    private func checkAbilities(_ file: Int32, path: String) throws(DeviceError) {
        let functions = library.functions(file)
        guard functions >= 0 else { throw DeviceError(errno: Int32(-functions), bus: path) }
        let needed =
            Int(I2C_FUNC_SMBUS_WRITE_I2C_BLOCK) | Int(I2C_FUNC_SMBUS_READ_BYTE) | Int(I2C_FUNC_SMBUS_WRITE_BYTE)
        guard functions & needed == needed else { throw DeviceError(errno: EOPNOTSUPP, bus: path) }
    }

    private func fault(_ errno: Int32) -> DeviceError {
        DeviceError(errno: errno, bus: path ?? devicePath, address: address)
    }
}

/// The I2C functions for displays: i2c-dev and libi2c, or a model of them in tests. Every result is 0 or more, or a
/// negative errno.
protocol I2CLibrary: Sendable {
    func open(_ path: String) -> Int32
    func close(_ file: Int32)
    /// The `I2C_FUNC_` bits of the bus's adapter.
    func functions(_ file: Int32) -> Int
    /// Sets the timeout of a transfer, in units of 10 ms.
    func setTimeout(_ file: Int32, _ tensOfMilliseconds: UInt)
    /// Selects this 7-bit address for further transfers; -EBUSY if a kernel driver uses it.
    func setAddress(_ file: Int32, _ address: UInt8) -> Int32
    func readByte(_ file: Int32) -> Int32
    /// Writes the number of a register and reads its value, in one transfer.
    func readRegister(_ file: Int32, _ register: UInt8) -> Int32
    func writeByte(_ file: Int32, _ byte: UInt8) -> Int32
    /// Writes a command byte and up to 32 bytes in one transfer.
    func writeBlock(_ file: Int32, command: UInt8, _ bytes: ArraySlice<UInt8>) -> Int32
}

/// I2C through i2c-dev and libi2c.
struct LibI2C: I2CLibrary {
    func open(_ path: String) -> Int32 {
        let file = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
        return file >= 0 ? file : -errno
    }

    func close(_ file: Int32) { _ = Glibc.close(file) }

    func functions(_ file: Int32) -> Int { ci2c_functions(file) }

    func setTimeout(_ file: Int32, _ tensOfMilliseconds: UInt) { _ = ci2c_set_timeout(file, tensOfMilliseconds) }

    func setAddress(_ file: Int32, _ address: UInt8) -> Int32 { ci2c_set_address(file, address) }

    func readByte(_ file: Int32) -> Int32 { i2c_smbus_read_byte(file) }

    func readRegister(_ file: Int32, _ register: UInt8) -> Int32 { i2c_smbus_read_byte_data(file, register) }

    func writeByte(_ file: Int32, _ byte: UInt8) -> Int32 { i2c_smbus_write_byte(file, byte) }

    func writeBlock(_ file: Int32, command: UInt8, _ bytes: ArraySlice<UInt8>) -> Int32 {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe i2c_smbus_write_i2c_block_data(file, command, UInt8(bytes.count), bytes.baseAddress)
        }
    }
}

/// The clock of an I2C bus, which only the device tree reports.
enum BusClock {
    /// The clock in hertz unless `dtparam=i2c_arm_baudrate` sets another.
    static let standard = 100_000

    /// The clock of the bus of a device file, in hertz; nil if the device tree does not report it.
    ///
    /// - Parameter root: the folder of the adapters.
    static func ofBus(at path: String, root: String = HeaderBus.adapters) -> Int? {
        guard let name = path.split(separator: "/").last else { return nil }
        let cell = try? SmallFile.read("\(root)/\(name)/of_node/clock-frequency", limit: 4).bytes
        return cell.flatMap(decode)
    }

    /// The value of a device tree cell: 32 bits, most significant byte first; nil for another length, and outside the
    /// range of bus clocks.
    static func decode(_ cell: [UInt8]) -> Int? {
        guard cell.count == 4 else { return nil }
        let value = cell.reduce(0) { $0 << 8 | Int($1) }
        return (1_000...5_000_000).contains(value) ? value : nil
    }
}
