extension String {
    /// The text without surrounding blanks, and with single blanks for repeated ones, line breaks and control characters.
    package var singleSpaced: String {
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
}
