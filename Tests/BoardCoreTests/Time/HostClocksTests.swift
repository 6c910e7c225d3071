import Testing

@testable import BoardCore

@Suite("The clocks of several hosts")
struct HostClocksTests {
    private static let day = Duration.seconds(86_400)

    private let boot = Instant(microseconds: 5_000_000)
    private let trueTime = SimulatedBoard.start

    private func clock(off: Duration = .seconds(-300)) -> CorrectedClock {
        CorrectedClock(.init(wall: trueTime + off, isSynchronised: false), at: boot)
    }

    private func sample(_ host: String, off: Duration = .zero, at elapsed: Duration = .zero) throws -> DateSample {
        try #require(
            DateSample(
                host: host, date: Timestamp(seconds: (trueTime + elapsed + off).seconds), requested: boot + elapsed,
                received: boot + elapsed + .milliseconds(80)))
    }

    private func error(_ clock: CorrectedClock) -> Duration {
        let error = clock.timestamp(at: boot) - trueTime
        return error < .zero ? .zero - error : error
    }

    @Test(
        "a host that is a day off does not outvote two others, even if it agrees with this machine's clock",
        arguments: [Duration.seconds(-300), .seconds(86_395)])
    func majority(wall: Duration) throws {
        let samples = try [sample("one"), sample("two"), sample("wrong", off: Self.day)]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            var clock = clock(off: wall)
            for index in order { clock.take(samples[index]) }
            #expect(error(clock) <= .seconds(1), "\(order)")
            #expect(clock.source == .feed && !clock.isUncertain, "\(order)")
        }
    }

    @Test(
        "of two that disagree the one nearer to this machine's clock counts, and the time is uncertain",
        arguments: [Duration.seconds(86_400), .seconds(-86_400), .seconds(7_200)])
    func tie(off: Duration) throws {
        for isWrongFirst in [true, false] {
            var clock = clock()
            for index in 0..<20 {
                let elapsed = Duration.seconds(30 * index)
                let right = try sample("right", at: elapsed)
                let wrong = try sample("wrong", off: off, at: elapsed)
                for sample in isWrongFirst ? [wrong, right] : [right, wrong] { clock.take(sample) }
                #expect(error(clock) <= .seconds(1))
                #expect(clock.isUncertain)
            }
            #expect(clock.source == .disputed)
        }
    }

    @Test("a third host decides, and a wrong one without further responses loses its vote after three hours")
    func decided() throws {
        var clock = clock()
        clock.take(try sample("right"))
        clock.take(try sample("wrong", off: Self.day))
        #expect(clock.isUncertain)
        clock.take(try sample("third", at: .seconds(30)))
        #expect(!clock.isUncertain)

        var other = self.clock()
        other.take(try sample("right"))
        other.take(try sample("wrong", off: Self.day))
        other.take(try sample("right", at: .seconds(3 * 3_600)))
        #expect(!other.isUncertain && error(other) <= .seconds(1))
    }

    @Test("hosts that differ by two seconds agree, and the time does not alternate between them")
    func near() throws {
        var clock = clock()
        clock.take(try sample("one"))
        clock.take(try sample("two", off: .seconds(2)))
        let settled = clock.timestamp(at: boot)
        for index in 1..<50 {
            clock.take(try sample(index % 2 == 0 ? "one" : "two", off: .seconds(index % 2 == 0 ? 0 : 2)))
            #expect(clock.timestamp(at: boot) == settled)
        }
        #expect(!clock.isUncertain && error(clock) <= .seconds(3))
    }

    @Test("of a hundred hosts the last sixteen count")
    func bounded() throws {
        var clock = clock()
        for index in 0..<100 {
            clock.take(try sample("wrong \(index)", off: Self.day * (index + 1), at: .seconds(index)))
        }
        for index in 0..<16 { clock.take(try sample("right \(index)", at: .seconds(200 + index))) }
        #expect(!clock.isUncertain && error(clock) <= .seconds(1))
        // Nine that agree, the oldest of which is evicted, do not outvote eight others.
        var other = self.clock()
        for index in 0..<9 { other.take(try sample("wrong \(index)", off: Self.day, at: .seconds(index))) }
        for index in 0..<8 { other.take(try sample("right \(index)", at: .seconds(200 + index))) }
        #expect(error(other) <= .seconds(1))
    }

    @Test("a board of several operators has the right minutes when one of them is a day off")
    func minutes() throws {
        let respond: SimulatedBoard.Operator = departing("Oxford Street") { _, _ in
            [.bus("73", to: "Archway", in: .seconds(1_000), from: SimulatedBoard.start)]
        }
        let wrong = CorrectedClock.Reading(wall: trueTime - .seconds(300), isSynchronised: false)
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], reading: wrong, sendsDates: true, respond: respond)
        #expect(simulation.rows[1].hasSuffix("16m"), "\(simulation.text)")
        for _ in 0..<10 {
            let now = simulation.now
            let date = Timestamp(seconds: (simulation.time + Self.day).seconds)
            simulation.send(.date(try #require(DateSample(host: "wrong", date: date, requested: now, received: now))))
        }
        #expect(simulation.rows[1].hasSuffix("16m"), "\(simulation.text)")
        #expect(simulation.rows[0].contains("12:04?"), "\(simulation.text)")
    }
}
