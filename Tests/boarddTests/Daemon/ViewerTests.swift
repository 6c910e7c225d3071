import BoardCore
import Testing
import Waiting

@testable import boardd

@Suite("The viewers of a board", .endsHangs)
struct ViewerTests {
    @Test("are woken by a change, once for several that come together")
    func merged() async {
        let viewers = Viewers()
        let (first, second) = (viewers.changes(), viewers.changes())
        for _ in 0..<5 { viewers.send() }
        viewers.finish()
        var changes: [[UInt64]] = [[], []]
        for await change in first { changes[0].append(change) }
        for await change in second { changes[1].append(change) }
        #expect(changes == [[5], [5]])
    }

    @Test("end with the board, also one that comes later")
    func end() async {
        let viewers = Viewers()
        viewers.finish()
        for await _ in viewers.changes() { Issue.record("a change after the end") }
    }

    @Test("cause one request in ten seconds for each feed")
    func looks() {
        let limit = LookLimit()
        let start = Instant(microseconds: 1_000_000)
        let (tfl, rail) = (FeedName("tfl"), FeedName("rail"))
        #expect(limit.wait(for: tfl, at: start) == nil)
        #expect(limit.wait(for: tfl, at: start + .seconds(4)) == .seconds(6))
        #expect(limit.wait(for: rail, at: start + .seconds(4)) == nil)
        #expect(limit.wait(for: tfl, at: start + .seconds(10)) == nil)
    }
}
