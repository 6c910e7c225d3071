/// What a person searches for, taken apart.
struct SearchQuery: Hashable, Sendable {
    /// The most words that are looked at.
    private static let mostWords = 12
    /// The longest letter of a pole: "W12".
    private static let longestLetter = 3
    /// What people write before the letter.
    private static let letterWords: Set<String> = ["stop", "stand", "bay", "platform"]

    /// The beginning of a name: its whole words and what its last word begins with, or is.
    struct NameRange: Hashable, Sendable {
        /// Names from here…
        let from: String
        /// …to before here.
        let to: String
    }

    /// The words that must each begin a word of the stop.
    let words: [String]
    /// The whole text as names are compared.
    let canonical: String
    /// The beginnings of names that match.
    let beginnings: [NameRange]
    /// The text without the letter at its end, and the letter.
    let lettered: (canonical: String, beginnings: [NameRange], letter: String)?

    /// What `text` asks for; nil when it has no word.
    init?(_ text: some StringProtocol) {
        let all = Array(Folding.words(text).prefix(Self.mostWords))
        guard let last = all.last else { return nil }
        canonical = Folding.canonical(all).joined(separator: " ")
        beginnings = Self.beginnings(all)

        var base = Array(all.dropLast())
        guard !base.isEmpty, last.count <= Self.longestLetter else {
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

    /// The expression for FTS5 that finds the words among name and letter, or anywhere.
    func expression(anywhere: Bool) -> String {
        // A word has letters and digits alone: nothing to escape inside the quotation marks.
        let all = words.map { "\"\($0)\" *" }.joined(separator: " AND ")
        return anywhere ? all : "{name letter} : (\(all))"
    }

    private static func beginnings(_ words: [String]) -> [NameRange] {
        guard let last = words.last else { return [] }
        let before = Folding.canonical(words.dropLast()).map { $0 + " " }.joined()
        var ranges = [NameRange(from: before + last, to: before + last + "\u{10ffff}")]
        for word in Folding.canonicalWords(completing: last) {
            // The word itself, alone or before a blank; "!" is the letter after the blank.
            ranges.append(NameRange(from: before + word, to: before + word + "!"))
        }
        return ranges
    }
}
