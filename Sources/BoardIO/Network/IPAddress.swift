import BoardCore

/// A numeric IP address, without a zone. An IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2), as a dual-stack socket
/// reports an IPv4 peer, becomes the IPv4 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 bytes of IPv4, or 16 of IPv6, in network order.
    public let bytes: [UInt8]

    /// The 12 bytes before the IPv4 address in an IPv4-mapped one.
    static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// The address of 4 or 16 bytes in network order; nil for another count.
    public init?(bytes: some Collection<UInt8>) {
        let all = Array(bytes)
        switch all.count {
        case 4: self.bytes = all
        case 16: self.bytes = all.starts(with: Self.mapped) ? Array(all[12...]) : all
        default: return nil
        }
    }

    /// Parses `192.168.1.5` or `2001:db8::1` (RFC 4291, 2.2), without brackets; nil for any other text, such as one
    /// with a zone, and for IPv4 numbers with leading zeros, which some programs read as octal.
    public init?(_ text: some StringProtocol) {
        guard let bytes = text.contains(":") ? Self.sixteen(Substring(text)) : Self.four(Substring(text)) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    public var isIPv4: Bool { bytes.count == 4 }

    /// What one machine may have to itself: an IPv4 address, or an IPv6 network (/64) with all its addresses.
    public var own: IPAddress {
        isIPv4 ? self : IPAddress(bytes: bytes.prefix(8) + [UInt8](repeating: 0, count: 8)) ?? self
    }

    /// 127.0.0.0/8 (RFC 1122, 3.2.1.3) or ::1.
    public var isLoopback: Bool {
        isIPv4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// In the form of RFC 5952: for IPv6, lower case, and the first of the longest runs of zeros shortened.
    public var description: String {
        guard !isIPv4 else { return bytes.map { "\($0)" }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        var longest = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > max(longest.count, 1) { longest = start..<index }
            start = index + 1
        }
        func joined(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !longest.isEmpty else { return joined(groups[...]) }
        return joined(groups[..<longest.lowerBound]) + "::" + joined(groups[longest.upperBound...])
    }

    private static func four(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in UInt8(part).flatMap { "\($0)" == part ? $0 : nil } }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func sixteen(_ text: Substring) -> [UInt8]? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2, let first = groups(halves[0], isLast: halves.count == 1) else { return nil }
        guard halves.count == 2 else { return first.count == 16 ? first : nil }
        guard let last = groups(halves[1], isLast: true), first.count + last.count <= 14 else { return nil }
        return first + [UInt8](repeating: 0, count: 16 - first.count - last.count) + last
    }

    /// The bytes of groups of up to four hexadecimal digits; the last two of the address may be an IPv4 address.
    private static func groups(_ text: Substring, isLast: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if isLast, index == parts.count - 1, part.contains(".") {
                guard let end = four(part) else { return nil }
                bytes += end
            } else {
                guard (1...4).contains(part.utf8.count), part.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes
    }
}

/// The addresses that begin with the same bits: `192.168.1.0/24`, `fd00::/8` (RFC 4632, RFC 4291).
public struct NetworkPrefix: Hashable, Sendable, CustomStringConvertible {
    /// Its first address: all bits after the prefix are 0.
    public let address: IPAddress
    /// In bits: 0 to 32 for IPv4, 0 to 128 for IPv6.
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

    /// Parses an address, `/` and a length. IPv4-mapped networks (`::ffff:0:0/96` or longer) become IPv4 networks.
    ///
    /// - Throws: the end of a sentence that begins with the text.
    public init(written text: String) throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { throw Self.noAddress }
        // From the text, not the value: an IPv4-mapped address has become shorter.
        let isMapped = address.isIPv4 && first.contains(":")
        let bits = isMapped ? 128 : address.bytes.count * 8
        guard parts.count == 2, let written = Int(parts[1]), "\(written)" == parts[1], (0...bits).contains(written)
        else {
            throw PlainError("must end with / and a number of bits from 0 to \(bits)")
        }
        let length = isMapped ? written - 96 : written
        guard let network = NetworkPrefix(of: address, length: length) else { throw Self.noAddress }
        guard network.address == address else {
            throw PlainError("is an address in a network: write \(network)")
        }
        self = network
    }

    private static let noAddress = PlainError(
        "is not a network: must be an IP address, / and a length, such as 192.168.1.0/24 or fd00::/8")

    /// Whether an address is in the network. No IPv4 address is in an IPv6 network.
    public func contains(_ other: IPAddress) -> Bool {
        other.isIPv4 == address.isIPv4 && NetworkPrefix(of: other, length: length)?.address == address
    }

    public var description: String { "\(address)/\(length)" }
}

/// A host name in lower case, without a final dot: letters, digits, hyphens and dots (RFC 1123, 2.1), and underscores,
/// which names in home networks have.
public struct HostName: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Whether the name is in a home-network domain, which cannot be registered: `.local` (RFC 6762), `.home.arpa`
    /// (RFC 8375), `.internal` (reserved by ICANN), and two that routers use although they do not exist.
    public var isOfHomeNetwork: Bool {
        [".local", ".home.arpa", ".internal", ".lan", ".localdomain"].contains { description.hasSuffix($0) }
    }

    /// Nil for any other text, and where the last label is a number: an IPv4 address to browsers (WHATWG URL, 3.5).
    public init?(_ text: some StringProtocol) {
        let name = text.lowercased()
        let labels = (name.hasSuffix(".") ? name.dropLast() : name[...]).split(
            separator: ".", omittingEmptySubsequences: false)
        let isWritten = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
        guard isWritten, let last = labels.last, !last.allSatisfy(\.isNumber), !last.hasPrefix("0x") else { return nil }
        let joined = labels.joined(separator: ".")
        guard joined.utf8.count <= 253 else { return nil }
        description = joined
    }
}

/// Whose connections the page accepts: this machine's, and those from its networks and from `[page] networks`.
public enum AcceptedPeers {
    /// Whether a connection from `peer` is served.
    ///
    /// - Parameters:
    ///   - extra: `[page] networks`.
    ///   - interfaces: the networks of this machine's interfaces now; listed only if the result depends on them.
    public static func contain(_ peer: IPAddress, extra: [NetworkPrefix], interfaces: () -> [NetworkPrefix]) -> Bool {
        peer.isLoopback || extra.contains { $0.contains(peer) } || interfaces().contains { $0.contains(peer) }
    }
}
