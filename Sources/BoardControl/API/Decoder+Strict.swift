extension Decoder {
    /// A container without keys other than those of `type`: a misspelt key must fail instead of being ignored.
    func strictContainer<Key: CodingKey & CaseIterable & Hashable>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let allowed = Set(Key.allCases.map(\.stringValue))
        for key in try container(keyedBy: AnyKey.self).allKeys where !allowed.contains(key.stringValue) {
            let list = Key.allCases.map(\.stringValue).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath + [key], debugDescription: "is unknown; allowed: \(list)"))
        }
        return try container(keyedBy: type)
    }
}

extension KeyedDecodingContainer {
    /// One of a list of words. Throws with the list of allowed words for any other.
    func word<Word: RawRepresentable & CaseIterable>(
        _ type: Word.Type, _ key: Key
    ) throws -> Word where Word.RawValue == String {
        let text = try decode(String.self, forKey: key)
        guard let word = Word(rawValue: text) else {
            let allowed = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid(key, "\"\(RequestTarget.quoted(text))\" is unknown; allowed: \(allowed)")
        }
        return word
    }

    /// A whole number of at least `least`; nil where the key is absent.
    func integer(_ key: Key, atLeast least: Int) throws -> Int? {
        // Decoding an Int, the decoder reports 1.5 as invalid JSON, without its position.
        guard let number = try decodeIfPresent(Double.self, forKey: key) else { return nil }
        let whole = Int(exactly: number)
        try check(key, whole != nil, "must be a whole number")
        try check(key, whole.map { $0 >= least } ?? false, "must be \(least) or more")
        return whole
    }

    /// Throws where a readable value is not allowed.
    func check(_ key: Key, _ isAllowed: Bool, _ rule: String) throws {
        guard isAllowed else { throw invalid(key, rule) }
    }

    /// The error for a readable value that is not allowed.
    func invalid(_ key: Key, _ rule: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath + [key], debugDescription: rule))
    }
}

/// Any key.
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
