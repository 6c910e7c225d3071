import BoardCore
import BoardStore
import Testing

@Suite("The keys of a favourite besides its lines")
struct FavouriteKeysTests {
    private let workdays: Set<Weekday> = [.mon, .tue, .wed, .thu, .fri]

    private func favourite(_ keys: String) throws -> Favourite {
        try #require(try load("", favourites: "[[stop]]\nid = \"demo:1\"\n\(keys)").favourites.first)
    }

    @Test("walk, towards, platforms, directions and when are set")
    func values() throws {
        let favourite = try favourite(
            """
            walk = "4m"
            towards = "7"
            platforms = ["3", "4"]
            directions = ["inbound"]
            when = "weekdays 06:30-09:30"
            """)
        #expect(
            favourite
                == Favourite(
                    stop: demo("1"), walk: .seconds(240), towards: ["7"], platforms: ["3", "4"],
                    directions: ["inbound"], when: [WeeklyWindow(from: 390, to: 570, days: workdays)]))
    }

    @Test("a walk without a unit is in minutes, with quotes or without", arguments: ["4", "'4'", "'4m'", "'240s'"])
    func minutes(written: String) throws { #expect(try favourite("walk = \(written)").walk == .seconds(240)) }

    @Test("without them a favourite is always on the board with all departures")
    func defaults() throws {
        let favourite = try favourite("")
        #expect(favourite == Favourite(stop: demo("1")))
        #expect(favourite.walk == nil)
        #expect(favourite.when.isEmpty)
    }

    @Test("a fault in them reports what was found, what is allowed, and a suggestion")
    func faults() throws {
        let text = """
            [[stop]]
            id = "demo:1"
            walk = "29s"
            sort = "show"
            towards = 5
            platforms = "3"
            directions = []
            when = 7
            [[stop]]
            id = "demo:2"
            walk = 121
            when = ["weekdys 06:30-09:30", "mon, fri 07:00-08:00", "", "sat,sat", 7]
            [[stop]]
            id = "demo:3"
            when = ["daily 6:3-9:300", "daily 06:30", "daily 06:30-24:30", "daily 06:30 - 09:30", "Mug", "daily 24:00-06:00"]
            [[stop]]
            id = "demo:4"
            when = ["weekend", "sun,sat", "daily 06:00-07:00-08:00"]
            wen = "daily"
            """
        let walk = "a duration from 30s to 2h, such as \"30s\" or \"4m\", or a number of minutes"
        let hours =
            "for hours, which must be two times of day such as 06:30-09:30, " + "or 22:00-02:00 to end on the next day"
        let days =
            "allowed: daily, weekdays, weekend, some of mon,tue,wed,thu,fri,sat,sun with commas and no blanks, or mon-fri"
        #expect(
            try BoardStoreTests.faults(favourites: text) == [
                "favourites.toml:3:8: walk is \"29s\", but must be \(walk)",
                "favourites.toml:4:8: sort is \"show\", but must be \"time\", \"line\" or \"destination\"",
                "favourites.toml:5:11: towards is 5, but must be a text, or a list of texts, such as [\"PAD\", \"RDG\"]",
                "favourites.toml:6:13: platforms is \"3\", but must be a list of texts, such as [\"3\", \"4\"]",
                "favourites.toml:7:14: directions is an empty list, but must be a list of texts, such as [\"inbound\"]",
                "favourites.toml:8:8: when is 7, but must be days, hours or both, such as \"weekdays 06:30-09:30\", "
                    + "or a list of such texts", "favourites.toml:11:8: walk is 121, but must be \(walk)",
                "favourites.toml:12:9: when: \"weekdys 06:30-09:30\" has \"weekdys\" for days; "
                    + "did you mean weekdays? \(days)",
                "favourites.toml:12:32: when: \"mon, fri 07:00-08:00\" has \"mon,\" for days; did you mean mon? \(days)",
                "favourites.toml:12:56: when: \"\" is empty: write days, hours or both, such as "
                    + "\"weekdays 06:30-09:30\"", "favourites.toml:12:60: when: \"sat,sat\" has sat twice",
                "favourites.toml:12:71: when is 7, but must be a text such as \"weekdays 06:30-09:30\"",
                "favourites.toml:15:9: when: \"daily 6:3-9:300\" has \"6:3-9:300\" \(hours)",
                "favourites.toml:15:28: when: \"daily 06:30\" has \"06:30\" \(hours)",
                "favourites.toml:15:43: when: \"daily 06:30-24:30\" has \"06:30-24:30\" \(hours)",
                "favourites.toml:15:64: when: \"daily 06:30 - 09:30\" has \"06:30 - 09:30\" \(hours)",
                "favourites.toml:15:87: when: \"Mug\" has \"mug\" for days; \(days)",
                "favourites.toml:15:94: when: \"daily 24:00-06:00\" has \"24:00-06:00\" \(hours)",
                "favourites.toml:18:20: when: \"sun,sat\" is a duplicate",
                "favourites.toml:18:31: when: \"daily 06:00-07:00-08:00\" has \"06:00-07:00-08:00\" \(hours)",
                "favourites.toml:19:1: unknown key \"wen\" in [[stop]]; did you mean \"when\"? allowed: id, label, lines, "
                    + "sort, walk, towards, platforms, directions, when, shared, name, location",
            ])
    }

    @Test("towards for a feed that cannot use it is a fault that lists the feeds that can")
    func towards() throws {
        #expect(
            try BoardStoreTests.faults(favourites: "[[stop]]\nid = \"tfl:1\"\ntowards = \"PAD\"") == [
                "favourites.toml:3:11: towards: TfL does not report calling points; it is for stops of demo "
                    + "(Demo Transit). Remove it; use lines, platforms or directions instead"
            ])
    }

    @Test("towards with an invalid stop of the operator is a fault that describes a valid one")
    func towardsNoCode() throws {
        #expect(
            try BoardStoreTests.faults(favourites: "[[stop]]\nid = \"demo:1\"\ntowards = \"demo:7\"") == [
                "favourites.toml:3:11: towards: \"demo:7\" is not a stop of Demo Transit: it must be digits, such as 4711"
            ])
    }

    @Test("further problems of a stop, or of the stop in towards, are faults at their positions")
    func stopProblems() throws {
        let directory = try ConfigurationDirectory([
            "boardd.toml": "", "keys.env": "",
            "favourites.toml": "[[stop]]\nid = \"demo:1\"\ntowards = \"3\"\n[[stop]]\nid = \"demo:2\"\n",
        ])
        do {
            _ = try ConfigurationLoader(declarations: declarations).load(.directory(directory.path), environment: [:]) {
                $0.code == "1" ? nil : "is not there"
            }
            Issue.record("it loads")
        } catch let faults {
            #expect(
                faults.faults.map { String($0.description.dropFirst(directory.path.count + 1)) } == [
                    "favourites.toml:3:11: towards: demo:3 is not there",
                    "favourites.toml:5:6: id: demo:2 is not there",
                ])
        }
    }
}
