public import BoardCore

/// An instant as the API writes it: RFC 3339 in UTC ("2026-05-04T12:04:30Z").
public struct RFC3339Timestamp: Hashable, Sendable, Codable, CustomStringConvertible {
    public let timestamp: Timestamp

    public init(_ timestamp: Timestamp) {
        self.timestamp = timestamp
    }

    /// Decodes RFC 3339.
    ///
    /// - Throws: `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let timestamp = Timestamp(rfc3339: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not an RFC 3339 timestamp")
        }
        self.timestamp = timestamp
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public var description: String { timestamp.rfc3339 }
}
