import BoardCore
import Testing
import Waiting

@Suite("Hours in virtual time")
struct VirtualHoursTests {
    /// Buses all day, each estimate varying a little, as a function of the time alone.
    private static let traffic: SimulatedBoard.Operator = { request, time in
        let departures = (0..<12).map { index -> Departure in
            // A bus every 4 and a half minutes, in phase with the time of day.
            let period: Int64 = 270
            let number = time.seconds / period + Int64(index)
            let wobble = (number &* 7_919 &+ time.seconds / 30 &* 104_729) % 50
            let due = Timestamp(seconds: number * period + wobble)
            return Departure(
                stop: request.stop, line: Line(id: "73", name: number % 2 == 0 ? "73" : "N73"),
                destination: "Stoke Newington", vehicle: "V\(number)", status: .expected(due),
                madeAt: time - .seconds(35), expiresAt: due + .seconds(30))
        }
        return .success(
            FeedResponse(
                stop: Stop(id: request.stop, name: "Oxford Street"),
                departures: departures.filter { $0.expiresAt > time }))
    }

    @Test("announce the end of each frame, which is the same until then")
    func untilIsTrue() {
        var options = BoardOptions()
        options.rotation = .every(.seconds(6))
        options.quiet = [WeeklyWindow(from: 12 * 60 + 30, to: 12 * 60 + 45)]
        for size in [DisplaySize.small, .usual] {
            var simulation = SimulatedBoard(
                [Favourite(stop: .oxford), Favourite(stop: .euston)], after: .zero, size: size, options: options,
                respond: Self.traffic)
            for _ in 0..<120 {
                let rendered = simulation.board.render(at: simulation.now)
                let until = rendered.until ?? simulation.now + .seconds(60)
                #expect(until > simulation.now)
                // Without an event the frame is the same until the announced instant.
                for part in 1...7 {
                    let between = simulation.now + (until - simulation.now) * part / 8
                    #expect(simulation.board.render(at: between).frame == rendered.frame)
                }
                #expect(simulation.board.render(at: until - .microseconds(1)).frame == rendered.frame)
                simulation.wait(until - simulation.now + .milliseconds(1))
            }
        }
    }

    @Test("never miss a minute of the clock while a feed does not respond, and presses still work")
    func noResponse() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], respond: { _, _ in nil })
        for minute in 0..<(3 * 60) {
            let expected = "\(12 + (4 + minute) / 60):\((4 + minute) % 60 < 10 ? "0" : "")\((4 + minute) % 60)"
            #expect(simulation.rows[0].contains(expected))
            simulation.press()
            simulation.wait(.milliseconds(59_900))
        }
        // Every request takes its 20 s, then a wait of at most 5 minutes and a quarter.
        #expect(simulation.polls.count > 3 * 3_600 / 395)
    }

    @Test("without a network let the rows become stale and expire, and recover within one wait after its return")
    func noNetwork() {
        let hour: Int64 = 3_600
        let network: SimulatedBoard.Operator = { request, time in
            let second = (time - SimulatedBoard.start).wholeSeconds
            if second > 600, second < 600 + hour { return .failure(FeedError(.noNetwork, detail: "")) }
            return Self.traffic(request, time)
        }
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], after: .seconds(900), respond: network)
        #expect(simulation.text.contains("~"))
        #expect(simulation.firstRows().contains("No network"))
        simulation.wait(.seconds(3_000))
        #expect(simulation.rows[1] == "No network since    ")
        // The network came back at second 4200.
        simulation.wait(.seconds(300))
        let back = simulation.now
        while simulation.rows[1].hasPrefix("No network"), simulation.now - back < .seconds(400) {
            simulation.wait(.seconds(1))
        }
        #expect(simulation.now - back <= .seconds(376))
    }

    @Test("wake the board less than once a second")
    func wakeUps() {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford), Favourite(stop: .euston)], after: .seconds(3_600), respond: Self.traffic)
        #expect(simulation.wakeUps < 3_600)
    }

    @Test("wake the board for the rows in view: sixty more on other screens cost almost nothing")
    func busyStop() {
        let rows = { (count: Int) -> SimulatedBoard.Operator in
            { request, time in
                let departures = (0..<count).map { index in
                    Departure.bus("73", to: "Archway", in: .seconds(200 + 47 * index), from: time, vehicle: "V\(index)")
                }
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: departures))
            }
        }
        var few = SimulatedBoard([Favourite(stop: .oxford)], after: .zero, respond: rows(3))
        var many = SimulatedBoard([Favourite(stop: .oxford)], after: .zero, respond: rows(63))
        few.wait(.seconds(3_600))
        many.wait(.seconds(3_600))
        #expect(many.wakeUps < few.wakeUps * 3 / 2)
    }

    @Test("begin with a clock two years off, corrected by the first response without emptying the board")
    func clockYearsOff() {
        let wrong = CorrectedClock.Reading(wall: SimulatedBoard.start - .seconds(63_072_000), isSynchronised: false)
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], reading: wrong, sendsDates: true, respond: Self.traffic)
        #expect(simulation.rows[0].contains("12:04"))
        #expect(!simulation.rows[0].contains("?"))
        let before = simulation.rows
        // Then the kernel's clock is stepped to the true time: nothing changes.
        simulation.send(.clock(.init(wall: simulation.time, isSynchronised: true)))
        #expect(simulation.rows == before)
    }

    @Test("pass in seconds, and the board shows the right minute at the end")
    func day() {
        let hours = Rounds.of(24)
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], after: .seconds(hours * 3_600), respond: Self.traffic)
        #expect(simulation.rows[0].contains("\((12 + hours) % 24):04"))
        #expect(simulation.polls.count > hours * 3_600 / 34)
    }
}
