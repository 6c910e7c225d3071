import CCrypto

/// SHA-256 (FIPS 180-4) from libcrypto.
public enum SHA256 {
    /// The length of a hash in bytes.
    public static let length = Int(SHA256_DIGEST_LENGTH)

    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: length)
        unsafe CCrypto.SHA256(bytes, bytes.count, &digest)
        return digest
    }
}
