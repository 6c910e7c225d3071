internal import FoundationEssentials

/// An operator's answer in JSON, decoded: the one place that knows how answers go wrong before their content does.
enum JSONAnswer {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// White space of RFC 8259 §2.
    private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    /// How much of a text that is no JSON is quoted.
    private static let quoted = 20

    /// Decodes a whole answer; a UTF-8 byte order mark before it is nothing.
    ///
    /// - Throws: ``JSONFault`` that says what the answer is instead.
    static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws(JSONFault) -> Value {
        let text = body.starts(with: byteOrderMark) ? body[byteOrderMark.count...] : body[...]
        switch text.first(where: { !blanks.contains($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): break
        case nil: throw JSONFault("found an empty answer where JSON was expected")
        case UInt8(ascii: "<"): throw JSONFault("found HTML or XML where JSON was expected")
        case 0x1F: throw JSONFault("found compressed bytes where JSON was expected")
        default:
            let start = text.prefix(quoted).map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "?" }
            throw JSONFault("found \"\(String(start))\" where JSON was expected")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(text))
        } catch DecodingError.dataCorrupted {
            throw JSONFault("found \(body.count) bytes of JSON that are broken or cut short")
        } catch {
            throw JSONFault("found JSON of another shape than expected")
        }
    }
}

/// Why an answer could not be decoded.
struct JSONFault: Error, Hashable, CustomStringConvertible {
    /// What was found and what was expected, without an end. May quote the answer's beginning.
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// One row of an array, read on its own: one that cannot be read costs itself and no other.
struct LossyRow<Row: Decodable>: Decodable {
    /// The row; nil where it is not what a row must be.
    let row: Row?

    init(from decoder: any Decoder) {
        row = try? Row(from: decoder)
    }
}
