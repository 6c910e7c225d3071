import BoardCore
import Testing

@Suite("Spelling suggestions")
struct SpellingTests {
    @Test("the nearest word is found by changed, missing, added or swapped letters, and only when near")
    func spelling() {
        let words = ["language", "clock", "home", "return_home", "lines"]
        #expect(Spelling.nearest(to: "clcok", of: words) == "clock")
        #expect(Spelling.nearest(to: "return-home", of: words) == "return_home")
        #expect(Spelling.nearest(to: "Langauge", of: words) == "language")
        #expect(Spelling.nearest(to: "line", of: words) == "lines")
        #expect(Spelling.nearest(to: "colour", of: words) == nil)
        #expect(Spelling.nearest(to: "", of: words) == nil)
        #expect(Spelling.nearest(to: "x", of: []) == nil)
        #expect(Spelling.distance(Array("ca"), Array("abc")) == 3)
    }
}
