/// The name of a host in lower case, without a final dot: letters, digits, hyphens and dots (RFC 1123, 2.1), also underscores,
/// which names in home networks have.
public struct HostName: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Whether the name is in a domain of home networks, which cannot be registered: `.local` (RFC 6762), `.home.arpa` (RFC 8375), `.internal`
    /// (reserved by ICANN), and two that routers use and that do not exist.
    public var isOfHomeNetwork: Bool {
        [".local", ".home.arpa", ".internal", ".lan", ".localdomain"].contains { description.hasSuffix($0) }
    }

    /// Nil for any other text, and for a name whose last label is a number, which browsers take for an IPv4 address (WHATWG URL, 3.5).
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
