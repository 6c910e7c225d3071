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
        // A short form that is the beginning of the name is less than the beginning that fits.
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
        let losesNumber = words.last.map { Text.isNumber($0) && !result.hasSuffix($0) } ?? false
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
