/// A parsed search text.
struct SearchQuery: Hashable, Sendable {
    /// The maximum number of words that are read.
    private static let maximumWords = 12
    /// The longest stop letter: "W12".
    private static let maximumLetterLength = 3
    /// Words that may precede the letter.
    private static let letterWords: Set<String> = ["stop", "stand", "bay", "platform"]

    /// A range of names: whole words, then a word or its beginning.
    struct NameRange: Hashable, Sendable {
        /// The first name of the range.
        let from: String
        /// The name after the last of the range.
        let to: String
    }

    /// The words that must each begin a word of the stop.
    let words: [String]
    /// The whole text as names are compared.
    let canonical: String
    /// The ranges of matching names.
    let beginnings: [NameRange]
    /// The text without the letter at its end, and the letter.
    let lettered: (canonical: String, beginnings: [NameRange], letter: String)?

    /// - Returns: nil when the text has no word.
    init?(_ text: some StringProtocol) {
        let all = Array(Folding.words(text).prefix(Self.maximumWords))
        guard let last = all.last else { return nil }
        canonical = Folding.canonical(all).joined(separator: " ")
        beginnings = Self.beginnings(all)

        var base = Array(all.dropLast())
        guard !base.isEmpty, last.count <= Self.maximumLetterLength else {
            words = all
            lettered = nil
            return
        }
        if base.count > 1, let word = base.last, Self.letterWords.contains(word) { base.removeLast() }
        words = base + [last]
        lettered = (Folding.canonical(base).joined(separator: " "), Self.beginnings(base), last)
    }

    static func == (left: SearchQuery, right: SearchQuery) -> Bool {
        left.words == right.words && left.canonical == right.canonical
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(canonical)
    }

    /// The FTS5 expression for the words in name and letter, or anywhere.
    func expression(anywhere: Bool) -> String {
        // Words have only letters and digits: nothing to escape inside the quotation marks.
        let all = words.map { "\"\($0)\" *" }.joined(separator: " AND ")
        return anywhere ? all : "{name letter} : (\(all))"
    }

    private static func beginnings(_ words: [String]) -> [NameRange] {
        guard let last = words.last else { return [] }
        let before = Folding.canonical(words.dropLast()).map { $0 + " " }.joined()
        var ranges = [NameRange(from: before + last, to: before + last + "\u{10ffff}")]
        for word in Folding.canonicalWords(completing: last) {
            // The word itself, alone or before a space; "!" is the character after the space.
            ranges.append(NameRange(from: before + word, to: before + word + "!"))
        }
        return ranges
    }
}
