import BoardCore
import BoardIO
import CI2C
import Glibc

/// Searches for a display's address by reading only: clocks, sensors and other displays have the same addresses.
struct AddressSearch {
    /// The addresses that a kind of display can have.
    struct Candidates: Hashable, Sendable {
        /// The addresses of almost all modules: the first that responds is the display.
        let common: [UInt8]
        /// The display's only if nothing else responds.
        let others: [UInt8]

        /// As a message writes them: "0x20–0x27 or 0x38–0x3f".
        var ranges: String {
            var ranges: [ClosedRange<UInt8>] = []
            for address in (common + others).sorted() {
                if let last = ranges.last, last.upperBound + 1 == address {
                    ranges[ranges.count - 1] = last.lowerBound...address
                } else {
                    ranges.append(address...address)
                }
            }
            return ranges.map { range in
                let first = range.lowerBound.asHex
                return range.count == 1 ? first : "\(first)–\(range.upperBound.asHex)"
            }.joined(separator: " or ")
        }
    }

    /// The address to search for; after a success only the one found. While the display is unplugged, a sensor that is
    /// then the only device to respond must not be mistaken for it and written to.
    private(set) var target: DisplayWiring.Address
    let candidates: Candidates
    let bus: String

    /// - Parameter read: reads from an address and returns 0 or an errno.
    mutating func run(_ read: (UInt8) -> Int32) throws(DeviceError) -> UInt8 {
        switch target {
        case .fixed(let address):
            let errno = read(address)
            guard errno == 0 else { throw DeviceError(errno: errno, bus: bus, address: address) }
            return address
        case .auto:
            let found = try findAny(read)
            target = .fixed(found)
            return found
        }
    }

    private func findAny(_ read: (UInt8) -> Int32) throws(DeviceError) -> UInt8 {
        var responding: [UInt8] = []
        var claimed: UInt8?
        for address in candidates.common + candidates.others {
            switch read(address) {
            case 0:
                if candidates.common.contains(address) { return address }
                responding.append(address)
            case EBUSY:
                claimed = claimed ?? address  // the common ones come first
            case EREMOTEIO, ENXIO, EIO:
                continue
            case let errno:
                throw DeviceError(errno: errno, bus: bus)  // the bus itself: other addresses would fail too
            }
        }
        // Another responding device is then unlikely to be the display.
        if let claimed, candidates.common.contains(claimed) {
            throw DeviceError(errno: EBUSY, bus: bus, address: claimed)
        }
        if let only = responding.first, responding.count == 1 { return only }
        if responding.count > 1 {
            let list = responding.map(\.asHex).joined(separator: ", ")
            throw DeviceError(
                "several devices respond on \(bus) (\(list)): set [display] address to the display's")
        }
        if let claimed { throw DeviceError(errno: EBUSY, bus: bus, address: claimed) }
        throw DeviceError(
            errno: EREMOTEIO,
            "no display responds on \(bus) at \(candidates.ranges): check SDA, SCL, VCC and GND")
    }
}

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
    private static let addresses: ClosedRange<UInt8> = 0x08...0x77

    /// The device file.
    public let path: String
    /// The adapter's name; nil: unknown.
    public let name: String?
    /// The devices by their address, or why the bus cannot be read.
    public let devices: Result<[Device], DeviceError>

    public init(path: String, name: String?, devices: Result<[Device], DeviceError>) {
        self.path = path
        self.name = name
        self.devices = devices
    }

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
        return numbers.sorted().map { number in
            let path = "/dev/i2c-\(number)"
            return I2CBusScan(
                path: path, name: text("\(root)/sys/class/i2c-adapter/i2c-\(number)/name"),
                devices: Result { () throws(DeviceError) in
                    try scan(path, library) { address in
                        let digits = address.padded(to: 4, radix: 16)
                        return text("\(root)/sys/bus/i2c/devices/\(number)-\(digits)/name") ?? "unknown driver"
                    }
                })
        }
    }

    private static func scan(
        _ path: String, _ library: any I2CLibrary, kernelName: (UInt8) -> String
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
            case EBUSY: devices.append(Device(address: address, kernelName: kernelName(address)))
            case EREMOTEIO, ENXIO, EIO, ENODEV: continue
            // The bus itself: other addresses would fail too.
            case let errno: throw DeviceError(errno: errno, bus: path)
            }
        }
        return devices
    }

    /// The first line of one of the kernel's text files.
    private static func text(_ path: String) -> String? {
        let text = try? SmallFile.read(path, limit: 256).text.prefix { !$0.isNewline }
        return text.flatMap { $0.isEmpty ? nil : String($0) }
    }
}
