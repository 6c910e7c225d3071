import FoundationEssentials
import Testing

@testable import BoardCore

@Suite("A snapshot with invalid values")
struct InvalidSnapshotTests {
    private static let london = "GMT0BST,M3.5.0/1,M10.5.0"

    private func decode<Value: Codable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// The JSON of a value, with one part replaced that it must contain.
    private func text(_ value: some Encodable, _ old: String, _ new: String) throws -> String {
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        #expect(text.contains(old), "\(text)")
        return text.replacing(old, with: new)
    }

    @Test("is rejected: its clock", arguments: [Int64.min, .max, 400_000_000_000_000_000])
    func clock(offset: Int64) throws {
        let clock = CorrectedClock(
            .init(wall: Timestamp(microseconds: 77), isSynchronised: true), at: Instant(microseconds: 0))
        #expect(try decode(CorrectedClock.self, text(clock, "\"offset\":77", "\"offset\":78")) != clock)
        #expect(try !decode(CorrectedClock.self, text(clock, "\"offset\":77", "\"offset\":\(offset)")).isValid)
    }

    @Test("is rejected: the clocks of hosts")
    func hosts() throws {
        var clocks = HostClocks()
        for date in [Timestamp(seconds: 0), Timestamp(seconds: 500)] {
            clocks.take(
                try #require(
                    DateSample(
                        host: "operator", date: date, requested: Instant(microseconds: 0),
                        received: Instant(microseconds: 0))))
        }
        #expect(try decode(HostClocks.self, String(decoding: JSONEncoder().encode(clocks), as: UTF8.self)) == clocks)
        for (old, new) in [
            ("\"offset\":500000", "\"offset\":400000000000000000"), ("\"others\":1", "\"others\":-1"),
            ("\"others\":1", "\"others\":3"), ("\"other\":500500000", "\"other\":-9223372036854775808"),
        ] {
            let wrong = try text(clocks, old, new)
            #expect(try !decode(HostClocks.self, wrong).isValid, "\(new)")
        }
        let host = "{\"offset\":0,\"lastResponseAt\":0,\"others\":0}"
        let many = (0..<17).map { "\"host\($0)\":\(host)" }.joined(separator: ",")
        #expect(try !decode(HostClocks.self, "{\"hosts\":{\(many)}}").isValid)
    }

    @Test("a clock at the ends of the range computes without trapping")
    func saturates() throws {
        let least = Instant(microseconds: .min)
        var clock = CorrectedClock(.init(wall: Timestamp(microseconds: .min), isSynchronised: false), at: least)
        clock = CorrectedClock(
            .init(wall: Timestamp(microseconds: .min), isSynchronised: false), at: Instant(microseconds: 5))
        #expect(clock.instant(of: Timestamp(microseconds: .max)) == Instant(microseconds: .max))
        for moment in [Int64.min, .max] {
            let sample = DateSample(
                host: "operator", date: Timestamp(microseconds: moment), requested: least, received: least)
            clock.take(try #require(sample))
        }
        clock.read(.init(wall: Timestamp(microseconds: .max), isSynchronised: true), at: least)
    }

    @Test("is rejected: a zone with invalid changes or offsets")
    func zones() throws {
        let whole = "{\"changes\":[5,9],\"offsets\":[3600,0],\"firstOffset\":0}"
        #expect(try decode(Zone.self, whole).offsetSeconds(at: 6) == 3_600)
        for (old, new) in [
            ("[3600,0]", "[3600]"), ("[3600,0]", "[3600,0,0]"), ("[5,9]", "[9,5]"), ("[5,9]", "[5,5]"),
            ("[3600,0]", "[3600,9223372036854775807]"), ("[3600,0]", "[3600,-9223372036854775808]"),
            ("\"firstOffset\":0", "\"firstOffset\":93601"), ("[5,9]", "[5,9223372036854775807]"),
            ("[5,9]", "[-9223372036854775808,9]"),
        ] {
            #expect(try !decode(Zone.self, whole.replacing(old, with: new)).isValid, "\(new)")
        }
    }

    @Test("is rejected: a zone with an invalid rule")
    func rules() throws {
        let zone = try Zone(posix: Self.london)
        #expect(try decode(Zone.self, String(decoding: JSONEncoder().encode(zone), as: UTF8.self)) == zone)
        for (old, new) in [
            ("\"standard\":0", "\"standard\":9223372036854775807"), ("\"offset\":3600", "\"offset\":-100000"),
            ("\"time\":3600", "\"time\":604800"), ("\"_0\":3", "\"_0\":13"), ("\"_0\":3", "\"_0\":0"),
            ("\"week\":5", "\"week\":6"), ("\"weekday\":0", "\"weekday\":-1"),
        ] {
            let wrong = try text(zone, old, new)
            #expect(try !decode(Zone.self, wrong).isValid, "\(new)")
        }
    }

    @Test("is rejected: held minutes that are never shown", arguments: [-1, 61, Int.max])
    func hold(minutes: Int) throws {
        let hold = MinuteHold(minutes: 7, until: Instant(microseconds: 5))
        #expect(try decode(MinuteHold.self, text(hold, "\"minutes\":7", "\"minutes\":8")).minutes == 8)
        let wrong = try text(hold, "\"minutes\":7", "\"minutes\":\(minutes)")
        #expect(try !decode(MinuteHold.self, wrong).isValid)
    }

    @Test("any count is restored, and the next failure or response does not trap", arguments: [Int.min, .max])
    func counts(_ count: Int) throws {
        var detector = try decode(FreezeDetector.self, text(FreezeDetector(), "\"repeats\":0", "\"repeats\":\(count)"))
        let departure = Departure(
            stop: .oxford, line: Line(id: "73", name: "73"), destination: "", status: .delayed,
            madeAt: .init(seconds: 0), expiresAt: .init(seconds: 0))
        for second in Int64(0)..<3 {
            detector.observe([departure], at: Instant(microseconds: second), moment: Timestamp(seconds: second))
        }
        #expect(FeedStatus.failing(.timedOut, count: count).after(.timedOut).isFailing)
    }

    @Test("is not restored: the board starts empty, with the overview or first page")
    func rejected() throws {
        let simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St")], respond: oxford)
        let snapshot = simulation.board.snapshot(at: simulation.now)
        for (new, isRestored) in [("\"screen\":0", true), ("\"screen\":-1", false), ("\"screen\":\(Int.max)", false)] {
            let read = try decode(Board.Snapshot.self, text(snapshot, "\"screen\":0", new))
            let board = Board(
                simulation.setup, reading: .init(wall: simulation.time, isSynchronised: true), seed: 1, restoring: read,
                at: simulation.now)
            #expect(board.report(at: simulation.now).stops[0].departures.isEmpty != isRestored, "\(new)")
        }
    }
}
