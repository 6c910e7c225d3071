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
    /// One of a list of words; refuses another with the list.
    func word<Word: RawRepresentable & CaseIterable>(
        _ type: Word.Type, _ key: Key
    ) throws -> Word where Word.RawValue == String {
        let text = try decode(String.self, forKey: key)
        guard let word = Word(rawValue: text) else {
            let allowed = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw refusal(key, "\"\(RequestTarget.quoted(text))\" is not known; allowed: \(allowed)")
        }
        return word
    }

    /// A whole number of at least `least`; nil where there is none.
    func integer(_ key: Key, atLeast least: Int) throws -> Int? {
        // Read as an Int, the decoder calls 1.5 no JSON, and says not where it is.
        guard let number = try decodeIfPresent(Double.self, forKey: key) else { return nil }
        let whole = Int(exactly: number)
        try check(key, whole != nil, "must be a whole number")
        try check(key, whole.map { $0 >= least } ?? false, "must be \(least) or more")
        return whole
    }

    /// Refuses a value that is read and yet not allowed.
    func check(_ key: Key, _ isAllowed: Bool, _ rule: String) throws {
        guard isAllowed else { throw refusal(key, rule) }
    }

    /// Why a value that is read is yet not allowed.
    func refusal(_ key: Key, _ rule: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath + [key], debugDescription: rule))
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
