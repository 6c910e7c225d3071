/// Making text fit into cells. Graphemes are counted, never bytes.
enum Text {
    /// `text` cut to `width` cells, without blanks at its end.
    static func cut(_ text: some StringProtocol, to width: Int) -> String {
        var cells = text.prefix(max(0, width))
        while cells.last == " " { cells.removeLast() }
        return String(cells)
    }

    /// Names cut to `width` cells: one or two letters of a word say nothing and go too, if a word stands before them.
    static func cutName(_ name: some StringProtocol, to width: Int) -> String {
        guard name.count > width else { return String(name) }
        var kept = cut(name, to: width)
        let isWhole = name.dropFirst(kept.count).hasPrefix(" ")
        if !isWhole, let blank = kept.lastIndex(of: " "), kept[blank...].count <= shortestFragment {
            kept = cut(kept[..<blank], to: width)
        }
        while let last = kept.last, ",-/&(".contains(last) { kept = cut(kept.dropLast(), to: width) }
        return kept
    }

    /// A blank and two letters.
    private static let shortestFragment = 3

    /// `text` in exactly `width` cells, blanks after it.
    static func left(_ text: some StringProtocol, in width: Int) -> String {
        let text = text.prefix(max(0, width))
        return text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// `text` in exactly `width` cells, blanks before it.
    static func right(_ text: some StringProtocol, in width: Int) -> String {
        let text = text.prefix(max(0, width))
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// `left` and `right` at the two ends of `width` cells with a blank between them; `left` is cut where needed.
    static func ends(_ left: some StringProtocol, _ right: some StringProtocol, in width: Int) -> String {
        let right = right.prefix(max(0, width))
        let space = width - right.count - (right.isEmpty ? 0 : 1)
        return Text.left(cut(left, to: space), in: width - right.count) + right
    }

    /// The first form that fits into `width` cells, or the last one cut.
    static func choose(_ forms: [String], width: Int) -> String {
        forms.first { $0.count <= width } ?? cut(forms.last ?? "", to: width)
    }

    /// Fills a phrase's blanks.
    static func fill(
        _ forms: [String], feed: String = "", time: String = "", code: String = "", word: String = ""
    ) -> [String] {
        let values = ["%feed": feed, "%time": time, "%code": code, "%word": word]
        return forms.map { form in
            values.reduce(form) { text, value in replacing(value.key, by: value.value, in: text) }
        }
    }

    /// Broken at words into rows of `width` cells; a word longer than a row is broken where it must be.
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

    /// A phrase over at most `rows` rows of `width` cells: its longest form that fits.
    static func page(_ forms: [String], width: Int, rows: Int) -> [String] {
        for form in forms {
            let page = wrapped(form, width: width)
            if page.count <= rows { return page }
        }
        return Array(wrapped(forms.last ?? "", width: width).prefix(rows))
    }

    /// `text` with every `part` replaced; like all of the core, without Foundation.
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
