import Testing

@testable import BoardCore

@Suite("The time of a row")
struct DepartureRowTests {
    private let now = Instant(microseconds: 10_000_000_000)
    private let clock = CorrectedClock(
        .init(wall: SimulatedBoard.start, isSynchronised: true), at: Instant(microseconds: 10_000_000_000))

    private static let limit = Duration.seconds(180)

    private func bus(_ seconds: Int64, milliseconds: Int64 = 0, age: Int64 = 40) -> Departure {
        .bus(
            "73", to: "Bow", in: .seconds(seconds) + .milliseconds(milliseconds), from: SimulatedBoard.start,
            vehicle: "V", age: .seconds(age)
        ).received(at: SimulatedBoard.start, staleAfter: Self.limit)
    }

    @Test(
        "is due below 30 s, 1m to 2 minutes, whole minutes rounded down to an hour, then the time itself, and a day",
        arguments: [
            (-29, Remaining.due), (0, .due), (29, .due), (30, .minutes(1)), (59, .minutes(1)), (60, .minutes(1)),
            (119, .minutes(1)), (120, .minutes(2)), (179, .minutes(2)), (3_599, .minutes(59)), (3_600, .minutes(60)),
            (3_601, .time(SimulatedBoard.start + .seconds(3_601))),
            (86_400, .time(SimulatedBoard.start + .seconds(86_400))),
            (86_401, .later(SimulatedBoard.start + .seconds(86_401))),
        ] as [(Int64, Remaining)])
    func table(seconds: Int64, shown: Remaining) {
        #expect(DepartureRow(bus(seconds)).remaining(at: now, clock: clock) == shown)
    }

    @Test("expires at the instant of expiry, and not before")
    func expiry() {
        let row = DepartureRow(bus(0))
        #expect(!row.isExpired(at: SimulatedBoard.start + .milliseconds(29_999)))
        #expect(row.isExpired(at: SimulatedBoard.start + .seconds(30)))
    }

    @Test("is stale when the estimate is older than the feed's limit, and not at it")
    func stale() {
        #expect(bus(100, age: 180).freshness(at: SimulatedBoard.start) == .live)
        #expect(bus(100, age: 181).freshness(at: SimulatedBoard.start) == .stale)
        #expect(bus(100, age: -60).freshness(at: SimulatedBoard.start) == .live)
    }

    @Test("is stale when the operator declares it so, never later than by the feed's limit")
    func staleByOperator() throws {
        func row(staleIn seconds: Int64) -> DepartureRow {
            let bus = bus(300)
            return DepartureRow(
                Departure(
                    stop: bus.stop, line: bus.line, destination: bus.destination, status: bus.status,
                    madeAt: bus.madeAt, staleAt: SimulatedBoard.start + .seconds(seconds), expiresAt: bus.expiresAt
                ).received(at: SimulatedBoard.start, staleAfter: Self.limit))
        }
        let second = Duration.seconds(1)
        for (seconds, change) in [(60, 60), (600, 140)] as [(Int64, Int64)] {
            let row = row(staleIn: seconds)
            let moment = SimulatedBoard.start + .seconds(change)
            #expect(row.departure.freshness(at: moment) == .live)
            #expect(row.departure.freshness(at: moment + second) == .stale)
            let wakes = sequence(first: now) { row.nextChange(after: $0, clock: self.clock, walk: nil) }
            let mark = clock.instant(of: moment) + .microseconds(1)
            #expect(wakes.prefix(20).contains(mark), "the board redraws at that instant")
        }
    }

