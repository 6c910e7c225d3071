/// Percent-encoding of text (RFC 3986 §2.1).
public enum PercentEncoding {
    /// `text` with every byte as %XX except unreserved characters (§2.3) and `others`, in ASCII.
    public static func encoded(_ text: String, except others: String = "") -> String {
        var result = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            if isPlain || "-._~".utf8.contains(byte) || others.utf8.contains(byte) {
                result.unicodeScalars.append(scalar)
            } else {
                result += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// The bytes of `text` with %XX decoded; nil if a percent sign lacks its two hexadecimal digits.
    /// In queries `+` is a space.
    public static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
