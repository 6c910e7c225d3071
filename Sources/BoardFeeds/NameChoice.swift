public import BoardCore

/// Which of an operator's names for one thing the board shows.
public struct NameChoice: Hashable, Sendable {
    /// The board's language, such as "de".
    public var language: String
    public let display: DrawnText

    public init(language: Language = .english, display: DrawnText = .any) {
        self.language = language.rawValue
        self.display = display
    }

    /// The languages of some names, such as "ja-Hrkt": those of the board, the one with the same script and region first, and the
    /// others, English first.
    func ordered(_ languages: [String]) -> (own: [String], others: [String]) {
        func rank(_ tag: String) -> Int {
            if tag.lowercased() == language.lowercased() { return 0 }
            return [Self.primary(language), Language.english.rawValue].firstIndex(of: Self.primary(tag)).map { $0 + 1 }
                ?? 3
        }
        let ordered = languages.sorted { (rank($0), $0) < (rank($1), $1) }
        return (ordered.filter { rank($0) < 2 }, ordered.filter { rank($0) >= 2 })
    }

    /// The language of a tag, without its script and region: "ja" of "ja-Hrkt".
    private static func primary(_ tag: String) -> String {
        tag.split { $0 == "-" || $0 == "_" }.first?.lowercased() ?? ""
    }
}
