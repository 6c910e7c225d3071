/// Fits text into cells. Counts graphemes, never bytes.
enum Text {
    /// Stands at a cut: the text continues.
    static let continues = "…"

    /// `text` in exactly `width` cells, left-aligned.
    static func left(_ text: some StringProtocol, in width: Int) -> String {
        let text = text.prefix(max(0, width))
        return text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Breaks text at its line feeds and at words into rows of `width` cells; breaks a word longer than a row, after a
    /// hyphen if it has one.
    static func wrapped(_ text: String, width: Int) -> [String] {
        guard width > 0 else { return [] }
        return text.split(separator: "\n").flatMap { line in
            var rows: [String] = []
            for word in line.split(separator: " ") {
                if let row = rows.last, row.count + 1 + word.count <= width {
                    rows[rows.count - 1] += " " + word
                    continue
                }
                var rest = word
                while rest.count > width {
                    let part = rest.prefix(width)
                    let whole = part.lastIndex(of: "-").map { part[...$0] } ?? part
                    rows.append(String(whole))
                    rest = rest.dropFirst(whole.count)
                }
                rows.append(String(rest))
            }
            return rows
        }
    }

    /// The pages on which a text takes turns: one, if a form fits `rows` rows of `width` cells; otherwise as many as the
    /// longest form needs, broken at words, with ``continues`` at each cut between two pages.
    static func pages(_ forms: [String], width: Int, rows: Int) -> [[String]] {
        if let page = fittingPage(forms, width: width, rows: rows) { return [page] }
        var pages: [[String]] = []
        var rest = (forms.first ?? "").split(separator: " ")[...]
        while !rest.isEmpty {
            let start = pages.isEmpty ? "" : continues
            func page(_ count: Int, _ end: String) -> [String] {
                wrapped(start + rest.prefix(count).joined(separator: " ") + end, width: width)
            }
            // The last part may fit where one that continues does not.
            let count = (1...rest.count).prefix { page($0, "").count <= rows }
                .last { page($0, $0 < rest.count ? continues : "").count <= rows }
            guard let count else {
                // A word that is longer than a page continues on the next one.
                let word = page(1, "")
                pages.append(Array(word.prefix(rows)))
                let left = Substring(word.dropFirst(rows).joined())
                rest = (left.isEmpty ? [] : [left]) + rest.dropFirst()
                continue
            }
            pages.append(page(count, count < rest.count ? continues : ""))
            rest = rest.dropFirst(count)
        }
        return pages
    }

    /// The longest form of a phrase that fits `rows` rows of `width` cells, or what fits of the last one.
    static func page(_ forms: [String], width: Int, rows: Int) -> [String] {
        fittingPage(forms, width: width, rows: rows) ?? Array(wrapped(forms.last ?? "", width: width).prefix(rows))
    }

    /// As ``page(_:width:rows:)``; nil: no form fits.
    static func fittingPage(_ forms: [String], width: Int, rows: Int) -> [String]? {
        forms.lazy.map { wrapped($0, width: width) }.first { $0.count <= rows }
    }
}

extension StringProtocol {
    /// Without blanks and these signs at its end.
    func trimmingEnd(of signs: String = "") -> String {
        var text = self[...]
        while let last = text.last, last == " " || signs.contains(last) { text.removeLast() }
        return String(text)
    }
}

extension Words {
    /// The forms of a text with these values in the places of its placeholders.
    func callAsFunction(
        _ phrase: Phrase, feed: String = "", time: String = "", code: String = "", word: String = "", mark: String = ""
    ) -> [String] {
        let values: [Substring: String] = ["feed": feed, "time": time, "code": code, "word": word, "mark": mark]
        return self[phrase].map { form in
            let parts = form.split(separator: "%", omittingEmptySubsequences: false)
            return parts.dropFirst().reduce(String(parts[0])) { text, part in
                text + (values[part.prefix(4)] ?? "") + String(part.dropFirst(4))
            }
        }
    }
}
