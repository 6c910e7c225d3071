internal import BoardCore

/// What operators write where something is missing, decided once: absent, null, "", "null" and blanks alone are no value.
/// And what they change their minds about: a number may be quoted, and a text may be written as a number.
extension KeyedDecodingContainer {
    /// The text of a key; nil for no value, and for an object or an array.
    func text(_ key: Key) -> String? {
        guard let text = (try? decodeIfPresent(String.self, forKey: key)) ?? unquoted(key) else { return nil }
        let hasBlanks = text.utf8.first.map { $0 <= 0x20 } ?? false || text.utf8.last.map { $0 <= 0x20 } ?? false
        let value = hasBlanks ? text.trimmingBlanks() : text
        return value.isEmpty || value == "null" ? nil : value
    }

    /// The whole number of a key, quoted or not; nil for anything else.
    func integer(_ key: Key) -> Int? {
        if let number = try? decodeIfPresent(Int.self, forKey: key) { return number }
        return text(key).flatMap { Int($0) }
    }

    /// The moment of a key; nil for no value, and where the text names none ("0001-01-01T00:00:00").
    func time(_ key: Key) -> Timestamp? {
        guard let text = try? decodeIfPresent(String.self, forKey: key) else { return nil }
        return Timestamp(rfc3339: text.utf8.span)
    }

    /// The rows of a key that can be read; none where there is no array.
    func rows<Row: Decodable>(_ key: Key, of type: Row.Type = Row.self) -> [Row] {
        let rows = try? decodeIfPresent([LossyRow<Row>].self, forKey: key)
        return rows?.compactMap(\.row) ?? []
    }

    /// A number or a truth value as text.
    private func unquoted(_ key: Key) -> String? {
        guard contains(key) else { return nil }
        if let number = try? decode(Int.self, forKey: key) { return String(number) }
        if let number = try? decode(Double.self, forKey: key) { return String(number) }
        if let truth = try? decode(Bool.self, forKey: key) { return String(truth) }
        return nil
    }
}
