internal import BoardCore

extension Duration {
    /// The duration that a text of XML Schema names (Part 2, §3.2.6: "PT3M", "-PT2M", "P0Y0M0DT0H3M0.000S"), to the
    /// second; nil where it names none. A year and a month are no number of seconds: nil unless there are none of them.
    init?(xsd text: Span<UInt8>) {
        guard let words = text.words else { return nil }
        var rest = words.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
        var seconds: Int64 = 0
        var isTime = false
        while let byte = rest.first {
            if byte == UInt8(ascii: "T"), !isTime {
                isTime = true
                rest.removeFirst()
                continue
            }
            // A delay of more digits is none.
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard (1...9).contains(digits.count), let number = Int64(Substring(digits)) else { return nil }
            rest = rest.dropFirst(digits.count)
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst().drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                guard rest.first == UInt8(ascii: "S") else { return nil }
            }
            switch (rest.popFirst(), isTime) {
            case (UInt8(ascii: "Y"), false), (UInt8(ascii: "M"), false): guard number == 0 else { return nil }
            case (UInt8(ascii: "D"), false): seconds += number * 86_400
            case (UInt8(ascii: "H"), true): seconds += number * 3_600
            case (UInt8(ascii: "M"), true): seconds += number * 60
            case (UInt8(ascii: "S"), true): seconds += number
            default: return nil
            }
        }
        self = .seconds(isNegative ? -seconds : seconds)
    }
}
