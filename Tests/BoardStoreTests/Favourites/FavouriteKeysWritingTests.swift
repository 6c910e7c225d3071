internal import BoardCore
internal import BoardStore
internal import Testing

@Suite("Editing favourites with hours, a walk or a direction")
struct FavouriteKeysWritingTests {
    private let commuter = Favourite(
        stop: demo("1"), label: "Home", lines: ["73"], sort: .line, walk: .seconds(90), uncatchable: .mark,
        towards: ["7"], platforms: ["3", "4"], directions: ["inbound"],
        when: [
            WeeklyWindow(from: 390, to: 570, days: [.mon, .tue, .wed, .thu, .fri]),
            WeeklyWindow(from: 0, to: 0, days: [.sat, .sun]), WeeklyWindow(from: 1320, to: 120, days: [.fri, .mon]),
        ], name: "Mill Lane", location: Coordinates(latitude: 51.5, longitude: -0.25), distance: Metres(80))

    private let written = """
        [[stop]]
        id          = "demo:1"
        label       = "Home"
        lines       = ["73"]
        sort        = "line"
        walk        = "90s"
        uncatchable = "mark"
        towards     = "7"
        platforms   = ["3", "4"]
        directions  = ["inbound"]
        when        = ["weekdays 06:30-09:30", "weekend", "mon,fri 22:00-02:00"]
        name        = "Mill Lane"
        location    = "51.5,-0.25"

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
        let after = written.replacing("lines       = [\"73\"]\n", with: "")
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

    @Test("a change of one key leaves every other as it is written, with its comments, quotes and spaces")
    func oneKey() throws {
        let text = """
            # mine
            [[stop]]
            id   = "demo:1"
            walk = '4m'         # uphill
            sort = "time"       # as it is anyway
            when = [ "weekdays  06:30-09:30",   # to work
                     '18:00-24:00' ]
            label="A"

            """
        #expect(try changed(text) { $0.walk = .seconds(3600) } == text.replacing("'4m'", with: "'1h'"))
        #expect(try changed(text) { $0.sort = .line } == text.replacing("\"time\"", with: "\"line\""))
        #expect(try changed(text) { $0.label = "B" } == text.replacing("=\"A\"", with: "=\"B\""))
        #expect(try changed(text) { $0.walk = nil } == text.replacing("walk = '4m'         # uphill\n", with: ""))
        #expect(try changed(text) { $0.when = [] }?.contains("work") == false)
        let weekend = WeeklyWindow(from: 0, to: 0, days: [.sat, .sun])
        let longer = try #require(try changed(text) { $0.when.append(weekend) })
        #expect(longer.contains("\"weekdays  06:30-09:30\",   # to work\n"))
        #expect(longer.contains("'18:00-24:00',") && longer.contains("\"weekend\""), "\(longer)")
        let one = "[[stop]]\nid = 'demo:1'\nwhen = 'daily' # always\n"
        #expect(try changed(one) { $0.when = [weekend] } == one.replacing("daily", with: "weekend"))
        #expect(
            try changed(one) { $0.when.append(weekend) }
                == one.replacing("'daily'", with: "[\"daily\", \"weekend\"]"))
    }

    @Test("a walk in minutes stays as it is written until it is changed")
    func minutes() throws {
        let text = "[[stop]]\nid = 'demo:1'\nwalk = 4 # min\n"
        #expect(try changed(text) { $0.label = "A" } == "[[stop]]\nid = 'demo:1'\nlabel = \"A\"\nwalk = 4 # min\n")
        #expect(try changed(text) { $0.walk = .seconds(420) } == "[[stop]]\nid = 'demo:1'\nwalk = \"7m\" # min\n")
    }

    @Test("new keys are written in the order of the examples, whatever is removed at the same time")
    func newKeys() throws {
        let plain = "[[stop]]\n  id    = 'demo:1'\n  lines = [\"73\"] # x\n"
        var complete = commuter
        complete.distance = nil
        let text = try #require(try changed(plain) { $0 = complete })
        let keys = text.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " }.prefix { $0 != " " } }
        #expect(
            keys == [
                "id", "label", "lines", "sort", "walk", "uncatchable", "towards", "platforms", "directions", "when",
                "name", "location",
            ])
        #expect(text.contains("\n  walk  = \"90s\"\n"), "\(text)")
        #expect(try changed(text) { $0 = Favourite(stop: demo("1"), lines: ["73"]) } == plain)
        let mixed = "[[stop]]\nid = 'demo:1'\nlabel = 'A'\nsort = 'line'\nplatforms = ['3']\n"
        let other = Favourite(stop: demo("1"), lines: ["73"], walk: .seconds(60), towards: ["7"], directions: ["in"])
        #expect(
            try changed(mixed) { $0 = other } == """
                [[stop]]
                id = 'demo:1'
                lines = ["73"]
                walk = "1m"
                towards = "7"
                directions = ["in"]

                """)
        #expect(
            try changed("[[stop]]\r\nid = 'demo:1'") { $0.walk = .seconds(60) }?.hasSuffix("\r\nwalk = \"1m\"\r\n")
                == true)
    }

    @Test("a change that the loader would reject fails with the loader's message, and so does a control character")
    func rejectedChange() throws {
        let text = "[[stop]]\nid = 'demo:1'\nwalk = '4m'\n\n[[stop]]\nid = 'tfl:1'\n"
        let directory = try ConfigurationDirectory(["favourites.toml": text])
        let cases: [(StopID, String, (inout Favourite) -> Void)] = [
            (
                demo("1"), "walk is \"29s\", \(Sentence.walk)",
                { $0.walk = .seconds(29) }
            ),
            (
                demo("1"), "towards: \"PAD\" is not a stop of Demo Transit: it must be digits, such as 4711",
                { $0.towards = ["PAD"] }
            ),
            (demo("1"), "platforms: \"A\" is a duplicate", { $0.platforms = ["a", "A"] }),
            (
                demo("1"), "directions is \" \", \(Sentence.oneLine)",
                { $0.directions = [" "] }
            ),
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
            #expect(throws: FavouritesFailure.rejected(sentence)) { try directory.editor.change(stop, change) }
        }
        #expect(directory.favourites == text)
    }

    @Test("values that the file may not contain fail with the loader's message")
    func rejectedAdd() throws {
        let directory = try ConfigurationDirectory()
        let reason = "walk is \"3h\", \(Sentence.walk)"
        #expect(throws: FavouritesFailure.rejected(reason)) {
            try directory.editor.add(Favourite(stop: demo("1"), walk: .seconds(10_800)))
        }
        #expect(directory.favourites == nil)
    }
}
