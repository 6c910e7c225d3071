import BoardCore
import Testing
import Waiting

@testable import boardd

@Suite("boardd check: whether a key for calling points is accepted", .endsHangs)
struct DetailsKeyCheckTests {
    private static let stops = ["1", "2"].map { StopID(feed: ScriptedFeed.name, code: $0) }

    /// Four buses at each stop; only those to `available` have calling points.
    private func feed(knowing available: String) -> ScriptedFeed {
        ScriptedFeed { departure throws(FeedError) in
            departure.stop.code + departure.destination != available
                ? nil
                : TripDetails(calls: [], madeAt: departure.madeAt, expiresAt: departure.expiresAt)
        } _: { request throws(FeedError) in
            ScriptedFeed.response(request.stop, ["a", "b", "c", "d"].map { ("73", $0, 5) })
        }
    }

    private func check(_ feed: ScriptedFeed) async -> Fact {
        await Fact.detailsKey("DEMO_KEY", from: Self.stops, in: feed)
    }

    @Test("requests details of three departures of a stop, then of the next one, until there are some")
    func good() async {
        for (available, count) in [("1a", 1), ("1c", 3), ("2b", 5)] {
            let feed = feed(knowing: available)
            let result = await check(feed)
            #expect(result.verdict == .good)
            #expect(result.line == "DEMO_KEY: good")
            #expect(feed.detailRequests.count == count)
        }
    }

    @Test("without any details the result is unknown")
    func nothing() async {
        let feed = feed(knowing: "1d")
        let result = await check(feed)
        #expect(result.verdict == .unknown)
        #expect(result.line.hasPrefix("DEMO_KEY: not checked: "))
        #expect(feed.detailRequests.count == 6)
    }

    @Test("a rejected key is a fault; no response is not, and means: not checked")
    func failures() async {
        for (kind, outcome, text) in [
            (.keyRejected, .fault, "DEMO_KEY: no"), (.certificate, .fault, "DEMO_KEY: no"),
            (.timedOut, .unknown, "DEMO_KEY: not checked: no"),
            (.status(404), .unknown, "DEMO_KEY: not checked: no"),
        ] as [(FeedError.Kind, Fact.Verdict, String)] {
            let feed = ScriptedFeed { _ throws(FeedError) in
                throw FeedError(kind, detail: "no\u{1B}")
            } _: { request throws(FeedError) in
                ScriptedFeed.response(request.stop, [("73", "a", 5)])
            }
            let result = await check(feed)
            #expect(result.verdict == outcome)
            #expect(result.line.hasPrefix(text))
            #expect(!result.line.contains("\u{1B}"))
        }
    }
}
