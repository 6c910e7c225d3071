/// Converts operators' HTML to plain text; HTML is never rendered.
package enum HTMLText {
    /// The longest name of an entity: `thetasym`.
    private static let longestEntity = 10
    /// The longest input, in Unicode scalars; the rest is cut off. Alerts have up to 4,000 with their tags, of which at most 2,000
    /// characters are used, and each step below takes several times their memory.
    package static let longest = 20_000
    /// Tags that break a line, in lower case; other tags may be inside a word.
    private static let breaking: Set<String> = [
        "p", "br", "div", "li", "ul", "ol", "tr", "td", "th", "table", "hr", "h1", "h2", "h3", "h4", "h5", "h6",
    ]
    /// Named entities in English alerts.
    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "pound": "£", "euro": "€",
        "copy": "©",
        "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "hellip": "…", "bull": "•",
        "middot": "·", "harr": "↔", "rarr": "→", "eacute": "é", "frac12": "½", "deg": "°",
    ]

    /// One paragraph: entities are replaced, tags dropped, the text of links retained, and repeated blanks, line breaks and
    /// control characters become one blank. HTML that is escaped twice is unescaped twice; an unclosed tag in it is literal
    /// text ("fewer &lt;than 5").
    package static func plain(_ html: String) -> String {
        var scalars = unescaped(untagged(Array(html.unicodeScalars.prefix(longest)), droppingUnclosed: true))
        if scalars.contains("<") { scalars = unescaped(untagged(scalars, droppingUnclosed: false)) }
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

    /// The text outside tags and comments. A `<` that begins no tag remains.
    ///
    /// - Parameter droppingUnclosed: whether text after an unclosed tag is dropped, as in a truncated alert.
    private static func untagged(_ scalars: [Unicode.Scalar], droppingUnclosed: Bool) -> [Unicode.Scalar] {
        guard scalars.contains("<") else { return scalars }
        var result: [Unicode.Scalar] = []
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            guard scalar == "<", index + 1 < scalars.count, beginsTag(scalars[index + 1]),
                let end = tagEnd(scalars, from: index) ?? (droppingUnclosed ? scalars.count : nil)
            else {
                result.append(scalar)
                index += 1
                continue
            }
            let name = scalars[(index + 1)..<end].drop { $0 == "/" }.prefix {
                $0.properties.isAlphabetic || ("0"..."9").contains($0)
            }
            if breaking.contains(String(String.UnicodeScalarView(name)).lowercased()) { result.append(" ") }
            index = end + 1
        }
        return result
    }

    /// The index of the `>` that ends the tag at `place`; a comment ends with the first one after two dashes.
    private static func tagEnd(_ scalars: [Unicode.Scalar], from index: Int) -> Int? {
        let rest = scalars[index...]
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
        var index = 0
        while index < scalars.count {
            if scalars[index] == "&", let end = scalars[index...].prefix(longestEntity + 2).firstIndex(of: ";"),
                let scalar = entity(String(String.UnicodeScalarView(scalars[(index + 1)..<end])))
            {
                result.append(scalar)
                index = end + 1
            } else {
                result.append(scalars[index])
                index += 1
            }
        }
        return result
    }

    /// The character for `amp`, `#163` or `#xA3`.
    private static func entity(_ name: String) -> Unicode.Scalar? {
        guard name.first == "#" else { return named[name] ?? named[name.lowercased()] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        return UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
    }
}
