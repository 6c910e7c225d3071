import BoardCore
import Testing
import Waiting

@testable import boardd

@Suite("Whether a key for calling points is taken", .endsHangs)
struct DetailsKeyCheckTests {
    private static let stops = ["1", "2"].map { StopID(feed: ScriptedFeed.name, code: $0) }

    /// Four buses at each stop; of those that go to `known` calling points are told.
    private func feed(knowing known: String) -> ScriptedFeed {
        ScriptedFeed { departure throws(FeedFailure) in
            departure.stop.code + departure.destination != known
                ? nil
                : TripDetails(calls: [], madeAt: departure.madeAt, expiresAt: departure.expiresAt)
        } _: { question throws(FeedFailure) in
            ScriptedFeed.answer(question.stop, ["a", "b", "c", "d"].map { ("73", $0, 5) })
        }
    }

    private func check(_ feed: ScriptedFeed) async -> DetailsKeyCheck {
        await DetailsKeyCheck.check(at: "DEMO_KEY", from: Self.stops, in: feed)
    }

    @Test("three departures of a stop are asked about, then those of the next one, until something is told")
    func good() async {
        for (known, asked) in [("1a", 1), ("1c", 3), ("2b", 5)] {
            let feed = feed(knowing: known)
            let look = await check(feed)
            #expect(look.outcome == .good)
            #expect(look.text == "DEMO_KEY: good")
            #expect(feed.followed.count == asked)
        }
    }

    @Test("where nothing is told of anything, nobody knows")
    func nothing() async {
        let feed = feed(knowing: "1d")
        let look = await check(feed)
        #expect(look.outcome == .unknown)
        #expect(look.text.hasPrefix("DEMO_KEY: not checked: "))
        #expect(feed.followed.count == 6)
    }

    @Test("a refused key is a fault; no answer is not, and says that nobody could look")
    func failures() async {
        for (kind, outcome, text) in [
            (.keyRejected, .fault, "DEMO_KEY: no"), (.timedOut, .unknown, "DEMO_KEY: not checked: no"),
            (.status(404), .unknown, "DEMO_KEY: not checked: no"),
        ] as [(FeedFailure.Kind, FavouriteCheck.Outcome, String)] {
            let feed = ScriptedFeed { _ throws(FeedFailure) in
                throw FeedFailure(kind, detail: "no\u{1B}")
            } _: { question throws(FeedFailure) in
                ScriptedFeed.answer(question.stop, [("73", "a", 5)])
            }
            let look = await check(feed)
            #expect(look.outcome == outcome)
            #expect(look.text.hasPrefix(text))
            #expect(!look.text.contains("\u{1B}"))
        }
    }
}
