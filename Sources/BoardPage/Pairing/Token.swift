internal import BoardIO
internal import CCrypto
internal import FoundationEssentials

/// The secret of a paired device: 32 random bytes in base64url (RFC 4648 §5).
struct Token {
    private static let length = 32

    let text: String

    /// A new one.
    init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The token in a header `Authorization: Bearer …`; nil: there is none.
    init?(header: String?) {
        let parts = header?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        text = String(parts[1])
    }

    /// The SHA-256 of the text, which is stored instead of the token.
    var digest: TokenDigest { TokenDigest(SHA256.hash(Array(text.utf8))) }
}

/// The digest of a token.
struct TokenDigest: Codable, Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Compares in constant time.
    func isEqual(to other: TokenDigest) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        return unsafe CRYPTO_memcmp(bytes, other.bytes, bytes.count) == 0
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let data = Data(base64Encoded: try container.decode(String.self)), data.count == SHA256.length else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a digest")
        }
        bytes = Array(data)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes).base64EncodedString())
    }
}
