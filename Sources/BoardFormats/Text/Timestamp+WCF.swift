internal import BoardCore

extension Timestamp {
    /// The latest timestamp: the end of year 9999, as for RFC 3339, in milliseconds since 1970.
    private static let latest: Int64 = 253_402_300_799_999

    /// Parses `/Date(1700000000000)/` or `/Date(1700000000000+1030)/`: milliseconds since 1970 in UTC. The offset is the service's
    /// own zone and does not affect the value (Microsoft, "Stand-Alone JSON Serialization", DateTime Wire Format). Nil for any
    /// other text, and before 1970: WCF sends .NET's "no date" as `/Date(-62135596800000)/`.
    init?(wcfDate text: Span<UInt8>) {
        let start = Array("/Date(".utf8)
        guard text.count > start.count + 2, text.extracting(0..<start.count).isEqual(to: start.span) else { return nil }
        var position = start.count
        var milliseconds: Int64 = 0
        while position < text.count, let digit = Self.digit(text[position]) {
            milliseconds = milliseconds * 10 + digit
            guard milliseconds <= Self.latest else { return nil }
            position += 1
        }
        guard position > start.count, position < text.count else { return nil }
        if text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
            let end = position + 5
            guard end < text.count, (position + 1..<end).allSatisfy({ Self.digit(text[$0]) != nil }) else { return nil }
            position = end
        }
        guard position + 2 == text.count, text[position] == UInt8(ascii: ")"), text[position + 1] == UInt8(ascii: "/")
        else {
            return nil
        }
        self.init(microseconds: milliseconds * 1_000)
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int64(byte - UInt8(ascii: "0")) : nil
    }
}
