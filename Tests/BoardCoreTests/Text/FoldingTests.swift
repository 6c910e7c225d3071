import BoardCore
import Testing

@Suite("Normalising texts for searches")
struct FoldingTests {
    @Test(
        "words of lower-case letters without diacritics remain",
        arguments: [
            ("King's Cross & St. Pancras", "kings cross and st pancras"),
            ("KING’S CROSS", "kings cross"),
            ("Élysée – Étoile", "elysee etoile"),
            ("Mußstraße/Süd", "mussstrasse sud"),
            ("Nørreport", "norreport"),
            ("Ærø Œuvre", "aero oeuvre"),
            ("Łódź Fabryczna", "lodz fabryczna"),
            ("Cafe\u{301}", "cafe"),
            ("İstanbul ılıca", "istanbul ilica"),
            ("Đakovo Þingvellir", "dakovo thingvellir"),
            ("Ταύρος", "ταυροσ"),
            ("Охотный Ряд", "охотныи ряд"),
            ("東京駅", "東京駅"),
            ("Walthamstow (Bus Stn)-A1", "walthamstow bus stn a1"),
            ("  \t\u{0}", ""),
            ("&&", "and and"),
        ])
    func words(text: String, words: String) {
        #expect(Folding.words(text).joined(separator: " ") == words)
    }

    @Test(
        "two spellings of a name are the same name",
        arguments: [
            ("St Paul's", "Saint Pauls"), ("Oxford Street", "oxford st."), ("Elephant & Castle", "Elephant and Castle"),
            ("Haus und Hof", "Haus & Hof"), ("Mill Rd", "Mill Road"), ("Bus Stn", "Bus Station"),
            ("Place de l'Étoile et Lac", "PLACE DE LETOILE & LAC"),
        ])
    func canonical(one: String, other: String) {
        #expect(Folding.canonical(name: one) == Folding.canonical(name: other))
    }

    @Test("a text of megabytes is read only up to the maximum length")
    func long() {
        #expect(Folding.words(String(repeating: "a ", count: 1_000_000)).count == 200)
    }

    @Test("names with numbers are in their natural order")
    func natural() {
        let names = ["2", "10", "100", "A", "N1", "N2", "N 10", "N20", "Red", "Red 1", "Red Line"]
        #expect(names.shuffled().sorted { Folding.naturalKey($0) < Folding.naturalKey($1) } == names)
        #expect(Folding.naturalKey("N007") == Folding.naturalKey("n 7"))
    }
}
