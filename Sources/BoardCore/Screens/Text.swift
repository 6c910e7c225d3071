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

    /// A name cut to exactly `width` cells. A cut before a word has a full stop in place of the blank.
    static func filled(_ name: some StringProtocol, to width: Int) -> String {
        let result = name.prefix(max(0, width))
        guard result.count < name.count, result.last == " " else { return String(result) }
        return result.dropLast() + "."
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

    /// Breaks text at words into rows of `width` cells; breaks a word longer than a row.
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
                rows.append(String(rest.prefix(width)))
                rest = rest.dropFirst(width)
            }
            row = String(rest)
        }
        if !row.isEmpty { rows.append(row) }
        return rows
    }

    /// The longest form of a phrase that fits `rows` rows of `width` cells.
    static func page(_ forms: [String], width: Int, rows: Int) -> [String] {
        for form in forms {
            let page = wrapped(form, width: width)
            if page.count <= rows { return page }
        }
        return Array(wrapped(forms.last ?? "", width: width).prefix(rows))
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
