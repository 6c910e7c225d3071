/// A hash of a name that distinguishes it from nearly all others.
enum NameHash {
    /// The name's length and three of its bytes.
    static func of(_ name: Span<UInt8>) -> UInt32 {
        let count = name.count
        guard count > 0 else { return 0 }
        return UInt32(min(count, 255)) << 24 | UInt32(name[0]) << 16 | UInt32(name[count / 2]) << 8
            | UInt32(name[count - 1])
    }
}
