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
        let text = full(name)
        if text.count <= width { return text }
        return Text.cutName(shortened(text), to: width)
    }

    /// The name with every word's shipped short form; hyphens part words as blanks do ("Rosa-Luxemburg-Platz").
    private func shortened(_ name: String) -> String {
        var short = ""
        var rest = name[...]
        while !rest.isEmpty {
            let word = rest.prefix { $0 != " " && $0 != "-" }
            short += shortForm(of: word)
            rest = rest[word.endIndex...]
            if let sign = rest.popFirst() { short.append(sign) }
        }
        return short
    }

    /// The short form of a word or of its end; the longest end that has one.
    private func shortForm(of word: Substring) -> String {
        if let short = shipped[String(word)] { return short }
        for index in word.indices.dropFirst() {
            if let short = shipped["-" + word[index...]] { return word[..<index] + short }
        }
        return String(word)
    }
}
