import Testing

@testable import BoardCore

@Suite("The corrected clock")
struct CorrectedClockTests {
    private let boot = Instant(microseconds: 5_000_000)
    private let trueTime = SimulatedBoard.start

    private func clock(off: Duration = .zero, synchronised: Bool = false) -> CorrectedClock {
        CorrectedClock(.init(wall: trueTime + off, isSynchronised: synchronised), at: boot)
    }

    /// The `Date` of a server whose clock is off, `elapsed` after `boot`.
    ///
    /// - Parameters:
    ///   - before: the time from the request to the writing of the header.
    ///   - after: the time from the writing of the header to its arrival.
    private func date(
        _ elapsed: Duration = .zero, off: Duration = .zero, from host: String = "one", before: Duration = .zero,
        after: Duration = .zero
    ) throws -> DateSample {
        let written = boot + elapsed
        return try #require(
            DateSample(
                host: host, date: Timestamp(seconds: (trueTime + elapsed + off).seconds), requested: written - before,
                received: written + after))
    }

    @Test(
        "takes no time from before the program or 20 years later",
        arguments: [0, 1_767_225_599, 2_398_377_600, 9_000_000_000])
    func implausible(seconds: Int64) throws {
        let before = CorrectedClock(.init(wall: trueTime, isSynchronised: false), at: boot)
        var clock = before
        for host in ["one", "two", "three"] {
            clock.take(
                try #require(
                    DateSample(host: host, date: Timestamp(seconds: seconds), requested: boot, received: boot)))
        }
        #expect(clock == before)
    }

    /// The error of the clock, `elapsed` after `boot`.
    private func error(_ clock: CorrectedClock, _ elapsed: Duration = .zero) -> Duration {
        let error = clock.timestamp(at: boot + elapsed) - (trueTime + elapsed)
        return error < .zero ? .zero - error : error
    }

    @Test("is uncertain with only the system clock")
    func uncertain() {
        #expect(clock().isUncertain)
        #expect(!clock(synchronised: true).isUncertain)
    }

    @Test("takes a Date at once when the system clock is years off, and is within a second of it")
    func yearsOff() throws {
        var clock = clock(off: .seconds(-100_000_000))
        clock.take(try date())
        #expect(clock.source == .feed && !clock.isUncertain)
        #expect(error(clock) <= .seconds(1))
    }

    @Test("averages the whole seconds of many Dates")
    func smooths() throws {
        var clock = clock(off: .seconds(-500))
        for index in 0..<200 { clock.take(try date(.milliseconds(index * 30_337))) }
        #expect(error(clock) < .milliseconds(100))
    }

    @Test("a Date of a server with the right time never makes it worse, however slow and uneven the requests are")
    func neverWorse() throws {
        var random = RandomSource(seed: 13)
        for _ in 0..<50 {
            var clock = clock(off: .milliseconds(Int.random(in: -600_000...600_000, using: &random)))
            var before = error(clock)
            for index in 0..<60 {
                let slowness = [50, 900, 4_000, 20_000][Int.random(in: 0..<4, using: &random)]
                let sample = try date(
                    .seconds(30 * index) + .milliseconds(Int.random(in: 0..<1_000, using: &random)),
                    before: .milliseconds(Int.random(in: 0...slowness, using: &random)),
                    after: .milliseconds(Int.random(in: 0...slowness, using: &random)))
                let isFirst = clock.source == .wall && !sample.isSlow
                clock.take(sample)
                // The first accepted sample is taken as it is, with the error of its second and its wait.
                #expect(isFirst ? error(clock) <= .seconds(3) : error(clock) <= before)
                before = error(clock)
            }
        }
    }

    @Test("a slow response does not set the clock, but limits the error of the system clock")
    func slow() throws {
        var clock = clock(off: .seconds(-300))
        clock.take(try date(before: .milliseconds(2_001)))
        #expect(clock.source == .wall && clock.isUncertain)
        #expect(error(clock) <= .seconds(3))
        // Reading the same system clock again does not undo it.
        clock.read(.init(wall: trueTime + .seconds(-290), isSynchronised: false), at: boot + .seconds(10))
        #expect(error(clock) <= .seconds(3))
        clock.take(try date(.seconds(20), before: .seconds(2)))
        #expect(clock.source == .feed && !clock.isUncertain)
        // A wait of 20 s gives no more information by now.
        for index in 2..<10 { clock.take(try date(.seconds(30 * index), after: .seconds(20))) }
        #expect(error(clock) <= .seconds(3))
    }

    @Test("a jump of the system clock has no effect once a Date or the kernel has set the time")
    func jumps() throws {
        var set = clock()
        set.take(try date())
        let before = set.timestamp(at: boot + .seconds(60))
        set.read(.init(wall: trueTime + .seconds(86_400), isSynchronised: false), at: boot + .seconds(60))
        #expect(set.timestamp(at: boot + .seconds(60)) == before)

        var kernel = clock(synchronised: true)
        kernel.read(.init(wall: trueTime + .seconds(-9_999), isSynchronised: false), at: boot)
        #expect(kernel.timestamp(at: boot) == trueTime)
    }

    @Test("ignores one or two wrong Dates of a server, but not three in a row")
    func wrongServer() throws {
        var clock = clock()
        clock.take(try date())
        for index in 1...2 { clock.take(try date(.seconds(30 * index), off: .seconds(600))) }
        #expect(error(clock) <= .seconds(1))
        clock.take(try date(.seconds(90), off: .seconds(600)))
        #expect(clock.timestamp(at: boot) - trueTime >= .seconds(599))
    }

    @Test("wrong, wrong, right, wrong has no effect: wrong Dates must be consecutive")
    func wrongAlternately() throws {
        var clock = clock()
        clock.take(try date())
        for index in 0..<40 {
            clock.take(try date(.seconds(30 * index), off: index % 3 == 2 ? .zero : .seconds(600)))
            #expect(error(clock, .seconds(30 * index)) <= .seconds(1))
        }
    }

    @Test("three wrong Dates that disagree with each other have no effect")
    func erratic() throws {
        var clock = clock()
        clock.take(try date())
        for index in 1..<40 { clock.take(try date(.seconds(30 * index), off: .seconds(600 * index))) }
        #expect(error(clock) <= .seconds(1))
    }

    @Test("uses the kernel's clock as soon as it is synchronised, and ignores Dates then")
    func synchronised() throws {
        var clock = clock(off: .seconds(-100_000_000))
        clock.read(.init(wall: trueTime + .seconds(9), isSynchronised: true), at: boot + .seconds(9))
        #expect(clock.source == .kernel)
        for index in 0..<10 { clock.take(try date(.seconds(30 * index), off: .seconds(600))) }
        #expect(clock.timestamp(at: boot + .seconds(10)) == trueTime + .seconds(10))
        #expect(clock.instant(of: trueTime + .seconds(10)) == boot + .seconds(10))
    }

    @Test("a synchronised clock holds for a day against one host that disagrees, and not against two")
    func holdover() throws {
        var clock = clock(synchronised: true)
        clock.read(.init(wall: trueTime, isSynchronised: false), at: boot)
        for index in 0..<10 { clock.take(try date(.seconds(30 * index), off: .seconds(60))) }
        #expect(clock.source == .kernel && !clock.isUncertain && clock.timestamp(at: boot) == trueTime)
        // Whole seconds are coarser than a clock that was synchronised.
        clock.take(try date(.seconds(300), from: "two", before: .milliseconds(300)))
        #expect(clock.source == .kernel && clock.timestamp(at: boot) == trueTime)
        for index in 11..<20 { clock.take(try date(.seconds(30 * index), off: .seconds(60), from: "two")) }
        #expect(clock.source == .feed && error(clock) > .seconds(59))

        var old = self.clock(synchronised: true)
        old.read(.init(wall: trueTime, isSynchronised: false), at: boot)
        old.take(try date(.seconds(86_401), off: .seconds(60)))
        #expect(old.source == .feed && error(old) > .seconds(59))
    }
}
