/// The escapes in JSON's strings (RFC 8259 §7).
enum JSONEscapes {
    /// The text of a string with well-formed escapes. Half a surrogate pair becomes U+FFFD.
    static func resolved(_ string: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(string.count)
        var position = 0
        while position < string.count {
            guard string[position] == UInt8(ascii: "\\"), position + 1 < string.count else {
                text.append(string[position])
                position += 1
                continue
            }
            if string[position + 1] == UInt8(ascii: "u") {
                text.append(contentsOf: Array(String(scalar(in: string, at: &position)).utf8))
            } else {
                text.append(character(string[position + 1]))
                position += 2
            }
        }
        return text
    }

    /// The value of a hexadecimal digit; nil for any other byte.
    static func digit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte | 0x20) - 0x57
        default: nil
        }
    }

    /// The character for the letter after a backslash.
    private static func character(_ sign: UInt8) -> UInt8 {
        switch sign {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "r"): 0x0D
        default: sign
        }
    }

    /// The scalar of the escape at `place`, or of the two escapes of a surrogate pair.
    private static func scalar(in string: Span<UInt8>, at position: inout Int) -> Unicode.Scalar {
        let first = unit(in: string, at: position) ?? 0
        position += 6
        guard UTF16.isLeadSurrogate(first), let second = unit(in: string, at: position), UTF16.isTrailSurrogate(second)
        else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        position += 6
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    /// The UTF-16 unit of the `\u` escape at `place`; nil if there is none.
    private static func unit(in string: Span<UInt8>, at position: Int) -> UInt16? {
        guard position + 6 <= string.count, string[position] == UInt8(ascii: "\\"),
            string[position + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for index in 2..<6 { unit = unit << 4 | (digit(string[position + index]) ?? 0) }
        return unit
    }
}
