internal import BoardCore
internal import BoardFormats

extension Duration {
    /// The units in their order, those of the time after those of the date; nil: no fixed number of seconds.
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
            // At most nine digits, so that the sum cannot overflow with each unit once.
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
