internal import BoardCore
internal import Glibc

/// Searches the expander's address, by reading only: the same range holds clocks, sensors and small OLEDs.
struct AddressSearch {
    /// The addresses of almost all modules: PCF8574 and PCF8574A with their address pins high.
    static let common: [UInt8] = [0x27, 0x3F]
    /// All addresses of the two chips, the common ones first.
    static let all: [UInt8] = common + (Array(0x20...0x26) + Array(0x38...0x3E))

    /// The address to search; after a success only the one found. While the display is unplugged, a sensor that is then the
    /// only device to respond must not be mistaken for it and written to.
    private(set) var target: DisplayWiring.Address
    let bus: String

    /// - Parameter read: reads from an address and returns 0 or an errno.
    mutating func run(_ read: (UInt8) -> Int32) throws(BusFault) -> UInt8 {
        switch target {
        case .fixed(let address):
            let errno = read(address)
            guard errno == 0 else { throw BusFault(errno: errno, bus: bus, address: address) }
            return address
        case .auto:
            let found = try findAny(read)
            target = .fixed(found)
            return found
        }
    }

    private func findAny(_ read: (UInt8) -> Int32) throws(BusFault) -> UInt8 {
        var responding: [UInt8] = []
        var claimed: UInt8?
        for address in Self.all {
            switch read(address) {
            case 0:
                if Self.common.contains(address) { return address }
                responding.append(address)
            case EBUSY:
                claimed = claimed ?? address  // the common ones come first
            case EREMOTEIO, ENXIO, EIO:
                continue
            case let errno:
                throw BusFault(errno: errno, bus: bus)  // the bus itself: other addresses would fail too
            }
        }
        // Another responding device is then hardly the display.
        if let claimed, Self.common.contains(claimed) { throw BusFault(errno: EBUSY, bus: bus, address: claimed) }
        if let only = responding.first, responding.count == 1 { return only }
        if responding.count > 1 {
            let list = responding.map(BusFault.hex).joined(separator: ", ")
            throw BusFault(
                "several devices respond on \(bus) (\(list)): set [display] address to the LCD's")
        }
        if let claimed { throw BusFault(errno: EBUSY, bus: bus, address: claimed) }
        throw BusFault(
            errno: EREMOTEIO,
            "no display responds on \(bus) at 0x20–0x27 or 0x38–0x3f: check SDA, SCL, 5 V and GND")
    }
}
