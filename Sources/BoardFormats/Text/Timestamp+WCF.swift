internal import BoardCore

extension Timestamp {
    /// The latest timestamp: the end of year 9999, as for RFC 3339, in milliseconds since 1970.
    private static let latest: Int64 = 253_402_300_799_999

    /// Parses `/Date(1700000000000)/` or `/Date(1700000000000+1030)/`: milliseconds since 1970 in UTC. The offset is the service's
    /// own zone and does not affect the value (Microsoft, "Stand-Alone JSON Serialization", DateTime Wire Format). Nil for any
    /// other text, and before 1970: WCF sends .NET's "no date" as `/Date(-62135596800000)/`.
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
