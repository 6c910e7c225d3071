import BoardCore
import BoardStore
import Testing

@Suite("Feeds of a family")
struct FeedFamilyTests {
    private func load(_ files: [String: String], environment: [String: String] = [:]) throws -> Configuration {
        let directory = try ConfigurationDirectory(files)
        return try ConfigurationLoader(declarations: declarations).load(
            .directory(directory.path), environment: environment)
    }

    private func faults(_ files: [String: String]) throws -> [String] {
        let faults = try #require(throws: ConfigurationError.self) { _ = try load(files) }
        return faults.faults.map(\.message)
    }

    @Test("every table of a family is its own feed, with defaults and its own key")
    func members() throws {
        let configuration = try load([
            "boardd.toml": """
                [feed.town.north]
                region = "hill"
                live = ["https://example.com/a.pb?agency=1", "/srv/b.pb"]
                [feed.town.south]
            """, "keys.env": "TOWN_SOUTH_KEY=abc\n", "favourites.toml": "[[stop]]\nid = \"town.south:7\"\n",
        ])
        let north = try #require(configuration.feeds[FeedName("town.north")])
        let south = try #require(configuration.feeds[FeedName("town.south")])
        #expect(north.text("region") == "hill")
        #expect(north.texts("live") == ["https://example.com/a.pb?agency=1", "/srv/b.pb"])
        #expect(north.secret("TOWN_NORTH_KEY") == nil)
        #expect(south.text("region") == "all")
        #expect(south.texts("live").isEmpty)
        #expect(south.secret("TOWN_SOUTH_KEY") == Secret("abc"))
        #expect(configuration.favourites.map(\.stop.description) == ["town.south:7"])
    }

    @Test("files of feeds.d are read, and boardd.toml overrides them")
    func presets() throws {
        let configuration = try load([
            "feeds.d/town.toml": "[feed.town.north]\nregion = \"hill\"\nlive = [\"https://example.com/a.pb\"]\n",
            "feeds.d/notes.txt": "not a configuration file", "boardd.toml": "[feed.town.north]\nregion = \"dale\"\n",
        ])
        let north = try #require(configuration.feeds[FeedName("town.north")])
        #expect(north.text("region") == "dale")
        #expect(north.texts("live") == ["https://example.com/a.pb"])
    }

    @Test("a file of feeds.d contains only feeds")
    func foreignTable() throws {
        let messages = try faults(["feeds.d/town.toml": "[language]\nclock = \"12h\"\n"])
        #expect(messages == ["unknown key \"language\"; allowed: feed"])
    }

    @Test(
        "settings without a valid feed are faults at their keys with default values; a member without a required one is absent"
    )
    func checkSettings() throws {
        let directory = try ConfigurationDirectory([
            "feeds.d/town.toml": "[feed.town.north]\nregion = \"moon\"\n",
            "boardd.toml": "[feed.town.north]\n[feed.town.south]\nregion = 7\n[feed.town.west]\n",
            "favourites.toml": "[[stop]]\nid = \"town.north:7\"\n[[stop]]\nid = \"town.west:7\"\n",
        ])
        let loader = ConfigurationLoader(declarations: declarations) { name, settings in
            if settings.text("region") == "moon" {
                return FeedSettingError(setting: "region", detail: "must be on Earth", feed: name)
            }
            guard name == FeedName("town.west") || name == FeedName("town.south") else { return nil }
            return FeedSettingError(setting: name == FeedName("town.south") ? "region" : "live", detail: "is required")
        }
        let faults = try #require(throws: ConfigurationError.self) {
            _ = try loader.load(.directory(directory.path), environment: [:])
        }
        #expect(
            faults.faults.map { "\($0)".replacing(directory.path + "/", with: "") } == [
                "feeds.d/town.toml:2:10: [feed.town.north] region: must be on Earth",
                "boardd.toml:3:10: region is 7, \(Sentence.oneLine)",
                "boardd.toml:4:12: live: is required",
            ])
        #expect(faults.partial.feeds[FeedName("town.north")]?.text("region") == "all")
        #expect(
            faults.partial.feeds.keys.filter { $0.description.contains("town") }.map(\.description) == ["town.north"])
        #expect(faults.partial.favourites.map(\.stop.description) == ["town.north:7"])
    }

    @Test("a table that is invalid even with defaults is reported once")
    func hopeless() throws {
        let directory = try ConfigurationDirectory(["boardd.toml": "[feed.town.north]\nregion = \"moon\"\n"])
        let loader = ConfigurationLoader(declarations: declarations) { name, settings in
            FeedSettingError(setting: "region", detail: "not \(settings.text("region") ?? "")", feed: name)
        }
        let faults = try #require(throws: ConfigurationError.self) {
            _ = try loader.load(.directory(directory.path), environment: [:])
        }
        #expect(faults.faults.map(\.message) == ["[feed.town.north] region: not moon"])
        #expect(faults.partial.feeds[FeedName("town.north")] == nil)
    }

    @Test("a stop of a member that is not configured is a fault that lists the configured ones first")
    func unknownMember() throws {
        let messages = try faults([
            "boardd.toml": "[feed.town.north]\n", "favourites.toml": "[[stop]]\nid = \"town.nroth:7\"\n",
        ])
        let message = try #require(messages.first)
        #expect(message.contains("did you mean \"town.north:7\"?"))
        #expect(message.hasSuffix("known feeds: town.north, demo, tfl, town.NAME"))
        let used = try faults([
            "boardd.toml": "[feed.tfl]\ninterval = \"60s\"\n", "favourites.toml": "[[stop]]\nid = \"lft:7\"\n",
        ])
        #expect(used.first?.hasSuffix("known feeds: tfl, demo, town.NAME") == true, "\(used)")
    }

    @Test(
        "a key in an address is rejected and not repeated, in a list of addresses and in a single one",
        arguments: [
            "live = [\"https://example.com/a.pb?api_key=hunter22\"]",
            "plan = \"https://example.com/a.zip?Token=hunter22\"",
            "plan = \"http://example.com/a.zip?x=1&apikey=hunter22\"",
            "plan = \"https://me:hunter22@example.com/a.zip\"",
        ])
    func keyInAddress(setting: String) throws {
        let messages = try faults(["boardd.toml": "[feed.town.north]\n\(setting)\n"])
        let message = try #require(messages.first)
        #expect(message.contains("put the key into keys.env"))
        #expect(!message.contains("hunter22"))
    }

    @Test(
        "a location may be a path, or an address with a query",
        arguments: [
            "/srv/a b@c?token=1.zip", "https://example.com/a.zip?format=gtfs&year=2026", "https://example.com/@a.zip",
        ])
    func location(text: String) throws {
        let directory = try ConfigurationDirectory(["boardd.toml": "[feed.town.north]\nplan = \"\(text)\"\n"])
        #expect(try directory.load().feeds[FeedName("town.north")]?.text("plan") == text)
    }
}
