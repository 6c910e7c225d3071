import BoardCore
import BoardStore
import FoundationEssentials
import Testing

/// A stop of the feed "demo".
func demo(_ code: String) -> StopID { StopID(feed: FeedName("demo"), code: code) }

extension ConfigurationDirectory {
    /// An editor of the directory's favourites.toml.
    var editor: FavouritesEditor { FavouritesEditor(path: "\(path)/favourites.toml", declarations: declarations) }

    /// The text of favourites.toml; nil when there is none.
    var favourites: String? {
        (try? Data(contentsOf: URL(filePath: "\(path)/favourites.toml"))).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The text after an edit.
func edited(_ text: String, _ edit: (FavouritesEditor) throws -> Void) throws -> String? {
    let directory = try ConfigurationDirectory(["favourites.toml": text])
    try edit(directory.editor)
    return directory.favourites
}

@Suite("Editing favourites.toml")
struct FavouritesEditorTests {
    /// A typical hand-written file.
    private let original = """
        # My stops.

        # --- home ---

        # The one at the corner
        [[stop]]
        id    = 'demo:1'       # north side
        label = "Church St"
        # sort = "line"

        [[nearby]]
        location = "51.5,-0.1"

        # --- work ---

        [[stop]]
        id = "demo:2"
        lines = [
          "73",   # to the office
          # at night
          "N9",
        ]
        # the last one

        # That is all.

        """

    @Test("a new stop is written like an example, below the last table")
    func add() throws {
        let text = try edited(original) {
            try $0.add(Favourite(stop: demo("3"), label: "Mill \"Lane\"", lines: ["73", "390"], sort: .line))
        }
        #expect(
            text
                == original.replacing(
                    "# the last one\n",
                    with: """
                        # the last one

                        [[stop]]
                        id    = "demo:3"
                        label = "Mill \\"Lane\\""
                        lines = ["73", "390"]
                        sort  = "line"

                        """))
    }

    @Test("a position counts every table, including [[nearby]]")
    func addAt() throws {
        let table = "[[stop]]\nid = \"demo:3\"\n\n"
        for (position, below) in [(1, "# The one at"), (2, "[[nearby]]"), (3, "[[stop]]\nid = \"demo:2\"")] {
            let text = try edited(original) { try $0.add(Favourite(stop: demo("3")), at: position) }
            #expect(text == original.replacing(below, with: table + below))
        }
        let result = try edited(original) {
            let entries = try $0.add(Favourite(stop: demo("3")), at: 4)
            #expect(entries.named.map(\.stop.code) == ["1", "2", "3"])
            #expect(entries.count == 4)
        }
        #expect(result?.contains("# the last one\n\n[[stop]]\nid = \"demo:3\"\n\n# That is all.") == true)
    }

    @Test("a removed table takes its own comments with it, and no others")
    func remove() throws {
        #expect(
            try edited(original) { try $0.remove(demo("1")) } == """
                # My stops.

                # --- home ---

                [[nearby]]
                location = "51.5,-0.1"

                """ + original[(try #require(original.firstRange(of: "\n# --- work"))).lowerBound...])
        #expect(
            try edited(original) { try $0.remove(demo("2")) }
                == original[..<(try #require(original.firstRange(of: "[[stop]]\nid = \"demo:2\""))).lowerBound]
                + "# That is all.\n")
    }

    @Test("removing the last table leaves the comments above it, without trailing blank lines")
    func removeAll() throws {
        #expect(try edited("# A\n\n[[stop]]\nid='demo:1'\n") { try $0.remove(demo("1")) } == "# A\n")
        // Not a file without bytes, as a loss of power leaves.
        #expect(try edited("[[stop]]\nid='demo:1'\n\n\n") { try $0.remove(demo("1")) } == "\n")
        #expect(
            try edited("[[stop]]\nid='demo:1'\n\n[[stop]]\nid='demo:2'\n") { try $0.remove(demo("2")) }
                == "[[stop]]\nid='demo:1'\n")
    }

    @Test("a moved table takes its comments along, and is adjacent to its new neighbours")
    func move() throws {
        let one = """
            # The one at the corner
            [[stop]]
            id    = 'demo:1'       # north side
            label = "Church St"
            # sort = "line"

            """
        #expect(
            try edited(original) { try $0.move(demo("1"), to: 3) }
                == original.replacing(one + "\n", with: "").replacing(
                    "# the last one\n", with: "# the last one\n\n" + one))
        #expect(
            try edited(original) { try $0.move(demo("1"), to: 2) }
                == original.replacing(one + "\n", with: "").replacing("-0.1\"\n", with: "-0.1\"\n\n" + one))
        let two = original[
            (try #require(original.firstRange(of: "[[stop]]\nid = \"demo:2\"")))
                .lowerBound..<(try #require(original.firstRange(of: "\n# That"))).lowerBound]
        #expect(
            try edited(original) { try $0.move(demo("2"), to: 1) }
                == original.replacing(two + "\n", with: "").replacing(one, with: two + "\n" + one))
    }

    @Test("adjacent tables stay adjacent, and a comment below one does not become the next one's")
    func close() throws {
        let close = "[[stop]]\nid='demo:1'\n[[stop]]\nid='demo:2'\n[[stop]]\nid='demo:3'\n# x\n"
        let first = "[[stop]]\nid='demo:1'\n"
        #expect(
            try edited(close) { try $0.move(demo("1"), to: 2) }
                == "[[stop]]\nid='demo:2'\n\(first)[[stop]]\nid='demo:3'\n# x\n")
        #expect(
            try edited(close) { try $0.move(demo("3"), to: 1) }
                == "[[stop]]\nid='demo:3'\n# x\n\n\(first)[[stop]]\nid='demo:2'\n")
        #expect(try edited(close) { try $0.remove(demo("2")) } == "\(first)[[stop]]\nid='demo:3'\n# x\n")
        #expect(
            try edited(close) { try $0.add(Favourite(stop: demo("4")), at: 2) }
                == close.replacing(first, with: first + "[[stop]]\nid = \"demo:4\"\n"))
    }

