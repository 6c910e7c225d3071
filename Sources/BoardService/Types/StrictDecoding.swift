package import BoardStore

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
            throw container.invalid(
                key, "is unknown; allowed: \(allowed.joined(separator: ", "))",
                InvalidValue(key.stringValue, .unknown, allowed: allowed))
        }
        return container
    }
}

/// A whole number of a request. For an Int, the decoder would report 1.5 as invalid JSON, without its position.
package struct WholeNumber: Decodable {
    package let value: Int

    package init(_ value: Int) { self.value = value }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let whole = Int(exactly: try container.decode(Double.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "must be a whole number")
        }
        value = whole
    }
}

extension KeyedDecodingContainer {
    /// A whole number of at least `least`; nil if the key is absent.
    package func integer(_ key: Key, atLeast least: Int) throws -> Int? {
        guard let number = try decodeIfPresent(WholeNumber.self, forKey: key)?.value else { return nil }
        guard number >= least else {
            throw invalid(key, "must be \(least) or more", InvalidValue(key.stringValue, .range, minimum: "\(least)"))
        }
        return number
    }

    /// One of the words of an enumeration.
    package func choice<Word: CaseIterable & RawRepresentable<String> & Decodable>(_ key: Key) throws -> Word {
        if let word = try? decode(Word.self, forKey: key) { return word }
        let text = try decode(String.self, forKey: key)
        let allowed = Word.allCases.map(\.rawValue)
        throw invalid(
            key, "\"\(text)\" is unknown; allowed: \(allowed.joined(separator: ", "))",
            InvalidValue(key.stringValue, .choice, allowed: allowed))
    }

    /// The error for a readable value that is not allowed.
    package func invalid(_ key: Key, _ rule: String, _ value: InvalidValue? = nil) -> ServiceError {
        let value = value ?? InvalidValue(key.stringValue, .format)
        return ServiceError(.malformed, "\(key.stringValue): \(rule)", value: value)
    }
}
