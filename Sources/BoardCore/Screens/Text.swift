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

    /// A name cut to exactly `width` cells. Before a word, full stops replace the blank and any comma before it. A
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

    /// Whether a word is a number, even a Roman one or one with a letter: 5, 12B, XII. Half of it would be another one.
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

    /// The first form that fits `width` cells, or the last one cut.
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

/// Fits stop and destination names: removes the operator's suffixes, applies the user's and the built-in short forms,
/// then cuts.
struct PlaceName: Sendable {
    /// The suffixes in the feed's profile.
    let suffixes: [String]
    let personal: [String: String]
    /// The built-in short forms, for names that do not fit.
    let shipped: [String: String]

    /// The full name: without the operator's suffix, with the user's short forms.
    func full(_ name: String) -> String {
        var text = name
        if let suffix = suffixes.filter({ text.count > $0.count && text.hasSuffix($0) }).max(by: { $0.count < $1.count }
        ) {
            text = String(text.dropLast(suffix.count))
        }
        // Longer forms first, so that a form for "Cross" does not spoil "Kings Cross St Pancras".
        for (long, short) in personal.sorted(by: { ($1.key.count, $0.key) < ($0.key.count, $1.key) }) {
            text = Text.replacing(long, by: short, in: text)
        }
        let words = text.split(separator: " ")
        return words.joined(separator: " ")
    }

    func fitted(_ name: String, to width: Int) -> String {
        cut(full(name), to: width, by: Text.cutName)
    }

    /// The name for a row, where every cell counts.
    func filled(_ name: String, to width: Int) -> String {
        let name = full(name)
        let short = cut(name, to: width, by: Text.filled)
        // A short form that is a prefix of the name says less than the prefix that fits.
        return name.hasPrefix(short) ? Text.filled(name, to: width) : short
    }

    private static let recognisableLetters = 3

    private func cut(_ name: String, to width: Int, by cutName: (String, Int) -> String) -> String {
        if name.count <= width { return name }
        let words = name.split(separator: " ").map(String.init)
        // Only as many words are shortened as necessary, from the end: the first ones distinguish most names.
        for first in words.indices.reversed().dropLast() {
            let partly = words[..<first] + [shortened(words[first...])]
            let text = partly.filter { !$0.isEmpty }.joined(separator: " ")
            if text.count <= width { return text }
        }
        let short = shortened(words[...])
        if short.isEmpty { return cutName(name, width) }
        let result = cutName(short, width)
        // "Pza" and "Los" are the beginnings of many names in a city: they give way to the words after them.
        guard result != short, words.count > 1, let first = words.first,
            shipped[first] != nil || shipped[first.lowercased()]?.isEmpty == true
        else { return result }
        let more = result.dropFirst(shortened([first]).count)
        let isWhole = !more.isEmpty && short.dropFirst(result.count).hasPrefix(" ")
        let losesNumber = words.last.isSomeAnd { Text.isNumber($0) && !result.hasSuffix($0) }
        guard losesNumber || !isWhole && more.count <= Self.recognisableLetters + 1 else { return result }
        let rest = cut(
            words.dropFirst().drop { shipped[$0]?.isEmpty == true }.joined(separator: " "), to: width,
            by: cutName)
        let isRecognisable = rest.prefix { $0 != " " }.count >= Self.recognisableLetters
        return isRecognisable ? rest : result
    }

    /// The words in their built-in short forms. Drops words with an empty form ("de"), but not parts of a hyphenated
    /// word ("Rosa-Luxemburg-Platz").
    private func shortened(_ words: ArraySlice<String>) -> String {
        words.compactMap { word -> String? in
            if let short = shipped[word] { return short.isEmpty ? nil : short }
            let parts = word.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 1 else {
                return parts.map { part in
                    let short = shortForm(of: part)
                    return short.isEmpty ? String(part) : short
                }.joined(separator: "-")
            }
            return shortForm(of: word[...])
        }.joined(separator: " ")
    }

    /// The short form of a word, of the part after its article ("d'Orléans"), or of its longest suffix that has one.
    private func shortForm(of word: Substring) -> String {
        if let short = shipped[String(word)] { return short }
        if let sign = word.firstIndex(where: { $0 == "'" || $0 == "’" }),
            let article = shipped[word[..<sign] + "'"]
        {
            return article + shortForm(of: word[word.index(after: sign)...])
        }
        for index in word.indices.dropFirst() {
            if let short = shipped["-" + word[index...]] { return word[..<index] + short }
        }
        return String(word)
    }
}
