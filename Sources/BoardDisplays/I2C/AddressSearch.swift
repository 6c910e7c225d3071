import BoardCore
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
            throw DeviceError("several devices respond on \(bus) (\(list)): set [display] address to the display's")
        }
        if let claimed { throw DeviceError(errno: EBUSY, bus: bus, address: claimed) }
        throw DeviceError(
            errno: EREMOTEIO,
            "no display responds on \(bus) at \(candidates.ranges): check SDA, SCL, VCC and GND")
    }
}
