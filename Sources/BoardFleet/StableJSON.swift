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

/// A JSON value, written as a literal.
enum JSONLiteral: Hashable, Sendable, Encodable {
    case text(String)
    case number(Int)
    case list([JSONLiteral])
    /// Keys with ``absent`` are left out.
    case object([String: JSONLiteral])
    case absent

    static func optional(_ text: String?) -> JSONLiteral { text.map(JSONLiteral.text) ?? .absent }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text): try text.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .list(let elements): try elements.encode(to: encoder)
        case .object(let values): try values.filter { $0.value != .absent }.encode(to: encoder)
        case .absent: break
        }
    }
}

extension JSONLiteral: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .number(number) }
    init(arrayLiteral elements: JSONLiteral...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, JSONLiteral)...) {
        self = .object(Dictionary(elements) { first, _ in first })
    }
}
