internal import BoardCore
internal import BoardIO

/// What identifies a board in Home Assistant, whatever its name is: `boardd-` and 16 hexadecimal digits.
public struct DeviceID: Hashable, Sendable, Codable, CustomStringConvertible {
    private static let prefix = "boardd-"
    /// In bytes: a collision of two boards is as good as impossible.
    private static let length = 8

    public let description: String

    /// - Parameter machineID: the text of /etc/machine-id, which must not leave the machine (machine-id(5)): only its SHA-256 does.
    ///   A second board of a machine adds something of its own.
    public init(machineID: String) {
        let hash = SHA256.hash(Array("boardd/1/\(machineID)".utf8)).prefix(Self.length)
        description = Self.prefix + hash.map { $0.padded(to: 2, radix: 16) }.joined()
    }

    /// Parses ``description``; nil for any other text.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst(Self.prefix.utf8.count)
        guard text.hasPrefix(Self.prefix), digits.count == 2 * Self.length,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        description = text
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = DeviceID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an identifier of a board")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
