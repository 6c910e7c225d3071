extension Words {
    /// The short forms of one language and, where they do not conflict, of all others: stop names are in the language
    /// of the city, not of the display.
    static func placeNames(_ own: [String: String]) -> [String: String] {
        [englishNames, germanNames, frenchNames, spanishNames].reduce(into: own) { forms, others in
            forms.merge(others) { first, _ in first }
        }
    }
}
