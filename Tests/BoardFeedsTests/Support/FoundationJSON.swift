import FoundationEssentials

/// An independent JSON decoder, for comparison.
enum FoundationJSON {
    static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }
}
