import BoardCore

/// Absent values, the same for all formats: "", "null" and blanks alone.
extension Span<UInt8> {
    /// The text without surrounding blanks; nil if absent.
    var trimmedText: String? {
        let text = extracting(trimmed)
        guard !text.isEmpty, !text.isNull else { return nil }
        return unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The timestamp in the text, in RFC 3339 or in the format of WCF services; nil if there is none.
    var timestamp: Timestamp? {
        let text = extracting(trimmed)
        return Timestamp(rfc3339: text) ?? Timestamp(wcfDate: text)
    }

    func isEqual(to other: Span<UInt8>) -> Bool {
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
    /// Whether it is JSON's white space (RFC 8259 §2), which is also XML's (XML 1.0 §2.3).
    var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether it is an ASCII letter or digit.
    var isAlphanumeric: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension String {
    /// Whether the text is a true boolean as operators send it.
    var isTrue: Bool { lowercased() == "true" || self == "1" }

    /// Whether the text has the form of a UUID (RFC 9562 §4).
    var isUUID: Bool {
        let groups = utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy { JSONEscapes.digit($0) != nil }
    }
}

extension Timestamp {
    /// The latest timestamp: the end of year 9999, as for RFC 3339, in milliseconds since 1970.
    private static let latest: Int64 = 253_402_300_799_999

    /// Parses `/Date(1700000000000)/` or `/Date(1700000000000+1030)/`: milliseconds since 1970 in UTC. The offset is
    /// the service's own zone and does not affect the value (Microsoft, "Stand-Alone JSON Serialization", DateTime Wire
    /// Format). Nil for other texts, and before 1970: WCF sends .NET's "no date" as `/Date(-62135596800000)/`.
    init?(wcfDate text: Span<UInt8>) {
        let text = unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        guard text.hasPrefix("/Date("), text.hasSuffix(")/") else { return nil }
        var number = text.dropFirst(6).dropLast(2)
        if let sign = number.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let offset = number[sign...].dropFirst()
            guard offset.utf8.count == 4, offset.utf8.allSatisfy(\.isDigit) else { return nil }
            number = number[..<sign]
        }
        guard number.utf8.allSatisfy(\.isDigit), let milliseconds = Int64(number), milliseconds <= Self.latest else {
            return nil
        }
        self.init(microseconds: milliseconds * 1_000)
    }
}

extension Duration {
    /// The units in order, those of the date before those of the time; nil: no fixed number of seconds.
    private static let xsdUnits: [(sign: UInt8, isTime: Bool, seconds: Int64?)] = [
        (UInt8(ascii: "Y"), false, nil), (UInt8(ascii: "M"), false, nil), (UInt8(ascii: "D"), false, 86_400),
        (UInt8(ascii: "H"), true, 3_600), (UInt8(ascii: "M"), true, 60), (UInt8(ascii: "S"), true, 1),
    ]

    /// Parses a duration of XML Schema (Part 2, §3.2.6: "PT3M", "-PT2M", "P0Y0M0DT0H3M0.000S"), to the second; nil if
    /// malformed. Years and months have no fixed length: nil unless they are zero.
    init?(xsd text: String) {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty, rest.last != UInt8(ascii: "T") else { return nil }
        var seconds: Int64 = 0
        var isTime = false
        var units = Self.xsdUnits[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "T"), !isTime {
                isTime = true
                rest.removeFirst()
                continue
            }
            // At most nine digits, so the sum with each unit once cannot overflow.
            let digits = rest.prefix(while: \.isDigit)
            guard (1...9).contains(digits.count), let number = Int64(Substring(digits)) else { return nil }
            rest = rest.dropFirst(digits.count)
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst().drop(while: \.isDigit)
                guard rest.first == UInt8(ascii: "S") else { return nil }
            }
            let sign = rest.popFirst()
            guard let place = units.firstIndex(where: { $0.sign == sign && $0.isTime == isTime }) else { return nil }
            guard let length = units[place].seconds ?? (number == 0 ? 0 : nil) else { return nil }
            seconds += number * length
            units = units[(place + 1)...]
        }
        self = .seconds(isNegative ? -seconds : seconds)
    }
}
