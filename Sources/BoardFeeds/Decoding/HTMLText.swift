/// Plain text from the HTML that operators put into their notices; it is never rendered.
enum HTMLText {
    /// The longest entity's name that is looked at: `thetasym`.
    private static let longestEntity = 10
    /// The longest text that is read, in Unicode scalars; what comes after is cut off. Notices have up to 4,000 with their tags, of
    /// which at most 2,000 characters are kept, and each of the steps below takes several times its room.
    static let longest = 20_000
    /// Tags that break a line, in lower case; any other may stand inside a word.
    private static let breaking: Set<String> = [
        "p", "br", "div", "li", "ul", "ol", "tr", "td", "th", "table", "hr", "h1", "h2", "h3", "h4", "h5", "h6",
    ]
    /// The names of characters that English notices use.
    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "pound": "£", "euro": "€",
        "copy": "©",
        "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "hellip": "…", "bull": "•",
        "middot": "·", "harr": "↔", "rarr": "→", "eacute": "é", "frac12": "½", "deg": "°",
    ]

    /// One paragraph: entities replaced, tags dropped, the text of links kept, and one blank where there are several,
    /// line breaks or control characters. HTML that is escaped once more is unescaped once more; what begins like a tag
    /// there and does not end is a sign of the text ("fewer &lt;than 5").
    static func plain(_ html: String) -> String {
        var scalars = unescaped(untagged(Array(html.unicodeScalars.prefix(longest)), losingOpen: true))
        if scalars.contains("<") { scalars = unescaped(untagged(scalars, losingOpen: false)) }
        var text = String.UnicodeScalarView()
        var isAfterBlank = false
        for scalar in scalars {
            if isBlank(scalar) {
                isAfterBlank = true
                continue
            }
            if isAfterBlank, !text.isEmpty { text.append(" ") }
            isAfterBlank = false
            text.append(scalar)
        }
        return String(text)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value <= 0x20 || (0x7F...0xA0).contains(scalar.value)
            || !scalar.isASCII && scalar.properties.isWhitespace
    }

    /// The text outside of tags and comments. A `<` that begins no tag stays.
    ///
    /// - Parameter losingOpen: whether what follows a tag that does not end is lost, as where a notice was cut.
    private static func untagged(_ scalars: [Unicode.Scalar], losingOpen: Bool) -> [Unicode.Scalar] {
        guard scalars.contains("<") else { return scalars }
        var result: [Unicode.Scalar] = []
        var place = 0
        while place < scalars.count {
            let scalar = scalars[place]
            guard scalar == "<", place + 1 < scalars.count, beginsTag(scalars[place + 1]),
                let end = tagEnd(scalars, from: place) ?? (losingOpen ? scalars.count : nil)
            else {
                result.append(scalar)
                place += 1
                continue
            }
            let name = scalars[(place + 1)..<end].drop { $0 == "/" }.prefix {
                $0.properties.isAlphabetic || isDigit($0)
            }
            if breaking.contains(String(String.UnicodeScalarView(name)).lowercased()) { result.append(" ") }
            place = end + 1
        }
        return result
    }

    /// Where the `>` is with which the tag ends that begins at `place`; a comment ends with the first one after two
    /// dashes.
    private static func tagEnd(_ scalars: [Unicode.Scalar], from place: Int) -> Int? {
        let rest = scalars[place...]
        guard rest.starts(with: "<!--".unicodeScalars) else { return rest.firstIndex(of: ">") }
        return rest.indices.dropFirst(6).first { index in
            rest[index] == ">" && rest[index - 1] == "-" && rest[index - 2] == "-"
        }
    }

    private static func beginsTag(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "/" || scalar == "!")
    }

    private static func unescaped(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard scalars.contains("&") else { return scalars }
        var result: [Unicode.Scalar] = []
        var place = 0
        while place < scalars.count {
            if scalars[place] == "&", let end = scalars[place...].prefix(longestEntity + 2).firstIndex(of: ";"),
                let scalar = entity(String(String.UnicodeScalarView(scalars[(place + 1)..<end])))
            {
                result.append(scalar)
                place = end + 1
            } else {
                result.append(scalars[place])
                place += 1
            }
        }
        return result
    }

    /// The character of `amp`, `#163` or `#xA3`.
    private static func entity(_ name: String) -> Unicode.Scalar? {
        guard name.first == "#" else { return named[name] ?? named[name.lowercased()] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        return UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
