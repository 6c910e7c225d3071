import BoardCore
import Testing

@testable import BoardFleet

@Suite("Topics of the fleet")
struct TopicTests {
    private let stop = StopID(feed: FeedName("tfl"), code: "490008660N")

    @Test("a response has a topic that names the feed, the stop and a hash of lines and towards")
    func response() throws {
        let topic = FleetTopic.response(QueryKey(DepartureQuery(stop: stop, lines: ["73", "390"])))
        let other = FleetTopic.response(QueryKey(DepartureQuery(stop: stop, lines: ["390", "73"])))
        #expect(topic.text.hasPrefix("boardd/1/answer/tfl/490008660N/"))
        #expect(topic.text.count == "boardd/1/answer/tfl/490008660N/".count + 8)
        #expect(topic != other)
        #expect(FleetTopic(topic.text) == topic)
    }

    @Test(
        "lines and towards never give the same hash",
        arguments: [
            (
                DepartureQuery(stop: StopID(feed: FeedName("a"), code: "1"), lines: ["x"], towards: []),
                DepartureQuery(stop: StopID(feed: FeedName("a"), code: "1"), lines: [], towards: ["x"])
            ),
            (
                DepartureQuery(stop: StopID(feed: FeedName("a"), code: "1"), lines: ["xy"]),
                DepartureQuery(stop: StopID(feed: FeedName("a"), code: "1"), lines: ["x", "y"])
            ),
        ])
    func distinct(_ one: DepartureQuery, _ other: DepartureQuery) {
        #expect(QueryKey(one) != QueryKey(other))
    }

    @Test(
        "an identifier with the separators and wildcards of topics stays one level",
        arguments: ["a/b", "+", "#", "ä%2F", "$SYS", " ", "%"])
    func encoded(code: String) {
        let key = QueryKey(DepartureQuery(stop: StopID(feed: FeedName("motis"), code: code)))
        let topic = FleetTopic.fetching(key)
        #expect(topic.text.split(separator: "/", omittingEmptySubsequences: false).count == 6)
        #expect(!topic.text.contains("+") && !topic.text.contains("#"))
        #expect(FleetTopic(topic.text) == topic)
    }

    @Test(
        "every other topic is read back, and a topic of something else is not",
        arguments: [
            "boardd/1/board/kitchen/status", "boardd/1/board/kitchen/wants", "boardd/1/board/kitchen/state",
            "boardd/1/board/kitchen/button/2", "boardd/1/board/kitchen/do/press", "boardd/1/list/home",
        ])
    func parsed(text: String) throws {
        #expect(try #require(FleetTopic(text)).text == text)
        for other in [
            text + "/more", "x" + text, text.replacing("boardd/1", with: "boardd/2"), String(text.dropLast(40)),
        ] {
            #expect(FleetTopic(other) == nil)
        }
    }

    @Test(
        "a topic with a name that no board can have is of something else",
        arguments: [
            "boardd/1/board/Kitchen/status", "boardd/1/board//status", "boardd/1/list/",
            "boardd/1/board/kitchen/button/0",
            "boardd/1/board/kitchen/do/format", "boardd/1/answer/tfl//00000000", "boardd/1/answer/tfl/1/0000000G",
            "boardd/1/answer/tfl/%2f/00000000",
        ])
    func foreign(text: String) {
        #expect(FleetTopic(text) == nil)
    }
}
