/// Fits text into cells. Counts graphemes, never bytes.
enum Text {
    /// `text` cut to `width` cells, without trailing blanks.
    static func cut(_ text: some StringProtocol, to width: Int) -> String {
        var cells = text.prefix(max(0, width))
        while cells.last == " " { cells.removeLast() }
        return String(cells)
    }

    /// A name cut to `width` cells; a remainder of one or two letters of a word is dropped too, if a word precedes it.
    static func cutName(_ name: some StringProtocol, to width: Int) -> String {
        guard name.count > width else { return String(name) }
        var result = cut(name, to: width)
        let isWhole = name.dropFirst(result.count).hasPrefix(" ")
        if !isWhole, let blank = result.lastIndex(of: " "), result[blank...].count <= shortestFragment {
            result = cut(result[..<blank], to: width)
        }
        while let last = result.last, ",-/&(".contains(last) { result = cut(result.dropLast(), to: width) }
        return result
    }

    /// A blank and two letters.
    private static let shortestFragment = 3

    /// A name cut to exactly `width` cells. A cut before a word has full stops in place of the blank and a comma before it. A
    /// number is never cut.
    static func filled(_ name: some StringProtocol, to width: Int) -> String {
        let result = name.prefix(max(0, width))
        guard result.count < name.count else { return String(result) }
        if let blank = name[..<result.endIndex].lastIndex(of: " "),
            isNumber(name[blank...].dropFirst().prefix { $0 != " " }),
            !name[result.endIndex...].hasPrefix(" ")
        {
            return cut(result[...blank], to: width) + "."
        }
        guard result.last == " " else { return String(result) }
        let text = result.dropLast()
        return text.last?.isPunctuation == true ? text.dropLast() + ".." : text + "."
    }

    /// Whether a word is a number, also a Roman one or one with a letter: 5, 12B, XII. Half of it would be another one.
    static func isNumber(_ word: some StringProtocol) -> Bool {
        word.first?.isNumber == true || !word.isEmpty && word.allSatisfy { "IVXLC".contains($0) }
    }

    /// `text` in exactly `width` cells, left-aligned.
    static func left(_ text: some StringProtocol, in width: Int) -> String {
        let text = text.prefix(max(0, width))
        return text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// `text` in exactly `width` cells, right-aligned.
    static func right(_ text: some StringProtocol, in width: Int) -> String {
        let text = text.prefix(max(0, width))
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// `left` and `right` at the two ends of `width` cells with a blank between them; `left` is cut if necessary.
    static func ends(_ left: some StringProtocol, _ right: some StringProtocol, in width: Int) -> String {
        let right = right.prefix(max(0, width))
        let space = width - right.count - (right.isEmpty ? 0 : 1)
        return Text.left(cut(left, to: space), in: width - right.count) + right
    }

    /// The first form that fits into `width` cells, or the last one cut.
    static func choose(_ forms: [String], width: Int) -> String {
        forms.first { $0.count <= width } ?? cut(forms.last ?? "", to: width)
    }

    static func fill(
        _ forms: [String], feed: String = "", time: String = "", code: String = "", word: String = ""
    ) -> [String] {
        let values = ["%feed": feed, "%time": time, "%code": code, "%word": word]
        return forms.map { form in
            values.reduce(form) { text, value in replacing(value.key, by: value.value, in: text) }
        }
    }

    /// Breaks text at words into rows of `width` cells; breaks a word longer than a row, after a hyphen if it has one.
    static func wrapped(_ text: String, width: Int) -> [String] {
        guard width > 0 else { return [] }
        var rows: [String] = []
        var row = ""
        for word in text.split(separator: " ") {
            var rest = word
            if !row.isEmpty, row.count + 1 + rest.count <= width {
                row += " " + rest
                continue
            }
            if !row.isEmpty { rows.append(row) }
            while rest.count > width {
                let part = rest.prefix(width)
                let whole = part.lastIndex(of: "-").map { part[...$0] } ?? part
                rows.append(String(whole))
                rest = rest.dropFirst(whole.count)
            }
            row = String(rest)
        }
        if !row.isEmpty { rows.append(row) }
        return rows
    }

    /// The longest form of a phrase that fits `rows` rows of `width` cells.
    static func page(_ forms: [String], width: Int, rows: Int) -> [String] {
        fittingPage(forms, width: width, rows: rows) ?? Array(lines(forms.last ?? "", width: width).prefix(rows))
    }

    /// As ``page(_:width:rows:)``; nil: no form fits.
    static func fittingPage(_ forms: [String], width: Int, rows: Int) -> [String]? {
        forms.lazy.map { lines($0, width: width) }.first { $0.count <= rows }
    }

    /// Breaks text at its line feeds and at words.
    private static func lines(_ text: String, width: Int) -> [String] {
        text.split(separator: "\n").flatMap { wrapped(String($0), width: width) }
    }

    /// `text` with every `part` replaced; the core does not use Foundation.
    static func replacing(_ part: String, by other: String, in text: String) -> String {
        guard !part.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: part) {
            result += rest[..<range.lowerBound] + other
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
