/// Stop and destination names, fitted: the operator's suffixes off, then the user's and the shipped short forms, then
/// a cut.
struct PlaceName: Sendable {
    /// Endings that the feed declared.
    let suffixes: [String]
    /// The user's short forms.
    let personal: [String: String]
    /// The shipped short forms, for names that do not fit.
    let shipped: [String: String]

    /// The name in full: without the operator's suffix, with the user's own forms.
    func full(_ name: String) -> String {
        var text = name
        if let suffix = suffixes.filter({ text.count > $0.count && text.hasSuffix($0) }).max(by: { $0.count < $1.count }
        ) {
            text = String(text.dropLast(suffix.count))
        }
        // Longer forms first, so that "Kings Cross St Pancras" is not spoilt by a form for "Cross".
        for (long, short) in personal.sorted(by: { ($1.key.count, $0.key) < ($0.key.count, $1.key) }) {
            text = Text.replacing(long, by: short, in: text)
        }
        let words = text.split(separator: " ")
        return words.joined(separator: " ")
    }

    /// The name in at most `width` cells.
    func fitted(_ name: String, to width: Int) -> String {
        cut(full(name), to: width)
    }

    /// So many letters of a word tell what it is.
    private static let tellingLetters = 3

    private func cut(_ name: String, to width: Int) -> String {
        if name.count <= width { return name }
        let short = shortened(name)
        if short.isEmpty { return Text.cutName(name, to: width) }
        let kept = Text.cutName(short, to: width)
        // "Pza" alone is every other stop of a city, and so is "Los": they give way to what follows them.
        let words = name.split(separator: " ").map(String.init)
        guard kept != short, words.count > 1, let first = words.first,
            shipped[first] != nil || shipped[first.lowercased()]?.isEmpty == true
        else { return kept }
        let more = kept.dropFirst(shortened(first).count)
        let isWhole = !more.isEmpty && short.dropFirst(kept.count).hasPrefix(" ")
        guard !isWhole, more.count <= Self.tellingLetters + 1 else { return kept }
        let rest = cut(words.dropFirst().drop { shipped[$0]?.isEmpty == true }.joined(separator: " "), to: width)
        let isTelling = rest.prefix { $0 != " " }.count >= Self.tellingLetters
        return isTelling ? rest : kept
    }

    /// The name with every word's shipped short form. Words of which nothing is left ("de") go; parts of a word between
    /// hyphens ("Rosa-Luxemburg-Platz") do not.
    private func shortened(_ name: String) -> String {
        name.split(separator: " ").compactMap { word -> String? in
            if let short = shipped[String(word)] { return short.isEmpty ? nil : short }
            let parts = word.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 1 else {
                return parts.map { part in
                    let short = shortForm(of: part)
                    return short.isEmpty ? String(part) : short
                }.joined(separator: "-")
            }
            return shortForm(of: word)
        }.joined(separator: " ")
    }

    /// The short form of a word, of what follows its article ("d'Orléans"), or of its end: the longest that has one.
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
