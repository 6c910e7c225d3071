/// The name of a board or of a list of favourites in topics of the broker: 1 to 63 letters from a to z, digits and hyphens.
public struct FleetName: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// As in a label of a host name (RFC 1123, 2.1).
    private static let longest = 63

    public let description: String

    /// Nil for any other text.
    public init?(_ text: some StringProtocol) {
        let isWritten = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isWritten, (1...Self.longest).contains(text.utf8.count) else { return nil }
        description = String(text)
    }

    /// The first label of a host name, with hyphens for all other characters; nil where nothing is left.
    public init?(hostName: String) {
        let label = hostName.lowercased().prefix { $0 != "." }.prefix(Self.longest)
        self.init(String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }))
    }

    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let name = FleetName(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a name of letters from a to z, digits and hyphens")
        }
        self = name
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
