internal import BoardCore
internal import BoardFormats

/// Cleaning of TfL's texts.
enum TfLText {
    /// Letters of bus stops are "N", "LF", "KX1"; longer texts are names ("entrance").
    private static let longestLetter = 3

    /// The letter on a bus stop; nil for names and for arrows ("->SE"), the direction of a stop without a letter.
    static func letter(_ text: String) -> String? {
        let isLetter =
            text.utf8.count <= longestLetter && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isLetter && !text.isEmpty ? text : nil
    }
}

extension TfLText {
    /// The longest heading before a colon ("BARONS COURT STATION:"), in characters.
    private static let longestHeading = 48
    /// How many words at the beginning may contain the line's name if there is no heading.
    private static let openingWords = 4

    /// An alert as one paragraph, without HTML and without the two characters `\n` that TfL sends for a line break.
    static func alertText(_ text: String) -> String {
        var html = String.UnicodeScalarView()
        var rest = text.unicodeScalars.prefix(HTMLText.longest)
        while let scalar = rest.popFirst() {
            if scalar == "\\", let next = rest.first, next == "n" || next == "r" || next == "t" {
                rest.removeFirst()
                html.append(" ")
            } else {
                html.append(scalar)
            }
        }
        return AlertText.joined(String(html), "")
    }

    /// An alert of a line, with the line's name once at its beginning, whether the text has it twice or not at all.
    static func alertText(_ text: String, of line: String) -> String {
        var text = alertText(text)
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

    /// The text before the first colon, if that is near the beginning and not part of a time of day.
    private static func heading(of text: String) -> Substring? {
        let start = text.prefix(longestHeading)
        guard let colon = start.firstIndex(of: ":"), text[text.index(after: colon)...].first.map({ $0 == " " }) ?? true
        else { return nil }
        return start[..<colon]
    }

    /// The normalised words of a name: "Hammersmith & City" equals "HAMMERSMITH AND CITY LINE".
    private static func words(of text: Substring) -> [Substring] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "&" }
            .map { $0 == "&" ? "and" : $0 }
            .filter { $0 != "line" }
    }
}
