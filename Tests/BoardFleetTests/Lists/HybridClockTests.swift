import BoardCore
import Testing

@testable internal import BoardFleet

@Suite("Time stamps of changes")
struct HybridClockTests {
    @Test("a stamp is written as text and read again, and other texts are not read")
    func text() throws {
        let kitchen = try name("kitchen-2")
        for (milliseconds, counter, text) in [
            (1_795_698_000_123, 0, "1795698000123-kitchen-2"), (1, 7, "1.7-kitchen-2"),
            (1 << 48 - 1, 65_535, "281474976710655.65535-kitchen-2"),
        ] {
            let stamp = HybridTimestamp(milliseconds: UInt64(milliseconds), counter: UInt16(counter), board: kitchen)
            #expect(stamp.description == text)
            #expect(HybridTimestamp(text) == stamp)
        }
        for text in [
            "", "-", "1", "1-", "-a", "1-A", "1.-a", "1.65536-a", "281474976710656-a", "+1-a", "1.2.3-a", "1 -a",
        ] {
            #expect(HybridTimestamp(text) == nil, "\(text)")
        }
    }

    @Test("stamps are ordered by milliseconds, counter and board")
    func order() throws {
        let stamps = ["1-a", "1-b", "1.1-a", "2-a", "10-a"].compactMap { HybridTimestamp($0) }
        #expect(stamps.count == 5 && stamps.shuffled().sorted() == stamps)
    }

    @Test("with a certain time a stamp is that time, or larger than every received one")
    func certain() throws {
        var clock = HybridClock(board: try name("a"))
        let first = clock.next(at: at(0))
        #expect(first.timestamp == at(0).timestamp && first.counter == 0)
        #expect(clock.next(at: at(0)) > first)
        let other = HybridTimestamp(milliseconds: first.milliseconds + 30_000, counter: .max, board: try name("b"))
        clock.observe(other)
        let next = clock.next(at: at(1))
        #expect(next > other && next.milliseconds == other.milliseconds + 1 && next.counter == 0)
    }

    @Test("without a certain time a stamp is the largest received one with a higher counter, never the clock")
    func uncertain() throws {
        var clock = HybridClock(board: try name("a"))
        #expect(clock.next(at: at(0, isCertain: false)).description == "0-a")
        let other = HybridTimestamp(milliseconds: 5, counter: 7, board: try name("b"))
        clock.observe(other)
        #expect(clock.next(at: at(0, isCertain: false)).description == "5.8-a")
        #expect(clock.next(at: at(9_999_999, isCertain: false)).description == "5.9-a")
    }

    @Test("a stamp is ahead only of a certain clock, and by more than a minute")
    func ahead() throws {
        let stamp = HybridTimestamp(
            milliseconds: UInt64(at(60).timestamp.microseconds / 1_000), counter: 0, board: try name("a"))
        #expect(!HybridClock.isAhead(stamp, at: at(0)))
        #expect(HybridClock.isAhead(stamp, at: at(-0.001)))
        #expect(!HybridClock.isAhead(stamp, at: at(-1_000, isCertain: false)))
    }

    @Test("after the own clock was years ahead, the stamps are of the corrected time")
    func corrected() throws {
        var clock = HybridClock(board: try name("a"))
        _ = clock.next(at: at(0, clockAhead: .seconds(3 * 365 * 86_400)))
        #expect(clock.next(at: at(1)).timestamp == at(1).timestamp)
    }
}
