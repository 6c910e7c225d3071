/// A matching stop with its sort keys.
struct SearchMatch: Sendable {
    /// How well a stop matches: the best tier first.
    enum Tier: Int, Sendable {
        /// The text is its code.
        case code
        /// The text is its name, or its name and letter.
        case name
        /// Its name begins with the text.
        case beginning
        /// Every word of the text begins a word of its name, or its letter.
        case words
        /// Some words match its `towards` or its modes.
        case elsewhere
    }

    let tier: Tier
    let importance: Int64
    let canonical: String
    let letter: String
    let rank: Int64

    func precedes(_ other: SearchMatch) -> Bool {
        if tier != other.tier { return tier.rawValue < other.tier.rawValue }
        if importance != other.importance { return importance < other.importance }
        if canonical != other.canonical { return canonical.utf8.lexicographicallyPrecedes(other.canonical.utf8) }
        if letter != other.letter { return letter.utf8.lexicographicallyPrecedes(other.letter.utf8) }
        return rank < other.rank
    }
}
