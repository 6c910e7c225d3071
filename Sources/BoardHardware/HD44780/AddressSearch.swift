internal import BoardCore
internal import Glibc

/// Which address the expander is at. Looks by reading alone: the same range holds clocks, sensors and small OLEDs.
struct AddressSearch {
    /// The two that almost all modules have: PCF8574 and PCF8574A with their address pins high.
    static let usual: [UInt8] = [0x27, 0x3F]
    /// All that the two chips can have, the usual ones first.
    static let all: [UInt8] = usual + (Array(0x20...0x26) + Array(0x38...0x3E))

    /// Where it is looked for: after a find, only where that was. While the display is unplugged, a sensor that is then
    /// the only one to answer must not be taken for it and written to.
    private(set) var wanted: DisplayWiring.Address
    private let bus: String

    /// A search on this bus.
    init(_ wanted: DisplayWiring.Address, bus: String) {
        self.wanted = wanted
        self.bus = bus
    }

    /// Finds the address.
    ///
    /// - Parameter read: reads from an address and gives 0 or an errno.
    mutating func run(_ read: (UInt8) -> Int32) throws(BusFault) -> UInt8 {
        switch wanted {
        case .fixed(let address):
            let errno = read(address)
            guard errno == 0 else { throw BusFault(errno: errno, bus: bus, address: address) }
            return address
        case .auto:
            let found = try findAny(read)
            wanted = .fixed(found)
            return found
        }
    }

    private func findAny(_ read: (UInt8) -> Int32) throws(BusFault) -> UInt8 {
        var answering: [UInt8] = []
        var taken: UInt8?
        for address in Self.all {
            switch read(address) {
            case 0:
                if Self.usual.contains(address) { return address }
                answering.append(address)
            case EBUSY:
                taken = taken ?? address  // the usual ones come first
            case EREMOTEIO, ENXIO, EIO:
                continue
            case let errno:
                throw BusFault(errno: errno, bus: bus)  // the bus itself: the other addresses would say the same
            }
        }
        // Something else that answers is then hardly the display.
        if let taken, Self.usual.contains(taken) { throw BusFault(errno: EBUSY, bus: bus, address: taken) }
        if let only = answering.first, answering.count == 1 { return only }
        if answering.count > 1 {
            let list = answering.map(BusFault.hex).joined(separator: ", ")
            throw BusFault(.ambiguous, "several devices answer on \(bus) (\(list)): set [display] address to the LCD's")
        }
        if let taken { throw BusFault(errno: EBUSY, bus: bus, address: taken) }
        throw BusFault(
            .noAcknowledge, errno: EREMOTEIO,
            "no display answers on \(bus) at 0x20–0x27 or 0x38–0x3f: check SDA, SCL, 5 V and GND")
    }
}
