/// A numeric IP address, without a zone. An IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2), as which a socket for both families
/// reports an IPv4 peer, is the IPv4 address.
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

    /// Parses `192.168.1.5` or `2001:db8::1` (RFC 4291, 2.2), without brackets; nil for any other text, such as one with a zone, and for
    /// numbers with leading zeros, which some programs read as octal.
    public init?(_ text: some StringProtocol) {
        guard let bytes = text.contains(":") ? Self.sixteen(Substring(text)) : Self.four(Substring(text)) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    public var isIPv4: Bool { bytes.count == 4 }

    /// What one machine may have of its own: an address of IPv4, or a network of IPv6 (/64), of which it may use every address.
    public var own: IPAddress {
        isIPv4 ? self : IPAddress(bytes: bytes.prefix(8) + [UInt8](repeating: 0, count: 8)) ?? self
    }

    /// 127.0.0.0/8 (RFC 1122, 3.2.1.3) or ::1.
    public var isLoopback: Bool {
        isIPv4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// The text of RFC 5952: in IPv6, lower case, and the first of the longest runs of zeros shortened.
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

    /// The bytes of groups of four hexadecimal digits; the last two of the address may be an IPv4 address.
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
