import BoardCore
import Testing

@testable import BoardDisplays

@Suite("Debouncing")
struct DebouncerTests {
    private let button = ButtonID(0)

    private func at(_ milliseconds: Double) -> Instant {
        Instant(microseconds: Int64(milliseconds * 1_000))
    }

    private func change(_ isDown: Bool, _ milliseconds: Double) -> ButtonChange {
        ButtonChange(button: button, isDown: isDown, at: at(milliseconds))
    }

    @Test("a press counts after 10 ms, at the instant of its edge")
    func press() {
        var debouncer = Debouncer(button: button, isDown: false)
        #expect(debouncer.deadline == nil)
        #expect(debouncer.edge(isDown: true, at: at(100), sequence: 1) == nil)
        #expect(debouncer.deadline == at(110))
        #expect(debouncer.settle(at: at(109.999)) == nil)
        #expect(debouncer.settle(at: at(110)) == change(true, 100))
        #expect(debouncer.deadline == nil && !debouncer.needsLevel && debouncer.isDown)
        #expect(debouncer.settle(at: at(500)) == nil)
    }

    @Test("each bounce restarts the wait, and the change is that of the last edge")
    func bounces() {
        var debouncer = Debouncer(button: button, isDown: false)
        for (index, instant) in [0.0, 0.3, 0.9, 4, 9, 12, 20].enumerated() {
            #expect(debouncer.edge(isDown: index % 2 == 0, at: at(instant)) == nil)
        }
        #expect(debouncer.settle(at: at(29)) == nil)
        #expect(debouncer.settle(at: at(30)) == change(true, 20))
    }

    @Test("a spike shorter than 10 ms is ignored")
    func spike() {
        var debouncer = Debouncer(button: button, isDown: false)
        _ = debouncer.edge(isDown: true, at: at(0))
        _ = debouncer.edge(isDown: false, at: at(8))
        #expect(debouncer.settle(at: at(18)) == nil)
        #expect(!debouncer.isDown && debouncer.deadline == nil)
    }

    @Test("press and release keep their distance, with or without bounces")
    func duration() throws {
        var debouncer = Debouncer(button: button, isDown: false)
        _ = debouncer.edge(isDown: true, at: at(0))
        let press = debouncer.settle(at: at(10))
        _ = debouncer.edge(isDown: false, at: at(600))
        _ = debouncer.edge(isDown: true, at: at(600.5))
        _ = debouncer.edge(isDown: false, at: at(601))
        let release = debouncer.settle(at: at(611))
        #expect(try #require(release).at - #require(press).at == .milliseconds(601))
    }

    @Test("edges that are read late still give the right presses")
    func late() {
        var debouncer = Debouncer(button: button, isDown: false)
        #expect(debouncer.edge(isDown: true, at: at(0), sequence: 1) == nil)
        #expect(debouncer.edge(isDown: false, at: at(150), sequence: 2) == change(true, 0))
        #expect(debouncer.edge(isDown: true, at: at(300), sequence: 3) == change(false, 150))
        #expect(debouncer.settle(at: at(1_000)) == change(true, 300))
    }

    @Test("a button held at the start reports nothing until its next press")
    func heldAtStart() {
        var debouncer = Debouncer(button: button, isDown: true)
        #expect(debouncer.isDown)
        _ = debouncer.edge(isDown: false, at: at(5_000))
        #expect(debouncer.settle(at: at(5_010)) == nil)
        #expect(!debouncer.isDown)
        _ = debouncer.edge(isDown: true, at: at(6_000))
        #expect(debouncer.settle(at: at(6_010)) == change(true, 6_000))
    }

    @Test("bounces of a button held at the start do not count as its release")
    func heldAtStartBounces() {
        var debouncer = Debouncer(button: button, isDown: true)
        _ = debouncer.edge(isDown: false, at: at(10))
        _ = debouncer.edge(isDown: true, at: at(12))
        #expect(debouncer.settle(at: at(22)) == nil)
        _ = debouncer.edge(isDown: false, at: at(50))
        #expect(debouncer.settle(at: at(60)) == nil)
    }

