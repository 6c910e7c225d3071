extension Words {
    /// The short forms of one language and, where they do not contradict, of all others: the names of stops are in the
    /// language of the city, not of the glass.
    static func placeNames(_ own: [String: String]) -> [String: String] {
        [englishNames, germanNames, frenchNames, spanishNames].reduce(into: own) { forms, others in
            forms.merge(others) { first, _ in first }
        }
    }
}
