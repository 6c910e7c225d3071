/// The escapes of JSON's strings (RFC 8259 §7).
enum JSONEscapes {
    /// The text of a string's content; an escape that is none, or half a surrogate pair, becomes U+FFFD.
    static func resolved(_ raw: ArraySlice<UInt8>) -> String {
        var units: [UInt8] = []
        units.reserveCapacity(raw.count)
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                units.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\""): units.append(UInt8(ascii: "\""))
            case UInt8(ascii: "\\"): units.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "/"): units.append(UInt8(ascii: "/"))
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "u"): units.append(contentsOf: String(scalar(&rest)).utf8)
            default: units.append(contentsOf: "\u{FFFD}".utf8)
            }
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// The character of the digits after `\u`, with the second half of a surrogate pair where there is one.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
        guard let high = unit(&rest) else { return "\u{FFFD}" }
        if let scalar = Unicode.Scalar(high) { return scalar }
        let after = rest
        guard (0xD800...0xDBFF).contains(high), rest.popFirst() == UInt8(ascii: "\\"),
            rest.popFirst() == UInt8(ascii: "u"), let low = unit(&rest), (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else {
            rest = after
            return "\u{FFFD}"
        }
        return scalar
    }

    /// Four hexadecimal digits.
    private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt16? {
        let digits = rest.prefix(4)
        guard digits.count == 4, let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        rest = rest.dropFirst(4)
        return unit
    }
}
