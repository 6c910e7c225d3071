package import BoardCore

/// Absent values, the same for all formats: "", "null" and blanks alone.
extension Span<UInt8> {
    /// The text without surrounding blanks; nil if absent.
    package var trimmedText: String? {
        let text = extracting(trimmed)
        guard !text.isEmpty, !text.isNull else { return nil }
        return unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The timestamp in the text, in RFC 3339 or in the format of WCF services; nil if there is none.
    package var timestamp: Timestamp? {
        let text = extracting(trimmed)
        return Timestamp(rfc3339: text) ?? Timestamp(wcfDate: text)
    }

    /// Whether the text is a true boolean.
    package var isTrue: Bool { trimmedText?.isTrue ?? false }

    /// Whether both have the same bytes.
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// The range between blanks and control characters at both ends.
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
    /// Whether it is white space of JSON (RFC 8259 §2), which equals that of XML (XML 1.0 §2.3).
    package var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension String {
    /// Whether the text is a true boolean as operators send it.
    package var isTrue: Bool { lowercased() == "true" || self == "1" }
}
