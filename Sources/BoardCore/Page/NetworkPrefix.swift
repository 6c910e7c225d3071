/// The addresses that begin with the same bits: `192.168.1.0/24`, `fd00::/8` (RFC 4632, RFC 4291).
public struct NetworkPrefix: Hashable, Sendable, CustomStringConvertible {
    /// Its first address: all bits after the prefix are 0.
    public let address: IPAddress
    /// In bits: 0 to 32 of IPv4, 0 to 128 of IPv6.
    public let length: Int

    /// The network of an address; nil for a length that its family does not have.
    public init?(of address: IPAddress, length: Int) {
        guard (0...address.bytes.count * 8).contains(length) else { return nil }
        let first = address.bytes.enumerated().map { index, byte in
            byte & ~(UInt8.max >> UInt8(min(max(length - index * 8, 0), 8)))
        }
        guard let address = IPAddress(bytes: first) else { return nil }
        self.address = address
        self.length = length
    }

    /// Parses an address, `/` and a length. The network of an IPv4-mapped address, from `::ffff:0:0/96` on, is one of IPv4.
    public init(written text: String) throws(NetworkPrefixFault) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { throw .noAddress }
        // Of the text and not of the value, whose IPv4-mapped form is shorter.
        let isMapped = address.isIPv4 && first.contains(":")
        let bits = isMapped ? 128 : address.bytes.count * 8
        guard parts.count == 2, let written = Int(parts[1]), "\(written)" == parts[1], (0...bits).contains(written)
        else {
            throw .noLength(largest: bits)
        }
        let length = isMapped ? written - 96 : written
        guard let network = NetworkPrefix(of: address, length: length) else { throw .noAddress }
        guard network.address == address else { throw .bitsAfterPrefix(network) }
        self = network
    }

    /// Whether an address is in the network. No address of IPv4 is in a network of IPv6.
    public func contains(_ other: IPAddress) -> Bool {
        other.isIPv4 == address.isIPv4 && NetworkPrefix(of: other, length: length)?.address == address
    }

    public var description: String { "\(address)/\(length)" }
}

/// What is wrong with a written network; the description is the end of a sentence about it.
public enum NetworkPrefixFault: Error, Hashable, CustomStringConvertible {
    case noAddress
    /// The length is missing or not from 0 to `largest`.
    case noLength(largest: Int)
    /// The address has bits after the prefix; the network that contains it.
    case bitsAfterPrefix(NetworkPrefix)

    public var description: String {
        switch self {
        case .noAddress: "is not a network: must be an IP address, / and a length, such as 192.168.1.0/24 or fd00::/8"
        case .noLength(let largest): "must end with / and a number of bits from 0 to \(largest)"
        case .bitsAfterPrefix(let network): "is an address in a network: write \(network)"
        }
    }
}
