import BoardCore
import Testing

@Suite("The overview")
struct OverviewScreenTests {
    private func simulation(size: DisplaySize = .usual, lines: [String] = []) -> SimulatedBoard {
        var options = BoardOptions()
        options.home = .overview
        options.rotation = .off
        return SimulatedBoard(
            [
                Favourite(stop: .oxford, label: "Oxford Street", lines: lines),
                Favourite(stop: .euston, label: "Euston Station"),
            ], after: .zero, size: size, options: options,
            respond: { request, time in
                let rows: [Departure] =
                    request.stop == .oxford
                    ? [
                        .bus("73", to: "Oxford Circus", in: .seconds(15), from: time),
                        .bus("73", to: "Oxford Circus", in: .seconds(400), from: time),
                        .bus("8", to: "Bow", in: .seconds(670), from: time),
                        .bus("N8", to: "Bow", in: .seconds(3_900), from: time),
                    ]
                    : [
                        .bus("18", to: "Sudbury", in: .seconds(150), from: time, age: .seconds(300), stop: .euston),
                        .bus("30", to: "Hackney", in: .seconds(580), from: time, stop: .euston),
                    ]
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: rows))
            })
    }

    @Test("has a row for each favourite with the next departure of each line")
    func rows() {
        var simulation = simulation()
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |All stops     12:04█|
            |Oxford Street 73 due|
            |Euston Stn    18 ?2m|
            |                    |
            """)
    }

    @Test("shows only the lines of interest")
    func linesOfInterest() {
        var simulation = simulation(lines: ["8", "n8"])
        simulation.wait(.seconds(3))
        #expect(simulation.rows[1] == "Oxford Street  8 11m")
    }

    @Test("fits on two rows")
    func small() {
        var simulation = simulation(size: .small)
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |Oxford St 73 due|
            |Euston    18 ?2m|
            """)
        simulation = self.simulation(size: .wide)
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |Oxford Street       73 Oxford Circus due|
            |Euston Station            18 Sudbury ?2m|
            """)
    }

    @Test("marks a favourite without departures, and one without a response yet")
    func nothing() {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston")],
            options: .with { $0.home = .overview },
            respond: { request, time in
                guard request.stop == .oxford else { return nil }
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: []))
            })
        simulation.shows(
            """
            |All stops     12:04█|
            |Oxford             -|
            |Euston           ...|
            |                    |
            """)
    }

    @Test("skips a cancelled departure for the next one of its line")
    func cancelled() {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford Street")], options: .with { $0.home = .overview }
        ) {
            request, time in
            let cancelled = Departure(
                stop: request.stop, line: Line(id: "73", name: "73"), destination: "Oxford Circus",
                booked: time + .seconds(130), status: .cancelled, madeAt: time, expiresAt: time + .seconds(190))
            let running = [
                Departure.bus("73", to: "Oxford Circus", in: .seconds(400), from: time),
                .bus("8", to: "Bow", in: .seconds(670), from: time),
            ]
            return .success(FeedResponse(stop: Stop(id: request.stop), departures: [cancelled] + running))
        }
        #expect(simulation.rows[1] == "Oxford Street  73 6m")
    }

    @Test("has a bar that drains until the earlier poll of two stops, whatever their order", arguments: [0, 1])
    func refreshBar(sooner: Int) {
        var options = BoardOptions()
        options.home = .overview
        options.refreshBar = .row
        let stops = [StopID.oxford, .euston]
        // The data is 10 s old, so that its stop is polled 10 s before the other one.
        var simulation = SimulatedBoard(stops.map { Favourite(stop: $0) }, after: .zero, options: options) {
            request, _ in
            let age: Duration = request.stop == stops[sooner] ? .seconds(10) : .zero
            return .success(FeedResponse(stop: Stop(id: request.stop), departures: [], age: age))
        }
        func bar() -> Int { simulation.rows[3].count { $0 == "█" } }
        simulation.wait(.seconds(3))
        // 17 of 30 s are left, and up to 3 s of jitter on both; of the other stop 27.
        #expect((12...13).contains(bar()), "\(simulation.text)")
        #expect(simulation.polls.count == 2)
        var last = bar()
        while simulation.polls.count == 2, simulation.now < Instant(microseconds: 100_000_000) {
            last = bar()
            simulation.wait(.milliseconds(100))
        }
        #expect(simulation.polls.dropFirst(2).map(\.stop) == [stops[sooner]])
        #expect(last == 1, "empty at the poll")
    }
}
