public import BoardCore
internal import CI2C
internal import Glibc

/// A PCF8574 on an I2C bus of this machine, through i2c-dev and libi2c.
///
/// A port byte is written by an SMBus block: its command byte is the first state of the port. Blocks of 33 leave the
/// bus free for others every 3 ms.
public struct SMBusExpander: ExpanderBus, Sendable {
    /// The clock of the bus in hertz, as the device tree has it; 100 kHz where it says nothing.
    public private(set) var speed = BusClock.standard
    /// The device file; known once ``open()`` has returned.
    public private(set) var path: String?
    /// The expander's address; known once ``open()`` has returned.
    public private(set) var address: UInt8?

    private let bus: DisplayWiring.Bus
    private let library: any I2CLibrary
    /// The address that was found once, for as long as this expander is used.
    private var wanted: DisplayWiring.Address
    private var file: Int32?

    /// An expander that is looked for by ``open()``.
    public init(bus: DisplayWiring.Bus = .auto, address: DisplayWiring.Address = .auto) {
        self.init(bus: bus, address: address, library: LibI2C())
    }

    init(bus: DisplayWiring.Bus, address: DisplayWiring.Address, library: any I2CLibrary) {
        self.bus = bus
        self.library = library
        wanted = address
    }

    /// Opens the bus, checks what it can do, reads its clock and finds the expander, all without writing to it. Where it
    /// was found once it is looked for from then on, and nowhere else.
    public mutating func open() throws(BusFault) {
        close()
        let path = devicePath
        let file = library.open(path)
        guard file >= 0 else { throw BusFault(errno: -file, bus: path) }
        self.file = file
        self.path = path
        do throws(BusFault) {
            try checkAbilities(file, path: path)
            // Without it a line that is held down blocks for a second. In units of 10 ms.
            library.setTimeout(file, 5)
            speed = BusClock.ofBus(at: path) ?? BusClock.standard
            var search = AddressSearch(wanted, bus: path)
            address = try search.run { address in
                let taken = library.setAddress(file, address)
                if taken < 0 { return -taken }
                let errno = max(0, -library.readByte(file))
                // The bus is there, since it was opened: some adapters say so of an address at which nobody is.
                return errno == ENODEV ? ENXIO : errno
            }
            wanted = search.wanted
        } catch {
            close()
            throw error
        }
    }

    /// Puts up to 33 states on the port in one SMBus call.
    public mutating func write(_ portBytes: [UInt8]) throws(BusFault) {
        let file = try handle()
        guard let first = portBytes.first, portBytes.count <= Self.largestWrite else {
            throw fault(EINVAL)
        }
        guard portBytes.count > 1 else { return try check(library.writeByte(file, first)) }
        try check(library.writeBlock(file, command: first, portBytes.dropFirst()))
    }

    /// Sleeps, on through signals.
    public func wait(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var unslept = left
        while unsafe nanosleep(&left, &unslept) != 0, errno == EINTR { left = unslept }
    }

    /// Closes the device file; what is on the port stays there.
    public mutating func close() {
        if let file { library.close(file) }
        file = nil
        address = nil
    }

    private var devicePath: String {
        switch bus {
        case .path(let path): return path
        case .auto:
            // The header's bus is i2c-1 on all but the first Pis, where it is i2c-0.
            let usual = "/dev/i2c-1"
            let first = "/dev/i2c-0"
            return unsafe access(usual, F_OK) != 0 && access(first, F_OK) == 0 ? first : usual
        }
    }

    private func checkAbilities(_ file: Int32, path: String) throws(BusFault) {
        let functions = library.functions(file)
        guard functions >= 0 else { throw BusFault(errno: Int32(-functions), bus: path) }
        let needed =
            Int(I2C_FUNC_SMBUS_WRITE_I2C_BLOCK) | Int(I2C_FUNC_SMBUS_READ_BYTE) | Int(I2C_FUNC_SMBUS_WRITE_BYTE)
        guard functions & needed == needed else { throw BusFault(errno: EOPNOTSUPP, bus: path) }
    }

    private func handle() throws(BusFault) -> Int32 {
        guard let file else { throw fault(ENODEV) }
        return file
    }

    /// libi2c gives what it read, or a negative errno.
    private func check(_ result: Int32) throws(BusFault) {
        if result < 0 { throw fault(-result) }
    }

    private func fault(_ errno: Int32) -> BusFault {
        BusFault(errno: errno, bus: path ?? devicePath, address: address)
    }
}
