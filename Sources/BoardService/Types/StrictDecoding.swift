/// Any key of a JSON object.
package struct AnyKey: CodingKey, ExpressibleByStringLiteral {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(_ name: String) { stringValue = name }
    package init(stringLiteral name: String) { stringValue = name }
    package init(stringValue name: String) { stringValue = name }
    package init?(intValue: Int) { nil }
}

extension Decoder {
    /// A container with no keys but these: a misspelt key must fail instead of being ignored.
    package func strictContainer(_ allowed: [String]) throws -> KeyedDecodingContainer<AnyKey> {
        let container = try container(keyedBy: AnyKey.self)
        for key in container.allKeys where !allowed.contains(key.stringValue) {
            throw container.invalid(key, "is unknown; allowed: \(allowed.joined(separator: ", "))")
        }
        return container
    }
}

extension KeyedDecodingContainer {
    /// A whole number of at least `least`; nil if the key is absent.
    package func integer(_ key: Key, atLeast least: Int) throws -> Int? {
        // For an Int, the decoder would report 1.5 as invalid JSON, without its position.
        guard let number = try decodeIfPresent(Double.self, forKey: key) else { return nil }
        guard let whole = Int(exactly: number) else { throw invalid(key, "must be a whole number") }
        guard whole >= least else { throw invalid(key, "must be \(least) or more") }
        return whole
    }

    /// The error for a readable value that is not allowed.
    package func invalid(_ key: Key, _ rule: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath + [key], debugDescription: rule))
    }
}