    @Test("a line of a multi-line string that looks like a comment or a header is neither")
    func longTexts() throws {
        let text = """
            [[stop]]
            id = "demo:1"
            label = \"""\\
            # x \\
            [[stop]] \\
            # y\"""
            [[stop]]
            id = "demo:2"

            """
        let second = "[[stop]]\nid = \"demo:2\"\n"
        #expect(try edited(text) { try $0.move(demo("2"), to: 1) } == second + text.replacing(second, with: ""))
        #expect(try edited(text) { try $0.remove(demo("2")) } == text.replacing(second, with: ""))
    }

    @Test("CRLF stays CRLF, a byte order mark stays, and a missing final line end is added")
    func lineEnds() throws {
        let first = "\u{FEFF}# x\r\n[[stop]]\r\nid = 'demo:1'"
        #expect(
            try edited(first) { try $0.add(Favourite(stop: demo("2"), lines: ["73"])) }
                == first + "\r\n\r\n[[stop]]\r\nid    = \"demo:2\"\r\nlines = [\"73\"]\r\n")
        #expect(
            try edited(first) { try $0.change(demo("1")) { $0.lines = ["73"] } }
                == "\u{FEFF}# x\r\n[[stop]]\r\nid    = \"demo:1\"\r\nlines = [\"73\"]\r\n")
        #expect(
            try edited("[[stop]]\nid = 'demo:1'\n\n[[stop]]\nid = 'demo:2'") { try $0.move(demo("2"), to: 1) }
                == "[[stop]]\nid = 'demo:2'\n\n[[stop]]\nid = 'demo:1'\n")
    }

    @Test("an edit without a change writes nothing")
    func nothing() throws {
        let directory = try ConfigurationDirectory(["favourites.toml": "[[stop]]\nid = 'demo:1'\nlines = ['73']"])
        let before =
            try FileManager.default.attributesOfItem(atPath: directory.editor.path)[.systemFileNumber] as? UInt64
        try directory.editor.move(demo("1"), to: 1)
        try directory.editor.change(demo("1")) { $0.lines = ["73"] }
        let after =
            try FileManager.default.attributesOfItem(atPath: directory.editor.path)[.systemFileNumber] as? UInt64
        #expect(before == after)
        #expect(directory.favourites?.hasSuffix("]") == true)
    }
}
