extension Decoder {
    /// A container that has no other keys than those of `type`: a request with a misspelt key must not be carried out
    /// as if the key were not there.
    func strictContainer<Key: CodingKey & CaseIterable & Hashable>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let known = Set(Key.allCases.map(\.stringValue))
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            let allowed = Key.allCases.map(\.stringValue).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath + [key], debugDescription: "is not known; allowed: \(allowed)"))
        }
        return try container(keyedBy: type)
    }
}

extension KeyedDecodingContainer {
    /// Refuses a value that is read and yet not allowed.
    func check(_ key: Key, _ isAllowed: Bool, _ rule: String) throws {
        guard isAllowed else {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath + [key], debugDescription: rule))
        }
    }
}

/// Any key at all.
private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init?(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
