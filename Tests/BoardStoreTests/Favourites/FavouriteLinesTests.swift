internal import BoardCore
internal import BoardStore
internal import Testing

@Suite("Choosing the lines of a favourite")
struct FavouriteLinesTests {
    private func setLines(_ lines: [String], in text: String) throws -> String? {
        try edited(text) { try $0.change(demo("1")) { $0.lines = lines } }
    }

    @Test("a new key is written below the label, aligned with its neighbours")
    func newKey() throws {
        #expect(
            try setLines(["73", "390"], in: "[[stop]]\nid    = \"demo:1\"\nlabel = \"A\" # x\nsort  = \"line\"\n")
                == "[[stop]]\nid    = \"demo:1\"\nlabel = \"A\" # x\nlines = [\"73\", \"390\"]\nsort  = \"line\"\n")
        #expect(
            try setLines(["73"], in: "[[stop]]\n  id         =  'demo:1'\n")
                == "[[stop]]\n  id         =  'demo:1'\n  lines      =  [\"73\"]\n")
        #expect(try setLines(["73"], in: "[[stop]]\nid='demo:1'\n") == "[[stop]]\nid='demo:1'\nlines=[\"73\"]\n")
        #expect(
            try setLines(["73"], in: "[[stop]]\n\"id\" = 'demo:1'\n")
                == "[[stop]]\n\"id\" = 'demo:1'\nlines = [\"73\"]\n")
    }

    @Test("new lines are written like the old ones, and the comment beside them stays")
    func otherLines() throws {
        let text = "[[stop]]\nlines   = [ '73','N\\9' ]   # weekdays\nid = 'demo:1'\n"
        #expect(
            try setLines(["390", "N\\9", "a'b"], in: text)
                == text.replacing("'73','N\\9'", with: "'390','N\\9',\"a'b\""))
        #expect(
            try setLines(["73", "390"], in: "[[stop]]\nid = 'demo:1'\nlines = [\n    \"73\",\n]\n")
                == "[[stop]]\nid = 'demo:1'\nlines = [\n    \"73\",\n    \"390\",\n]\n")
    }

    @Test("comments inside a list stay with their texts; one above a removed text stays, one beside it is removed")
    func comments() throws {
        let text = """
            [[stop]]
            id = "demo:1"
            lines = [   # those that matter
              # by day
              "73", "390",   # to the office
              # at night
              "N9",   # slow
              'N73'
              # no more
            ]  # end

            """
        #expect(
            try setLines(["N73", "390", "1"], in: text) == """
                [[stop]]
                id = "demo:1"
                lines = [   # those that matter
                  # by day
                  # at night
                  'N73',
                  "390",   # to the office
                  "1",
                  # no more
                ]  # end

                """)
        #expect(try setLines(["N9"], in: text)?.contains("  # at night\n  \"N9\",   # slow\n  # no more\n]") == true)
    }

    @Test("an empty list means all lines: the key is removed, and nothing else")
    func none() throws {
        let text = "[[stop]]\nid = 'demo:1'\n# mine\nlines = [ # x\n  '73', # y\n] # z\nsort = 'line'\n"
        #expect(try setLines([], in: text) == "[[stop]]\nid = 'demo:1'\n# mine\nsort = 'line'\n")
        #expect(try setLines([], in: "[[stop]]\nid = 'demo:1'\n") == "[[stop]]\nid = 'demo:1'\n")
    }

    @Test("a list too long for one line is broken up, and read back unchanged")
    func long() throws {
        let lines = (1...500).map { "N\($0)" }
        let text = try #require(try setLines(lines, in: "[[stop]]\r\nid = 'demo:1'\r\n"))
        #expect(text.split(separator: "\r\n").allSatisfy { $0.count <= 100 })
        #expect(try load("", favourites: text).favourites.first?.lines == lines)
    }

    @Test("invalid lines fail with the loader's message")
    func rejected() throws {
        for (lines, message) in [
            (["73", ""], "lines is \"\", \(Sentence.oneLine)"),
            (["n9", "N9"], "lines: \"N9\" is a duplicate"),
        ] {
            #expect(throws: FavouritesFailure.rejected(message)) {
                try edited("[[stop]]\nid = 'demo:1'\n") { try $0.change(demo("1")) { $0.lines = lines } }
            }
        }
    }
}
