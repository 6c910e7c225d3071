internal import BoardCore
internal import BoardStore
internal import Testing

@Suite("Editing favourites that have hours, a walk or a direction")
struct FavouriteWishesWritingTests {
    private let commuter = Favourite(
        stop: demo("1"), label: "Home", lines: ["73"], sort: .line, walk: .seconds(90), uncatchable: .mark,
        towards: "PAD", platforms: ["3", "4"], directions: ["inbound"],
        when: [
            WeeklyWindow(from: 390, to: 570, days: [.mon, .tue, .wed, .thu, .fri]),
            WeeklyWindow(from: 0, to: 0, days: [.sat, .sun]), WeeklyWindow(from: 1320, to: 120, days: [.fri, .mon]),
        ], distance: Metres(80))

    private let written = """
        [[stop]]
        id          = "demo:1"
        label       = "Home"
        lines       = ["73"]
        sort        = "line"
        walk        = "90s"
        uncatchable = "mark"
        towards     = "PAD"
        platforms   = ["3", "4"]
        directions  = ["inbound"]
        when        = ["weekdays 06:30-09:30", "weekend", "mon,fri 22:00-02:00"]

        """

    @Test("a favourite is added with all that it has, but its distance")
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

    @Test("other edits keep them, and give back what the file says")
    func keeping() throws {
        let directory = try ConfigurationDirectory(["favourites.toml": written])
        var kept = commuter
        kept.distance = nil
        let other = Favourite(stop: demo("2"))
        #expect(try directory.editor.add(other, at: 1) == [.stop(other), .stop(kept)])
        #expect(try directory.editor.move(demo("1"), to: 1) == [.stop(kept), .stop(other)])
        kept.lines = ["73", "N9"]
        #expect(try directory.editor.setLines(demo("1"), to: kept.lines) == [.stop(kept), .stop(other)])
        #expect(try directory.load().entries == [.stop(kept), .stop(other)])
        kept.lines = []
        #expect(try directory.editor.setLines(demo("1"), to: []) == [.stop(kept), .stop(other)])
        let after = written.replacing("lines       = [\"73\"]\n", with: "")
        #expect(directory.favourites == after + "\n[[stop]]\nid = \"demo:2\"\n")
    }

    @Test("what the file may not say is refused with the loader's own sentence")
    func refusing() throws {
        let directory = try ConfigurationDirectory()
        let reason = "walk is \"3h\", but must be a duration from 30s to 2h, such as \"30s\" or \"4m\""
        #expect(throws: FavouritesFailure.refused(reason)) {
            try directory.editor.add(Favourite(stop: demo("1"), walk: .seconds(10_800)))
        }
        #expect(directory.favourites == nil)
    }
}
