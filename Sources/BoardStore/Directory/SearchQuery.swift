/// A parsed search text.
struct SearchQuery: Sendable {
    /// The maximum number of words that are read.
    private static let maximumWords = 12
    /// The longest stop letter: "W12".
    private static let maximumLetterLength = 3
    /// Words that may precede the letter.
    private static let letterWords: Set<String> = ["stop", "stand", "bay", "platform"]

    /// A range of names, as ``Folding`` compares them.
    struct NameRange: Sendable {
        let from: String
        /// The name after the last of the range.
        let to: String
    }

    /// A name that the text may mean.
    struct Name: Sendable {
        let canonical: String
        /// The letter of the stop; nil: any.
        let letter: String?
        /// The range of this name alone.
        var whole: NameRange { NameRange(from: canonical, to: canonical + " ") }
        /// The ranges of names that begin with it: whole words, then a word or its beginning.
        let beginnings: [NameRange]

        fileprivate init(_ words: [String], letter: String? = nil) {
            canonical = Folding.canonical(words).joined(separator: " ")
            self.letter = letter
            let last = words.last ?? ""
            let before = Folding.canonical(words.dropLast()).map { $0 + " " }.joined()
            // The word itself, alone or before a space; "!" is the character after the space.
            beginnings =
                [NameRange(from: before + last, to: before + last + "\u{10ffff}")]
                + Folding.canonicalWords(completing: last).map { NameRange(from: before + $0, to: before + $0 + "!") }
        }
    }

    /// The words that must each begin a word of the stop.
    let words: [String]
    /// The whole text; then the text without the letter at its end, if it may have one.
    let names: [Name]

    /// The whole text as names are compared.
    var canonical: String { names.first?.canonical ?? "" }

    /// - Returns: nil when the text has no word.
    init?(_ text: some StringProtocol) {
        let all = Array(Folding.words(text).prefix(Self.maximumWords))
        guard let last = all.last else { return nil }
        var base = Array(all.dropLast())
        guard !base.isEmpty, last.count <= Self.maximumLetterLength else {
            words = all
            names = [Name(all)]
            return
        }
        if base.count > 1, let word = base.last, Self.letterWords.contains(word) { base.removeLast() }
        words = base + [last]
        names = [Name(all), Name(base, letter: last)]
    }

    /// The FTS5 expression for the words in name and letter, or anywhere.
    func expression(anywhere: Bool) -> String {
        // Words have only letters and digits: nothing to escape inside the quotation marks.
        let all = words.map { "\"\($0)\" *" }.joined(separator: " AND ")
        return anywhere ? all : "{name letter} : (\(all))"
    }
}
