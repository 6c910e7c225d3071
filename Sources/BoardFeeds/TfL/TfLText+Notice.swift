extension TfLText {
    /// The longest notice that is kept, in characters: about 40 pages of a display of four rows.
    private static let longestNotice = 800
    /// How far into a text the colon after its heading ("BARONS COURT STATION:") may stand.
    private static let longestHeading = 48
    /// How many words at the beginning may hold the line's name where there is no heading.
    private static let openingWords = 4
    /// How long a tag of HTML may be.
    private static let longestTag = 300

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "rsquo": "'", "lsquo": "'",
        "ndash": "-", "pound": "£", "harr": "-",
    ]

    /// A notice as one paragraph: without the two characters `\n` that TfL writes for a line's end, without HTML, and as
    /// clean as a name; a very long one is cut after a word.
    static func notice(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\\", let next = rest.first, next == "n" || next == "r" || next == "t" {
                rest.removeFirst()
                plain.append(" ")
            } else if scalar == "<", let end = tagEnd(rest) {
                rest = rest[end...]
                plain.append(" ")
            } else if scalar == "&", let (meaning, end) = entity(rest) {
                rest = rest[end...]
                plain.append(meaning)
            } else {
                plain.append(scalar)
            }
        }
        let clean = clean(String(plain))
        guard clean.count > longestNotice else { return clean }
        let start = clean.prefix(longestNotice)
        return String(start[..<(start.lastIndex(of: " ") ?? start.endIndex)]) + "..."
    }

    /// A notice about a line, which is named once at its beginning, whether the text names it twice or not at all.
    static func notice(_ text: String, of line: String) -> String {
        var text = notice(text)
        while let heading = heading(of: text) {
            let rest = text[heading.endIndex...].dropFirst().drop { $0 == " " }
            guard let second = self.heading(of: String(rest)), words(of: second) == words(of: heading) else { break }
            text = String(rest)
        }
        if text.isEmpty { return text }
        let opening = heading(of: text).map(words) ?? Array(words(of: text.prefix(longestHeading)).prefix(openingWords))
        let name = words(of: line[...])
        let isNamed = opening.indices.contains { opening[$0...].starts(with: name) }
        return isNamed ? text : "\(line): \(text)"
    }

    /// What stands before the first colon, where that is near the beginning and no time of day's.
    private static func heading(of text: String) -> Substring? {
        let start = text.prefix(longestHeading)
        guard let colon = start.firstIndex(of: ":"), text[text.index(after: colon)...].first.map({ $0 == " " }) ?? true
        else { return nil }
        return start[..<colon]
    }

    /// The words by which one name is another: "Hammersmith & City" is "HAMMERSMITH AND CITY LINE".
    private static func words(of text: Substring) -> [Substring] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "&" }
            .map { $0 == "&" ? "and" : $0 }
            .filter { $0 != "line" }
    }

    /// The place after the tag that begins before `rest`; nil where none does.
    private static func tagEnd(_ rest: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView.Index? {
        guard let first = rest.first, first == "/" || first.properties.isAlphabetic else { return nil }
        let tag = rest.prefix(longestTag)
        return tag.firstIndex(of: ">").map { tag.index(after: $0) }
    }

    /// What the entity that begins before `rest` means, and the place after it.
    private static func entity(
        _ rest: Substring.UnicodeScalarView
    ) -> (Unicode.Scalar, Substring.UnicodeScalarView.Index)? {
        guard let end = rest.prefix(8).firstIndex(of: ";") else { return nil }
        let name = String(rest[..<end])
        let number =
            name.hasPrefix("#x") || name.hasPrefix("#X")
            ? UInt32(name.dropFirst(2), radix: 16)
            : name.hasPrefix("#") ? UInt32(name.dropFirst(), radix: 10) : nil
        guard let scalar = number.flatMap({ Unicode.Scalar($0) }) ?? entities[name] else { return nil }
        return (scalar, rest.index(after: end))
    }
}
