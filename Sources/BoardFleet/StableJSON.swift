import FoundationEssentials

/// JSON with sorted keys, so that equal values have equal bytes.
enum StableJSON {
    /// Empty for a value that JSON cannot contain, which no payload has.
    static func bytes(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { Array($0) } ?? []
    }
}
