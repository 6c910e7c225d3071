/// Any JSON value.
enum JSONValue: Hashable, Decodable, CustomStringConvertible {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// The value of a key; nil where the key is absent, or this is not an object.
    subscript(_ key: String) -> JSONValue? {
        if case .object(let values) = self { values[key] } else { nil }
    }

    /// The keys; none where it is not an object.
    var keys: Set<String> {
        if case .object(let values) = self { Set(values.keys) } else { [] }
    }

    /// The elements; none where it is not a list.
    var elements: [JSONValue] {
        if case .list(let values) = self { values } else { [] }
    }

    /// The text; nil where it is not a text.
    var string: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number; nil where it is not a number.
    var double: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): "\"\(value)\""
        case .list(let values): "\(values)"
        case .object(let values): "\(values)"
        }
    }
}
