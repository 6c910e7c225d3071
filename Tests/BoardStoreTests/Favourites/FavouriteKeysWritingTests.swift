import BoardCore
import BoardStore
import Testing

@Suite("Editing favourites with hours, a walk or a direction")
struct FavouriteKeysWritingTests {
    private let commuter = Favourite(
        stop: demo("1"), label: "Home", lines: ["73"], sort: .line, walk: .seconds(90),
        towards: ["7"], platforms: ["3", "4"], directions: ["inbound"],
        when: [
            WeeklyWindow(from: 390, to: 570, days: [.mon, .tue, .wed, .thu, .fri]),
            WeeklyWindow(from: 0, to: 0, days: [.sat, .sun]), WeeklyWindow(from: 1320, to: 120, days: [.fri, .mon]),
        ], name: "Mill Lane", location: Coordinates(latitude: 51.5, longitude: -0.25), distance: Metres(80))

    private let written = """
        [[stop]]
        id         = "demo:1"
        label      = "Home"
        lines      = ["73"]
        sort       = "line"
        walk       = "90s"
        towards    = "7"
        platforms  = ["3", "4"]
        directions = ["inbound"]
        when       = ["weekdays 06:30-09:30", "weekend", "mon,fri 22:00-02:00"]
        name       = "Mill Lane"
        location   = "51.5,-0.25"

        """

    @Test("a favourite is added with all its values except the distance")
    func adding() throws {
        #expect(try edited("") { try $0.add(commuter) } == written)
        let plain = Favourite(stop: demo("2"), walk: .seconds(240), when: [WeeklyWindow(from: 1080, to: 0)])
        #expect(
            try edited("") { try $0.add(plain) } == """
                [[stop]]
                id   = "demo:2"
                walk = "4m"
                when = "daily 18:00-00:00"

                """)
    }

    @Test("other edits preserve them, and return the entries of the file")
    func keeping() throws {
        let directory = try ConfigurationDirectory(["favourites.toml": written])
        var expected = commuter
        expected.distance = nil
        let other = Favourite(stop: demo("2"))
        #expect(try directory.editor.add(other, at: 1) == [.stop(other), .stop(expected)])
        #expect(try directory.editor.move(demo("1"), to: 1) == [.stop(expected), .stop(other)])
        expected.lines = ["73", "N9"]
        #expect(try directory.editor.change(demo("1")) { $0 = expected } == [.stop(expected), .stop(other)])
        #expect(try directory.load().entries == [.stop(expected), .stop(other)])
        expected.lines = []
        #expect(try directory.editor.change(demo("1")) { $0.lines = [] } == [.stop(expected), .stop(other)])
        let after = written.replacing("lines      = [\"73\"]\n", with: "")
        #expect(directory.favourites == after + "\n[[stop]]\nid = \"demo:2\"\n")
    }

    private func changed(_ text: String, _ change: (inout Favourite) -> Void) throws -> String? {
        let directory = try ConfigurationDirectory(["favourites.toml": text])
        var favourite = try #require(directory.load().favourites.first)
        change(&favourite)
        #expect(try directory.editor.change(demo("1"), change) == [.stop(favourite)])
        #expect(try directory.load().entries == [.stop(favourite)])
        return directory.favourites
    }

    @Test(
        "a changed table is written again with the comments of its lines; other tables and their comments stay byte for byte"
    )
    func oneTable() throws {
        let other = """
            # not mine
            [[stop]]
            id='demo:2'   # opposite
            lines = [ '1',
              '2' ]
            """
        let text = """
            # mine
            [[stop]]
            id   = "demo:1"
            # uphill
            walk = 4 # minutes
            when = [ "weekdays  06:30-09:30",
                     # shopping
                     '18:00-24:00' ]
            # end

            \(other)

            """
        let new = """
            # mine
            [[stop]]
            id    = "demo:1"
            label = "A"
            walk  = "4m"
            when  = ["weekdays 06:30-09:30", "daily 18:00-00:00"]
            # uphill
                     # shopping
            # end

            \(other)

            """
        #expect(try edited(text) { try $0.change(demo("1")) { $0.label = "A" } } == new)
        #expect(try edited(text) { try $0.change(demo("1")) { _ in } } == text)
        let bare = try edited(new) { try $0.change(demo("1")) { $0 = Favourite(stop: demo("1")) } }
        #expect(bare?.contains("[[stop]]\nid = \"demo:1\"\n# uphill\n") == true, "\(bare ?? "")")
    }

    @Test("a comment in a changed table does not become that of the next one, and a line of a text becomes none")
    func closeTables() throws {
        let next = "[[stop]]\nid = \"demo:2\"\n"
        let text = "[[stop]]\n# Home\nid = \"demo:1\"\nlabel = \"\"\"\\\n# x\"\"\"\n" + next
        let changed = try edited(text) { try $0.change(demo("1")) { $0.label = nil } }
        #expect(changed == "[[stop]]\nid = \"demo:1\"\n# Home\n\n" + next)
        #expect(try edited(changed ?? "") { try $0.remove(demo("2")) } == "[[stop]]\nid = \"demo:1\"\n# Home\n")
    }

    @Test("a list too long for one line is broken up, and read back unchanged")
    func long() throws {
        let lines = (1...500).map { "N\($0)" }
        let text = try #require(try changed("[[stop]]\r\nid = 'demo:1'\r\n") { $0.lines = lines })
        #expect(text.split(separator: "\r\n").allSatisfy { $0.count <= 100 })
    }

    @Test("a change that the loader would reject fails with the loader's message, and so does a control character")
    func rejectedChange() throws {
        let text = "[[stop]]\nid = 'demo:1'\nwalk = '4m'\n\n[[stop]]\nid = 'tfl:1'\n"
        let directory = try ConfigurationDirectory(["favourites.toml": text])
        let cases: [(StopID, String, (inout Favourite) -> Void)] = [
            (demo("1"), "walk is \"29s\", \(Sentence.walk)", { $0.walk = .seconds(29) }),
            (
                demo("1"), "towards: \"PAD\" is not a stop of Demo Transit: it must be digits, such as 4711",
                { $0.towards = ["PAD"] }
            ), (demo("1"), "lines is \"\", \(Sentence.oneLine)", { $0.lines = ["73", ""] }),
            (demo("1"), "platforms: \"A\" is a duplicate", { $0.platforms = ["a", "A"] }),
            (demo("1"), "directions is \" \", \(Sentence.oneLine)", { $0.directions = [" "] }),
            (
                demo("1"), "when: \"daily\" is a duplicate",
                { $0.when = [WeeklyWindow(from: 0, to: 0), WeeklyWindow(from: 0, to: 0)] }
            ),
            (
                demo("1"),
                "platforms contains a control character (U+0007), which a display cannot show: write one line of text without it",
                { $0.platforms = ["3\u{7}"] }
            ),
            (
                StopID(feed: FeedName("tfl"), code: "1"),
                "towards: TfL does not report calling points; it is for stops of demo (Demo Transit). Remove it; "
                    + "use lines, platforms or directions instead", { $0.towards = ["7"] }
            ),
        ]
        for (stop, sentence, change) in cases {
            let key = String(sentence.prefix { $0.isLetter })
            let value =
                key == "walk" ? InvalidValue(key, .range, minimum: "30s", maximum: "2h") : InvalidValue(key, .format)
            #expect(throws: FavouritesError.rejected(sentence, value)) { try directory.editor.change(stop, change) }
        }
        #expect(directory.favourites == text)
    }
}
