import FoundationEssentials

/// Any JSON value of a response or payload.
package enum JSONValue: Hashable, Codable, CustomStringConvertible {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    package init(_ json: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(json)) }

    package init(from decoder: any Decoder) throws {
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

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }

    /// The value of a key, or of a path of keys; nil where a key is absent, or a value is not an object.
    package subscript(_ path: String...) -> JSONValue? {
        path.reduce(self) { value, key in
            if case .object(let values) = value { values[key] } else { nil }
        }
    }

    /// The values by key; none where it is not an object.
    package var fields: [String: JSONValue] {
        if case .object(let values) = self { values } else { [:] }
    }

    /// The keys; none where it is not an object.
    package var keys: Set<String> {
        if case .object(let values) = self { Set(values.keys) } else { [] }
    }

    /// The elements; none where it is not a list.
    package var elements: [JSONValue] {
        if case .list(let values) = self { values } else { [] }
    }

    /// The text; nil where it is not a text.
    package var string: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number; nil where it is not a number.
    package var double: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    package var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): "\"\(value)\""
        case .list(let values): "\(values)"
        case .object(let values): "\(values)"
        }
    }

    /// JSON with a line for each value, and sorted keys.
    package var lines: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }

    package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .number(Double(value)) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}
