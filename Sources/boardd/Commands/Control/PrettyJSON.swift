internal import BoardCore
internal import BoardService
internal import FoundationEssentials

/// The format of `--json`: a line per value, sorted keys, control characters as `\uXXXX`.
enum PrettyJSON {
    /// A value as JSON, with a line break at the end.
    ///
    /// - Throws: ``ServiceError`` for an infinite number or NaN, which JSON cannot represent.
    static func text(_ value: some Encodable) throws(ServiceError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self).asPrintedJSON + "\n"
        } catch {
            throw ServiceError(.failed, "the result cannot be written as JSON; please report this")
        }
    }
}
