import Testing

@testable import BoardCore

@Suite("The corrected clock")
struct CorrectedClockTests {
    private let boot = Instant(microseconds: 5_000_000)
    private let truth = Hallway.start

    private func clock(off: Duration = .zero, synchronised: Bool = false) -> CorrectedClock {
        CorrectedClock(.init(wall: truth + off, isSynchronised: synchronised), at: boot)
    }

    @Test("is unsure while only the wall clock speaks")
    func unsure() {
        #expect(clock().isUnsure)
        #expect(!clock(synchronised: true).isUnsure)
    }

    @Test("takes a feed's Date at once when the wall clock is years off, and is within a second of it")
    func yearsOff() {
        var clock = clock(off: .seconds(-100_000_000))
        clock.hear(date: truth, at: boot)
        #expect(clock.source == .feed)
        #expect(clock.timestamp(at: boot) - truth <= .seconds(1))
        #expect(clock.timestamp(at: boot) >= truth)
    }

    @Test("smooths the whole seconds of many Dates")
    func smooths() {
        var clock = clock(off: .seconds(-500))
        for index in 0..<200 {
            let instant = boot + .milliseconds(index * 30_337)
            let exact = truth + .milliseconds(index * 30_337)
            clock.hear(date: Timestamp(seconds: exact.seconds), at: instant)
        }
        let error = clock.timestamp(at: boot) - truth
        #expect(error < .milliseconds(300) && error > .milliseconds(-300))
    }

    @Test("is moved by no jump of the wall clock once a feed or the kernel has spoken")
    func jumps() {
        var heard = clock()
        heard.hear(date: truth, at: boot)
        let before = heard.timestamp(at: boot + .seconds(60))
        heard.read(.init(wall: truth + .seconds(86_400), isSynchronised: false), at: boot + .seconds(60))
        #expect(heard.timestamp(at: boot + .seconds(60)) == before)

        var kernel = clock(synchronised: true)
        kernel.read(.init(wall: truth + .seconds(-9_999), isSynchronised: false), at: boot)
        #expect(kernel.timestamp(at: boot) == truth)
    }

    @Test("does not believe one server that is wrong, but three in a row")
    func wrongServer() {
        var clock = clock()
        clock.hear(date: truth, at: boot)
        clock.hear(date: truth + .seconds(600), at: boot)
        clock.hear(date: truth + .seconds(600), at: boot)
        #expect(clock.timestamp(at: boot) - truth < .seconds(1))
        clock.hear(date: truth + .seconds(600), at: boot)
        #expect(clock.timestamp(at: boot) - truth >= .seconds(600))
    }

    @Test("follows the kernel as soon as it is synchronised")
    func synchronised() {
        var clock = clock(off: .seconds(-100_000_000))
        clock.read(.init(wall: truth + .seconds(9), isSynchronised: true), at: boot + .seconds(9))
        #expect(clock.source == .kernel)
        #expect(clock.timestamp(at: boot + .seconds(10)) == truth + .seconds(10))
        #expect(clock.instant(of: truth + .seconds(10)) == boot + .seconds(10))
    }
}
