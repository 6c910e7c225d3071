internal import BoardCore
internal import FoundationEssentials

/// The format of `--json`: a line per value, sorted keys, control characters as `\uXXXX`.
enum PrettyJSON {
    /// A value as JSON, with a line break at the end.
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(value) else { return "null\n" }
        return String(decoding: bytes, as: UTF8.self).asPrintedJSON + "\n"
    }
}