    @Test("two equal edges, a gap in their numbers or a full queue require the current level")
    func lost() {
        let losses: [(inout Debouncer) -> Void] = [
            { $0.equalEdges() },
            { $0.gap() },
            { $0.fullQueue() },
        ]
        for lose in losses {
            for level in [true, false] {
                var debouncer = Debouncer(button: button, isDown: false)
                lose(&debouncer)
                #expect(debouncer.needsLevel)
                #expect(debouncer.deadline == at(12))
                #expect(debouncer.settle(at: at(12), level: level) == (level ? change(true, 2) : nil))
                #expect(debouncer.isDown == level && !debouncer.needsLevel)
                // The next edge is compared with the level that was read.
                _ = debouncer.edge(isDown: !level, at: at(100))
                #expect(!debouncer.needsLevel)
            }
        }
    }

    @Test("edges in order, alternating and numbered one by one, need no level")
    func notLost() {
        var debouncer = Debouncer(button: button, isDown: false)
        for number in UInt32(1)...50 {
            _ = debouncer.edge(isDown: number % 2 == 1, at: at(Double(number)), sequence: number)
            #expect(!debouncer.needsLevel)
        }
    }

    @Test("a release whose edge was lost is detected at the next press")
    func lostRelease() {
        var debouncer = Debouncer(button: button, isDown: false)
        _ = debouncer.edge(isDown: true, at: at(0), sequence: 1)
        #expect(debouncer.settle(at: at(10)) == change(true, 0))
        _ = debouncer.edge(isDown: true, at: at(500), sequence: 3)
        #expect(debouncer.needsLevel)
        #expect(debouncer.settle(at: at(510), level: true) == nil)
        #expect(debouncer.isDown)
    }

    @Test("after a loss during rest the level is read 10 ms later")
    func lossAtRest() {
        var debouncer = Debouncer(button: button, isDown: false)
        debouncer.noteLostEdges(at: at(40))
        #expect(debouncer.deadline == at(50))
        #expect(debouncer.settle(at: at(50), level: true) == change(true, 40))
    }

    @Test(
        "in any train of bounces there are as many changes as debounced levels, each at its own instant",
        arguments: 1...20)
    func trains(_ seed: UInt64) {
        var random = RandomSource(seed: seed)
        var debouncer = Debouncer(button: button, isDown: false)
        var expected: [ButtonChange] = []
        var found: [ButtonChange] = []
        var now = Instant(microseconds: 0)
        var level = false
        var settled = false
        var sequence: UInt32 = 0
        for _ in 0..<500 {
            // A train of one to nine edges less than 10 ms apart, then 10 ms or more of rest.
            for edge in 0..<Int.random(in: 1...9, using: &random) {
                if edge > 0 { now = now + .microseconds(.random(in: 1...9_999, using: &random)) }
                level.toggle()
                sequence += 1
                // Half of the deadlines are met by the timer, the others only detected at the next edge.
                found += [debouncer.edge(isDown: level, at: now, sequence: sequence)].compactMap(\.self)
            }
            if level != settled {
                settled = level
                expected.append(ButtonChange(button: button, isDown: level, at: now))
            }
            let rest = Duration.microseconds(.random(in: 10_000...900_000, using: &random))
            if Bool.random(using: &random) { found += [debouncer.settle(at: now + rest)].compactMap(\.self) }
            now = now + rest
        }
        found += [debouncer.settle(at: now)].compactMap(\.self)
        #expect(found == expected)
        #expect(!expected.isEmpty)
    }
}

extension Debouncer {
    /// Ends at 2 ms with an edge down, after another edge down.
    fileprivate mutating func equalEdges() {
        _ = edge(isDown: true, at: Instant(microseconds: 1_000))
        _ = edge(isDown: true, at: Instant(microseconds: 2_000))
    }

    /// Ends at 2 ms with an edge whose predecessor is missing.
    fileprivate mutating func gap() {
        _ = edge(isDown: true, at: Instant(microseconds: 2_000), sequence: 2)
    }

    /// Ends at 2 ms with edges that filled the queue.
    fileprivate mutating func fullQueue() {
        for number in 0..<15 {
            _ = edge(isDown: number % 2 == 0, at: Instant(microseconds: Int64(number) * 140))
        }
        _ = edge(isDown: false, at: Instant(microseconds: 2_000))
        noteLostEdges(at: Instant(microseconds: 2_500))
    }
}
