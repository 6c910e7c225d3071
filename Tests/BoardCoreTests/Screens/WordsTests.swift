import Testing

@testable import BoardCore

@Suite("The texts of every language")
struct WordsTests {
    /// On 16 columns a count of this width leaves a word of the name beside a short line.
    private static let widestCount = 9
    private static let narrowest = 16

    /// What Home Assistant and the map show: never on a panel.
    private static let elsewhere: Set<Phrase> = [
        .leaveFor, .problem, .button, .nextPage, .refreshNow, .page, .light, .message, .mapTitle, .mapZoomIn, .mapNorth,
    ]

    /// Every phrase by its name, with its forms.
    private func phrases(_ language: Language) -> [String: [String]] {
        let words = language.words
        return Dictionary(uniqueKeysWithValues: Phrase.allCases.map { ($0.rawValue, words[$0]) })
    }

    /// A form with its placeholders replaced, with a short operator's name as on a board.
    private func filled(_ form: String, of name: String) -> String {
        let word = ["faultyLine", "faultyFile"].contains(name) ? "boardd.toml" : "Bath"
        let code = ["status", "faultyLine"].contains(name) ? "500" : "12"
        let values = ["%feed": "Rail", "%time": "12:04", "%code": code, "%word": word, "%mark": "~"]
        return values.reduce(form) { text, value in text.replacing(value.key, with: value.value) }
    }

    private func blanks(_ form: String) -> Set<String> {
        Set(["%feed", "%time", "%code", "%word"].filter(form.contains))
    }

    @Test("no phrase is empty, and no placeholder is left", arguments: Language.allCases)
    func present(language: Language) {
        let phrases = phrases(language)
        #expect(phrases.count > 50)
        for (name, forms) in phrases {
            #expect(!forms.isEmpty, "\(name)")
            for form in forms {
                #expect(!form.isEmpty && form.first != " " && form.last != " ", "\(name)")
                #expect(!filled(form, of: name).contains("%"), "\(name): \(form)")
            }
        }
    }

    @Test("the longest form of a phrase has the placeholders of the English one", arguments: Language.allCases)
    func sameBlanks(language: Language) throws {
        let english = phrases(.english)
        for (name, forms) in phrases(language) {
            let expected = try #require(english[name])
            #expect(blanks(forms[0]) == blanks(expected[0]), "\(name): \(forms[0])")
            let all = expected.reduce(into: Set()) { $0.formUnion(blanks($1)) }
            for form in forms { #expect(blanks(form).isSubset(of: all), "\(name): \(form)") }
        }
    }

    @Test("forms are listed longest first, because the first that fits is used", arguments: Language.allCases)
    func longestFirst(language: Language) {
        // Twelve phrases, not twelve forms of one.
        #expect(language.words[.months].count == 12)
        for (name, forms) in phrases(language) where name != "months" {
            let lengths = forms.map { filled($0, of: name).count }
            #expect(lengths == lengths.sorted(by: >), "\(name): \(forms)")
        }
    }

    @Test("the shortest form of every phrase fits the narrowest panel", arguments: Language.allCases)
    func narrow(language: Language) throws {
        // Never alone in a row: broken at words over the rows of a page.
        let pages = ["faultyLine", "divides", "coachesFrom", "nothingPredicted", "stopped"]
        let others = Set(pages + Self.elsewhere.map(\.rawValue))
        #expect(language.words(.pairingCode, code: "418 207").joined().count <= Self.narrowest)
        for (name, forms) in phrases(language) where !others.contains(name) {
            let last = filled(try #require(forms.last), of: name)
            #expect(last.count <= Self.narrowest, "\(name): \(last)")
        }
    }

    @Test("the last form of a message contains no operator's name, which may be long", arguments: Language.allCases)
    func nameless(language: Language) {
        let messages: Set = [
            "keyRejected", "keyMissing", "unknownStop", "noResponse", "status", "unreadable", "rateLimited",
            "certificate", "frozen", "withheld",
        ]
        let phrases = phrases(language)
        for name in messages { #expect(phrases[name]?.last?.contains("%feed") == false, "\(name)") }
    }

    @Test(
        "the shortest form of every count leaves room for a name, and has its number and mark",
        arguments: Language.allCases)
    func counts(language: Language) {
        let words = language.words
        for phrase in [Phrase.due, .minutes, .goIn, .goNow, .run, .delayed, .cancelled] {
            let last = words(phrase, code: "60", mark: "~").last ?? ""
            #expect(last.count <= Self.widestCount, "\(phrase)")
        }
        for phrase in [Phrase.due, .minutes, .goIn, .goNow, .run] {
            #expect(words[phrase].allSatisfy { $0.contains("%mark") }, "\(phrase)")
        }
        #expect(words[.goIn].count == 3)
        #expect((1...2).contains(words.text(.beforeNoon).count))
        #expect(words.text(.afterNoon).count == words.text(.beforeNoon).count)
        #expect(words.text(.beforeNoon) != words.text(.afterNoon))
    }

    @Test("the action of the held button fits the narrowest panel, whatever the order", arguments: Language.allCases)
    func orders(language: Language) {
        let words = language.words
        let orders = [words[.byTime], words[.byLine], words[.byDestination]].compactMap(\.last)
        #expect(Set(orders).count == 3)
        for order in orders {
            let sorted = words(.sorted, word: order)
            let forms = words[.letGo].flatMap { letGo in sorted.map { letGo.replacing("%word", with: $0) } }
            #expect(forms.first { $0.count <= Self.narrowest }?.hasSuffix(order) == true, "\(forms)")
        }
    }
}
