import FoundationEssentials

/// Another reader of JSON than the product's, to compare with.
enum FoundationJSON {
    static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }
}
