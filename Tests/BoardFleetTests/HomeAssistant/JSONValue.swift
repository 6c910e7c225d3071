import FoundationEssentials

/// Any JSON of a payload, for its values and for writing it in several lines.
enum JSONValue: Hashable, Codable {
    case null
    case bool(Bool)
    case integer(Int)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(_ payload: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(payload)) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// A value in objects.
    subscript(_ path: String...) -> JSONValue? {
        path.reduce(self) { value, key in
            if case .object(let values) = value { values[key] } else { nil }
        }
    }

    var keys: Set<String> { if case .object(let values) = self { Set(values.keys) } else { [] } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var list: [JSONValue] { if case .list(let values) = self { values } else { [] } }

    var lines: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}
