extension String {
    /// The text for people: without surrounding blanks, with single blanks for repeated ones, line breaks and control characters, and
    /// without HTML.
    package var plainText: String {
        if utf8.contains(where: { [UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: "\\")].contains($0) }) {
            let text = HTMLText.plain(self, isCut: false)
            // A name of one word in angle brackets is no tag.
            if !text.isEmpty { return text }
        }
        var isClean = true
        var last: Unicode.Scalar = " "
        for scalar in unicodeScalars {
            if Self.isBlank(scalar), scalar != " " || last == " " { isClean = false }
            last = scalar
        }
        if isClean, last != " " { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { Self.isBlank($0) ? " " : $0 }))
            .split(separator: " ").joined(separator: " ")
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value <= 0x20 || scalar.value == 0x7F || !scalar.isASCII && scalar.properties.isWhitespace
    }

    /// A text in UTF-8 or, where it is not valid, in Windows-1252, of which ISO 8859-1 is a part.
    package init(encoded bytes: some Collection<UInt8>) {
        self = String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(Self.scalar)))
    }

    /// The characters of Windows-1252 from 0x80 to 0x9F; those without one are control characters.
    private static let windows = Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? windows[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
}
