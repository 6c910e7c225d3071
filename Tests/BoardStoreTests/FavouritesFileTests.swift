import BoardCore
import BoardStore
import Testing

@Suite("favourites.toml")
struct FavouritesFileTests {
    @Test("favourites keep the order of the file, and missing keys have their defaults")
    func favourites() throws {
        let text = """
            [[stop]]
            id = "demo:22"
            label = "Church St"
            lines = ["73", "N9"]
            sort = "destination"
            [[stop]]
            id = "demo:11"
            """
        let demo = FeedName("demo")
        #expect(
            try load("", favourites: text).favourites == [
                Favourite(
                    stop: StopID(feed: demo, code: "22"), label: "Church St", lines: ["73", "N9"], sort: .destination),
                Favourite(stop: StopID(feed: demo, code: "11")),
            ])
    }

    @Test("a stop must be feed:code, with a configured feed and a code that the feed accepts")
    func stops() throws {
        let text = """
            [[stop]]
            [[stop]]
            id = "demo"
            [[stop]]
            id = 4711
            [[stop]]
            id = "dmo:1"
            [[stop]]
            id = "nowhere:1"
            [[stop]]
            id = "demo:a1"
            """
        let feeds = "known feeds: demo, tfl, town.NAME"
        #expect(
            try faults(favourites: text) == [
                "favourites.toml:1:3: [[stop]] has no id, which must be a stop as \"feed:code\"; \(feeds)",
                "favourites.toml:3:6: id is \"demo\", but must be a stop as \"feed:code\"; \(feeds)",
                "favourites.toml:5:6: id is 4711, but must be a stop as \"feed:code\"; \(feeds)",
                "favourites.toml:7:6: id: \"dmo:1\" is of an unknown feed; did you mean \"demo:1\"? \(feeds)",
                "favourites.toml:9:6: id: \"nowhere:1\" is of an unknown feed; \(feeds)",
                "favourites.toml:11:6: id: \"demo:a1\" is not a stop of Demo Transit: "
                    + "the part after the colon must be digits, such as 4711",
            ])
    }

    @Test("a duplicate stop is a fault that names both lines")
    func twice() throws {
        let text = """
            [[stop]]
            id = "demo:1"
            [[stop]]
            id = "demo:2"
            [[stop]]
            label = "again"
            id = "demo:1"
            """
        #expect(
            try faults(favourites: text) == [
                "favourites.toml:7:6: demo:1 is already a favourite, on line 2: remove one"
            ])
    }

    @Test("lines are texts without duplicates, at least one")
    func lines() throws {
        let text = """
            [[stop]]
            id = "demo:1"
            lines = [
              "73", # a comment, with "quotes" and ]
              "N9", "n9", 3, ""]
            sort = "name"
            label = " "
            [[stop]]
            id = "demo:2"
            lines = []
            [[stop]]
            id = "demo:3"
            lines = "73"
            """
        let list = "a list of texts, such as [\"73\", \"390\"]"
        #expect(
            try faults(favourites: text) == [
                "favourites.toml:5:9: lines: \"n9\" is a duplicate",
                "favourites.toml:5:15: lines is 3, \(Sentence.oneLine)",
                "favourites.toml:5:18: lines is \"\", \(Sentence.oneLine)",
                "favourites.toml:6:8: sort is \"name\", but must be \"time\", \"line\" or \"destination\"",
                "favourites.toml:7:9: label is \" \", \(Sentence.oneLine)",
                "favourites.toml:10:9: lines is an empty list, but must be \(list)",
                "favourites.toml:13:9: lines is \"73\", but must be \(list)",
            ])
    }
}
