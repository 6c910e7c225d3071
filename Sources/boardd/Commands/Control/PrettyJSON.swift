internal import BoardCore
internal import FoundationEssentials

/// What `--json` prints: a line a value, names in order, what a terminal would obey as `\uXXXX`.
enum PrettyJSON {
    /// A value as JSON, with a line break at the end.
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(value) else { return "null\n" }
        return String(decoding: bytes, as: UTF8.self).asPrintedJSON + "\n"
    }
}
