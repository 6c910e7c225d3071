internal import BoardCore

/// What operators write where something is missing, decided once for all formats: nothing, "", "null" and blanks alone are
/// no value.
extension Span<UInt8> {
    /// The text without blanks at its ends; nil for no value.
    var trimmedText: String? {
        let text = extracting(trimmed)
        guard !text.isEmpty, !text.isNull else { return nil }
        return unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The moment that the text names, in RFC 3339 or as WCF services write it; nil where it names none.
    var timestamp: Timestamp? {
        let text = extracting(trimmed)
        return Timestamp(rfc3339: text) ?? Timestamp(wcfDate: text)
    }

    /// Whether the text is a truth value that is true.
    var isTrue: Bool { trimmedText?.isTrue ?? false }

    /// Whether both have the same bytes.
    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// What is between the blanks and control characters at both ends.
    private var trimmed: Range<Int> {
        var (start, end) = (0, count)
        while start < end, self[start] <= 0x20 { start += 1 }
        while end > start, self[end - 1] <= 0x20 { end -= 1 }
        return start..<end
    }

    private var isNull: Bool {
        count == 4 && self[0] == UInt8(ascii: "n") && self[1] == UInt8(ascii: "u") && self[2] == UInt8(ascii: "l")
            && self[3] == UInt8(ascii: "l")
    }
}

extension UInt8 {
    /// Whether it is white space of JSON (RFC 8259 §2), which is that of XML, too (XML 1.0 §2.3).
    var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
