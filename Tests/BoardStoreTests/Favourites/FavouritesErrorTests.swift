import BoardCore
import BoardStore
import Testing

@Suite("Rejected edits of favourites.toml")
struct FavouritesErrorTests {
    private let original = "[[stop]]\nlabel = 'A'\nid = 'demo:4711'\n[[nearby]]\nlocation = '51.5,-0.1'\n"

    /// The error of an edit without the folder; nil on success. The text must be unchanged.
    private func failureMessage(_ text: String, _ edit: (FavouritesEditor) throws -> Void) throws -> String? {
        let directory = try ConfigurationDirectory(["favourites.toml": text])
        do {
            try edit(directory.editor)
            return nil
        } catch let failure as FavouritesError {
            #expect(directory.favourites == text)
            return failure.description.replacing(directory.path + "/", with: "")
        }
    }

    @Test("a stop that is a favourite already is not added, and its line is reported")
    func present() throws {
        #expect(
            try failureMessage(original) { try $0.add(Favourite(stop: demo("4711"))) }
                == "demo:4711 is already a favourite, on line 3")
    }

    @Test("a stop that is not a favourite is not removed, moved or changed, and the most similar one is suggested")
    func absent() throws {
        let hint = "demo:4712 is not a favourite; did you mean demo:4711?"
        #expect(try failureMessage(original) { try $0.remove(demo("4712")) } == hint)
        #expect(try failureMessage(original) { try $0.move(demo("4712"), to: 1) } == hint)
        #expect(try failureMessage(original) { try $0.change(demo("4712")) { $0.lines = ["1"] } } == hint)
        #expect(
            try failureMessage(original) { try $0.remove(StopID(feed: FeedName("tfl"), code: "490008660N")) }
                == "tfl:490008660N is not a favourite; see `boardd favourites list`")
    }

    @Test("a position that is not in the list is rejected, with the allowed ones")
    func outOfRange() throws {
        #expect(
            try failureMessage(original) { try $0.move(demo("4711"), to: 3) }
                == "there is no position 3; there are 1 to 2")
        #expect(
            try failureMessage(original) { try $0.move(demo("4711"), to: 0) }
                == "there is no position 0; there are 1 to 2")
        #expect(
            try failureMessage(original) { try $0.add(Favourite(stop: demo("1")), at: 4) }
                == "there is no position 4; there are 1 to 3")
        #expect(
            try failureMessage("") { try $0.add(Favourite(stop: demo("1")), at: -7) }
                == "there is no position -7; the only one is 1")
    }

    @Test("a stop that the loader would reject fails with the loader's message")
    func rejected() throws {
        let feeds = "known feeds: demo, tfl, town.NAME"
        for (favourite, message) in [
            (
                Favourite(stop: StopID(feed: FeedName("dmo"), code: "1")),
                "id: \"dmo:1\" is of an unknown feed; did you mean \"demo:1\"? \(feeds)"
            ),
            (
                Favourite(stop: demo("x")),
                "id: \"demo:x\" is not a stop of Demo Transit: the part after the colon must be digits, such as 4711"
            ), (Favourite(stop: demo("1"), label: " "), "label is \" \", \(Sentence.oneLine)"),
        ] {
            #expect(try failureMessage(original) { try $0.add(favourite) } == message)
        }
        for favourite in [Favourite(stop: demo("1"), label: "A\u{7}"), Favourite(stop: demo("1"), lines: ["7\u{7}"])] {
            let what = favourite.label == nil ? "lines" : "label"
            #expect(
                try failureMessage(original) { try $0.add(favourite) }
                    == "\(what) contains a control character (U+0007), which a display cannot show: write one line of text "
                    + "without it")
        }
        // A line end in a text could add further keys.
        let label = "A\"\nsort = \"line"
        #expect(try failureMessage(original) { try $0.add(Favourite(stop: demo("1"), label: label)) } != nil)
    }

    @Test("a file with faults is not changed, and the first fault is reported with its line")
    func faulty() throws {
        let end = " (nothing was changed; fix this first, `boardd check` lists all faults)"
        #expect(
            try failureMessage("[[nearby]]\nlocation = '1'\n[[stop]]\nid = 'demo:1'\nlabl = 'x'\n") {
                try $0.remove(demo("1"))
            } == "favourites.toml:2:12: location is '1', but must be latitude and longitude as \"51.5154,-0.1419\""
                + end)
        #expect(
            try failureMessage("[[stop\n") { try $0.add(Favourite(stop: demo("1"))) }?
                .hasPrefix("favourites.toml:1:") == true)
    }

    @Test(
        "favourites in brackets are legal, and not edited",
        arguments: [
            "stop = [{id = 'demo:1'}]\n", "stop = [{id = 'demo:1'}, {id = 'demo:3'}]\n",
            "stop = [\n  {id = 'demo:1'}, # x\n]\n", "stop = []\n",
            "\"stop\" = [{id = 'demo:1'}]\n[[nearby]]\nlocation = '1,1'\n",
            "nearby = [{location = '1,1'}]\n[[stop]]\nid = 'demo:1'\n",
        ])
    func brackets(text: String) throws {
        _ = try load("", favourites: text)
        #expect(
            try failureMessage(text) { try $0.add(Favourite(stop: demo("2"))) }
                == "favourites.toml:1: the favourites are a list in brackets, which boardd reads but cannot edit: "
                + "write each as a [[stop]] or [[nearby]] table")
    }

    @Test("other forms of a header or a key are edited alike")
    func otherHeaders() throws {
        let text = "  [[ 'stop' ]] # x\n\"id\" = \"demo\\u003A1\"\n"
        #expect(
            try edited(text) { try $0.change(demo("1")) { $0.lines = ["73"] } }
                == "[[stop]]\nid    = \"demo:1\"\nlines = [\"73\"]\n")
        #expect(
            try edited(text + "[[\"stop\"]]\nid='demo:2'\n") { try $0.remove(demo("1")) }
                == "[[\"stop\"]]\nid='demo:2'\n")
    }
}
