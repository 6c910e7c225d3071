import BoardCore
import BoardStore
import Testing

@Suite("Writing the favourites of a shared list")
struct SharedFavouritesTests {
    private let original = """
        # My stops.

        # The one at the corner
        [[stop]]
        id    = 'demo:1'       # north side
        label = "Church St"

        [[nearby]]
        location = "51.5,-0.1"

        # --- mine alone ---

        [[stop]]
        id = "demo:5"
        shared = false # for the hall

        # --- work ---

        [[stop]]
        id = "demo:2"
        lines = [
          "73",   # to the office
          "N9",
        ]

        [[stop]]
        id = "demo:3"
        # the last one

        # That is all.

        """

    private var one: Favourite { Favourite(stop: demo("1"), label: "Church St") }
    private var two: Favourite { Favourite(stop: demo("2"), lines: ["73", "N9"]) }
    private var three: Favourite { Favourite(stop: demo("3")) }

    /// The text after the shared stops were set, which the loader reads as that list.
    private func set(_ favourites: [Favourite], in text: String? = nil) throws -> String {
        let directory = try ConfigurationDirectory(["favourites.toml": text ?? original])
        let entries = try directory.editor.setShared(favourites)
        #expect(try directory.load().entries == entries)
        #expect(entries.shared == favourites)
        return directory.favourites ?? ""
    }

    @Test("the same list changes nothing")
    func same() throws {
        #expect(try set([one, two, three]) == original)
    }

    @Test("the table of a changed stop is written again, and everything else stays")
    func change() throws {
        var other = two
        (other.label, other.lines) = ("Work", ["73"])
        #expect(
            try set([one, other, three])
                == original.replacing(
                    "id = \"demo:2\"\nlines = [\n  \"73\",   # to the office\n  \"N9\",\n]\n",
                    with: "id    = \"demo:2\"\nlabel = \"Work\"\nlines = [\"73\"]\n"))
    }

    @Test("a removed stop takes its own comments with it; local stops, nearby searches and titles stay")
    func remove() throws {
        #expect(try set([one, two]) == original.replacing("[[stop]]\nid = \"demo:3\"\n# the last one\n\n", with: ""))
        let none = try set([])
        #expect(none.contains("[[nearby]]") && none.contains("shared = false # for the hall"))
        #expect(none.contains("# --- work ---") && !none.contains("corner") && !none.contains("office"))
    }

    @Test("a new stop is written below its predecessor in the list")
    func add() throws {
        let new = Favourite(stop: demo("7"), label: "New")
        let table = "[[stop]]\nid    = \"demo:7\"\nlabel = \"New\"\n"
        #expect(
            try set([one, new, two, three])
                == original.replacing("label = \"Church St\"\n", with: "label = \"Church St\"\n\n\(table)"))
        #expect(
            try set([new, one, two, three])
                == original.replacing("# The one at the corner\n", with: "\(table)\n# The one at the corner\n"))
        #expect(
            try set([one, two, three, new])
                == original.replacing("# the last one\n", with: "# the last one\n\n\(table)"))
        #expect(try set([new], in: "") == table)
    }

    @Test("a moved stop moves with its comments, and no other table moves")
    func move() throws {
        let corner = "# The one at the corner\n[[stop]]\nid    = 'demo:1'       # north side\nlabel = \"Church St\"\n"
        #expect(
            try set([two, one, three])
                == original.replacing(corner + "\n", with: "")
                .replacing("  \"N9\",\n]\n", with: "  \"N9\",\n]\n\n" + corner))
        let last = "[[stop]]\nid = \"demo:3\"\n# the last one\n"
        #expect(
            try set([three, one, two])
                == original.replacing("\n" + last, with: "").replacing(corner, with: last + "\n" + corner))
    }

    @Test("a stop that the file has with shared = false is not changed, also where the list has it")
    func local() throws {
        let directory = try ConfigurationDirectory(["favourites.toml": original])
        let entries = try directory.editor.setShared([one, Favourite(stop: demo("5"), label: "Theirs"), two, three])
        #expect(directory.favourites == original)
        #expect(entries.named.first { $0.stop == demo("5") } == Favourite(stop: demo("5"), isShared: false))
    }

    @Test("a file that was edited since is not changed")
    func outdated() throws {
        let directory = try ConfigurationDirectory(["favourites.toml": original])
        #expect(throws: FavouritesError.outdated(file: directory.editor.path)) {
            try directory.editor.setShared([one], expecting: [one, two])
        }
        #expect(directory.favourites == original)
        #expect(try directory.editor.setShared([one], expecting: [one, two, three]).shared == [one])
    }

    @Test("a list with a favourite that the loader would reject is not written, with the loader's reason")
    func rejected() throws {
        let directory = try ConfigurationDirectory(["favourites.toml": original])
        let bad = Favourite(stop: demo("x"))
        let reason =
            "id: \"demo:x\" is not a stop of Demo Transit: the part after the colon must be digits, such as 4711"
        #expect(throws: FavouritesError.rejected("demo:x: \(reason)")) {
            try directory.editor.setShared([one, bad, two, three])
        }
        #expect(directory.favourites == original)
        #expect(directory.editor.problem(with: bad) == reason && directory.editor.problem(with: one) == nil)
    }

    @Test("random lists are written as intended, and local stops keep their text")
    func random() throws {
        for seed in 1...60 {
            var generator = TOMLGenerator(seed: UInt64(seed))
            let directory = try ConfigurationDirectory(["favourites.toml": original])
            for _ in 0..<5 {
                var list: [Favourite] = []
                for code in ["1", "2", "3", "7", "8", "9"] where generator.random(3) > 0 {
                    let lines = generator.random(2) == 0 ? [] : ["\(generator.random(4))"]
                    list.insert(Favourite(stop: demo(code), lines: lines), at: generator.random(list.count + 1))
                }
                #expect(try directory.editor.setShared(list).shared == list)
                let text = directory.favourites ?? ""
                #expect(text.contains("[[stop]]\nid = \"demo:5\"\nshared = false # for the hall\n"), "\(text)")
                #expect(text.contains("# That is all.\n") && text.hasPrefix("# My stops.\n"), "\(text)")
            }
        }
    }
}
