import BoardCore
import BoardIO
import CI2C
import Glibc

/// An I2C bus of this machine, and the devices on it.
public struct I2CBusScan: Hashable, Sendable {
    public struct Device: Hashable, Sendable {
        public let address: UInt8
        /// The kernel's name of the device if one of its drivers uses it; nil: it responds to reads.
        public let kernelName: String?

        public init(address: UInt8, kernelName: String? = nil) {
            self.address = address
            self.kernelName = kernelName
        }
    }

    /// The addresses of devices; the others are reserved (UM10204, table 4).
    static let addresses: ClosedRange<UInt8> = 0x08...0x77

    /// The device file.
    public let path: String
    /// The adapter's name; nil: unknown.
    public let name: String?
    /// Whether it is the bus of the pin header.
    public let isHeader: Bool
    /// The devices by their address, or why the bus cannot be read.
    public let devices: Result<[Device], DeviceError>

    public init(path: String, name: String?, isHeader: Bool = false, devices: Result<[Device], DeviceError>) {
        self.path = path
        self.name = name
        self.isHeader = isHeader
        self.devices = devices
    }

    /// The addresses that no kernel driver uses.
    public var free: [UInt8] {
        ((try? devices.get()) ?? []).filter { $0.kernelName == nil }.map(\.address)
    }

    /// The displays that may be connected to it, the likeliest first.
    public var displays: [ProposedDisplay] { ProposedDisplay.all(at: free, bus: path) }

    /// All buses, lowest number first.
    ///
    /// Reads a byte from every address and writes nothing. Blocks: 30 ms a bus, or 50 ms for one that is stuck.
    public static func all() -> [I2CBusScan] {
        all(LibI2C(), root: "")
    }

    /// - Parameter root: the folder of `dev` and `sys`.
    static func all(_ library: any I2CLibrary, root: String) -> [I2CBusScan] {
        let numbers = ((try? SmallFile.names(in: "\(root)/dev")) ?? []).compactMap { name in
            name.hasPrefix("i2c-") ? Int(name.dropFirst(4)) : nil
        }
        let header = HeaderBus.path(root: root)
        return numbers.sorted().map { number in
            let path = "/dev/i2c-\(number)"
            return I2CBusScan(
                path: path, name: text("\(root)\(HeaderBus.adapters)/i2c-\(number)/name"), isHeader: path == header,
                devices: Result { () throws(DeviceError) in try scan(path, library, root: root) })
        }
    }

    /// The devices at these addresses of a bus.
    static func scan(
        _ path: String, _ library: any I2CLibrary, at addresses: some Sequence<UInt8> = Self.addresses,
        root: String = ""
    ) throws(DeviceError) -> [Device] {
        let file = library.open(path)
        guard file >= 0 else { throw DeviceError(errno: -file, bus: path) }
        defer { library.close(file) }
        let functions = library.functions(file)
        guard functions >= 0, functions & Int(I2C_FUNC_SMBUS_READ_BYTE) != 0 else {
            throw DeviceError("\(path) cannot read single bytes: no device can be found on it")
        }
        library.setTimeout(file, 5)
        var devices: [Device] = []
        for address in addresses {
            let status = library.setAddress(file, address)
            switch status < 0 ? -status : max(0, -library.readByte(file)) {
            case 0: devices.append(Device(address: address))
            case EBUSY:
                devices.append(Device(address: address, kernelName: kernelName(of: address, on: path, root: root)))
            case EREMOTEIO, ENXIO, EIO, ENODEV: continue
            // The bus itself: other addresses would fail too.
            case let errno: throw DeviceError(errno: errno, bus: path)
            }
        }
        return devices
    }

    private static func kernelName(of address: UInt8, on path: String, root: String) -> String {
        let number = path.split(separator: "-").last ?? ""
        return text("\(root)\(HeaderBus.adapters)/\(number)-\(address.padded(to: 4, radix: 16))/name")
            ?? "unknown driver"
    }

    /// The first line of one of the kernel's text files.
    private static func text(_ path: String) -> String? {
        let text = try? SmallFile.read(path, limit: 256).text.prefix { !$0.isNewline }
        return text.flatMap { $0.isEmpty ? nil : String($0) }
    }
}

/// The bus of the pin header, which its number does not identify: a device tree without aliases leaves the numbers to the
/// order in which the drivers start.
enum HeaderBus {
    /// The folder of the kernel's buses, and of the devices that its drivers use.
    static let adapters = "/sys/bus/i2c/devices"
    /// The controller at the header's pins 3 and 5 in the device trees of Raspberry Pi OS and of Linux: of a Pi 0 to 4, and of
    /// a Pi 5.
    private static let nodes = ["i2c@7e804000", "i2c@74000", "i2c@40074000"]

    /// The device file.
    ///
    /// - Parameter root: the folder of `dev` and `sys`.
    static func path(root: String = "") -> String {
        let buses = ((try? SmallFile.names(in: root + adapters)) ?? []).filter { $0.hasPrefix("i2c-") }.sorted()
        let header = buses.first { bus in
            let node = FilePath(following: "\(root)\(adapters)/\(bus)/of_node").steps.last?.name
            return node.isSomeAnd(nodes.contains)
        }
        if let header { return "/dev/\(header)" }
        // Another machine; the first Pis have the header's bus at i2c-0.
        let common = "/dev/i2c-1"
        let first = "/dev/i2c-0"
        return unsafe access(root + common, F_OK) != 0 && access(root + first, F_OK) == 0 ? first : common
    }
}