    @Test("holds its minutes when they rise by exactly one, for at most 119 s")
    func held() {
        let row = DepartureRow(bus(185), after: DepartureRow(bus(179)), at: now, clock: clock)
        #expect(row.remaining(at: now, clock: clock) == .minutes(2))
        #expect(row.remaining(at: now + .seconds(5), clock: clock) == .minutes(2))
        // The vehicle is in stationary traffic and every response has three minutes: after 119 s that is shown.
        var later = row
        var instant = now
        for _ in 0..<11 {
            instant = instant + .seconds(10)
            let again = Departure.bus(
                "73", to: "Bow", in: .seconds(185), from: clock.timestamp(at: instant), vehicle: "V")
            later = DepartureRow(again, after: later, at: instant, clock: clock)
            #expect(later.remaining(at: instant, clock: clock) == .minutes(2))
        }
        instant = instant + .seconds(10)
        let last = Departure.bus("73", to: "Bow", in: .seconds(185), from: clock.timestamp(at: instant), vehicle: "V")
        #expect(
            DepartureRow(last, after: later, at: instant, clock: clock).remaining(at: instant, clock: clock)
                == .minutes(3))
    }

    @Test(
        "holds no minutes that are more than 30 s away, and those of no stale row", arguments: [(20, 59), (179, 209)])
    func near(old: Int64, farthest: Int64) {
        func shown(_ seconds: Int64, age: Int64 = 40) -> Remaining {
            DepartureRow(
                bus(seconds), after: DepartureRow(bus(old, age: age)), at: now, clock: clock
            ).remaining(at: now, clock: clock)
        }
        let held = DepartureRow(bus(old)).remaining(at: now, clock: clock)
        #expect(shown(farthest) == held)
        #expect(shown(farthest + 1).wholeMinutes == held.wholeMinutes.map { $0 + 1 })
        #expect(shown(farthest, age: 180) == held)
        #expect(shown(farthest, age: 181).wholeMinutes == held.wholeMinutes.map { $0 + 1 })
    }

    @Test("shows a rise of two minutes or more at once, and every fall")
    func notHeld() {
        #expect(
            DepartureRow(bus(250), after: DepartureRow(bus(179)), at: now, clock: clock).remaining(
                at: now, clock: clock) == .minutes(4))
        #expect(
            DepartureRow(bus(100), after: DepartureRow(bus(179)), at: now, clock: clock).remaining(
                at: now, clock: clock) == .minutes(1))
    }

    @Test("holds “due” as well")
    func heldDue() {
        let row = DepartureRow(bus(40), after: DepartureRow(bus(20)), at: now, clock: clock)
        #expect(row.remaining(at: now, clock: clock) == .due)
    }

    @Test("holds no minutes of an expired row: the new estimate shows at once")
    func expiredIsNotHeld() {
        // Due 40 s ago, expired 10 s ago; the next estimate is one minute more.
        let expired = DepartureRow(bus(-40))
        #expect(expired.isExpired(at: SimulatedBoard.start) && expired.remaining(at: now, clock: clock) == .due)
        #expect(
            DepartureRow(bus(65), after: expired, at: now, clock: clock).remaining(at: now, clock: clock) == .minutes(1)
        )
    }

    @Test(
        "changes exactly at its next change, and not a microsecond before: also with a walk of a fraction of a minute",
        // Stale, 60m … 1m, due, expired; with a walk from 60 minutes to "leave now", "run", and missed.
        arguments: [(nil, 63), (.seconds(90), 65)] as [(Duration?, Int)])
    func nextChange(walk: Duration?, count: Int) throws {
        var instant = now
        let row = DepartureRow(bus(4_000, age: 0))
        func shown(_ at: Instant) -> [String] {
            let moment = clock.timestamp(at: at)
            return [
                "\(row.remaining(at: at, clock: clock, walk: walk))", "\(row.departure.freshness(at: moment))",
                "\(row.isExpired(at: moment))",
                "\(row.departure.missed(walk: walk).isSomeAnd { $0 <= moment })",
            ]
        }
        var changes = 0
        while let next = row.nextChange(after: instant, clock: clock, walk: walk) {
            #expect(shown(next - .microseconds(1)) == shown(instant))
            #expect(shown(next) != shown(instant))
            instant = next
            changes += 1
        }
        #expect(changes == count)
    }
}
