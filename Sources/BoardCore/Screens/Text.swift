/// Fits text into cells. Counts graphemes, never bytes.
enum Text {
    /// `text` cut to `width` cells, without trailing blanks.
    static func cut(_ text: some StringProtocol, to width: Int) -> String {
        var cells = text.prefix(max(0, width))
        while cells.last == " " { cells.removeLast() }
        return String(cells)
    }

    /// Stands at a cut: the text continues.
    static let continues = "…"

    /// `text` in exactly `width` cells, left-aligned.
    static func left(_ text: some StringProtocol, in width: Int) -> String {
        let text = text.prefix(max(0, width))
        return text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// `left` and `right` at the two ends of `width` cells with a blank between them; `left` is cut if necessary.
    static func ends(_ left: some StringProtocol, _ right: some StringProtocol, in width: Int) -> String {
        let right = right.prefix(max(0, width))
        let space = width - right.count - (right.isEmpty ? 0 : 1)
        return Text.left(cut(left, to: space), in: width - right.count) + right
    }

    /// The first form that fits `width` cells, or the last one cut.
    static func choose(_ forms: [String], width: Int) -> String {
        forms.first { $0.count <= width } ?? cut(forms.last ?? "", to: width)
    }

    static func fill(
        _ forms: [String], feed: String = "", time: String = "", code: String = "", word: String = "", mark: String = ""
    ) -> [String] {
        let values = ["%feed": feed, "%time": time, "%code": code, "%word": word, "%mark": mark]
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

    /// Breaks text into pages of rows, at words, with ``continues`` at each cut between two pages.
    static func pages(_ text: String, width: Int, rows: Int) -> [[String]] {
        var pages: [[String]] = []
        var rest = text.split(separator: " ")[...]
        while !rest.isEmpty {
            var page: [String] = []
            var count = 0
            let start = pages.isEmpty ? "" : continues
            for end in 1...rest.count {
                let words = start + rest.prefix(end).joined(separator: " ")
                let next = wrapped(words + (end < rest.count ? continues : ""), width: width)
                if next.count > rows {
                    // The last part may fit where one that continues does not.
                    if wrapped(words, width: width).count > rows { break }
                    continue
                }
                (page, count) = (next, end)
            }
            if page.isEmpty {
                let word = wrapped(start + rest[rest.startIndex], width: width)
                (page, count) = (Array(word.prefix(rows)), 1)
                let left = word.dropFirst(rows).joined()
                if !left.isEmpty { rest = [Substring(left)] + rest.dropFirst(); count = 0 }
            }
            pages.append(page)
            rest = rest.dropFirst(count)
        }
        return pages
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
