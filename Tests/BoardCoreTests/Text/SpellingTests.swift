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
        #expect(Spelling.nearest(to: "Home", of: words) == "home")
        #expect(Spelling.nearest(to: "home", of: words) == nil)
        #expect(Spelling.nearest(to: "home", of: words + ["homes"]) == "homes")
        #expect(Spelling.nearest(to: "", of: words) == nil)
        #expect(Spelling.nearest(to: "x", of: []) == nil)
    }

    @Test(
        "distances count letters inserted, left out, changed and swapped",
        arguments: [
            ("oxford", "oxford", 0), ("oxford", "OXFORD", 0), ("oxfrod", "oxford", 1), ("oxford", "oxfor", 1),
            ("oxford", "oxxford", 1), ("kitten", "sitting", 3), ("", "ab", 2), ("ab", "", 2), ("abc", "xyz", 3),
            ("ca", "abc", 3), ("490008660n", "490008660X", 1),
        ])
    func distance(one: String, other: String, expected: Int) {
        var distances = EditDistance(from: one)
        #expect(distances.distance(to: Array(other.utf8), within: 10) == expected)
        #expect(distances.distance(to: Array(other.utf8), within: expected) == expected)
        #expect(distances.distance(to: Array(other.utf8), within: expected - 1) == nil)
    }
}
