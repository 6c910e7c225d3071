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

    @Test("has a row for each stop, then the next departures of other lines, by time")
    func rows() {
        var simulation = simulation()
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |Mon 2 Mar      12:04|
            |73 Oxford Circus due|
            |18 Sudbury       ~2m|
            |30 Hackney        9m|
            """)
    }

    @Test("shows only the lines of interest")
    func linesOfInterest() {
        var simulation = simulation(lines: ["8", "n8"])
        simulation.wait(.seconds(3))
        #expect(simulation.rows[1...3] == ["18 Sudbury       ~2m", "30 Hackney        9m", "8  Bow           11m"])
    }

    @Test("fits on two rows")
    func small() {
        var simulation = simulation(size: .small)
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |73 …Circus   due|
            |18 Sudbury   ~2m|
            """)
        simulation = self.simulation(size: .wide)
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |73 Oxford Circus, from Oxford Street due|
            |18 Sudbury                   about 2 min|
            """)
    }

    @Test("has a sentence for a stop without departures, and for one without a response yet")
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
            |Mon 2 Mar      12:04|
            |Oxford: none        |
            |Euston: Loading     |
            |                    |
            """)
    }

    @Test("skips a cancelled departure for the next one of its line")
    func cancelled() {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford Street")], options: .with { $0.home = .overview }
        ) { request, time in
            let cancelled = Departure(
                stop: request.stop, line: Line(id: "73", name: "73"), destination: "Oxford Circus",
                booked: time + .seconds(130), status: .cancelled, madeAt: time, expiresAt: time + .seconds(190))
            let running = [
                Departure.bus("73", to: "Oxford Circus", in: .seconds(400), from: time),
                .bus("8", to: "Bow", in: .seconds(670), from: time),
            ]
            return .success(FeedResponse(stop: Stop(id: request.stop), departures: [cancelled] + running))
        }
        #expect(simulation.rows[1] == "73 Oxford Circus  6m")
    }

    @Test("says in turn from which stop a departure is, and tells two stops of one name apart")
    func stops() {
        let names = [StopID.oxford: "Moorgate Underground Station", .euston: "Moorgate"]
        let simulation = SimulatedBoard([Favourite(stop: .oxford), Favourite(stop: .euston)], home: nil) {
            request, time in
            let bus = Departure.bus("43", to: "London Bridge", in: .seconds(400), from: time, stop: request.stop)
            return .success(FeedResponse(stop: Stop(id: request.stop, name: names[request.stop]), departures: [bus]))
        }
        let seen = Set((0..<6).flatMap { simulation.board.render(at: simulation.now + .seconds(3 * $0)).frame.lines })
        #expect(seen.contains("43 London Bridge  6m"))
        #expect(seen.contains { $0.contains("from Tube") && $0.hasSuffix(" 6m") }, "\(seen)")
        #expect(seen.contains { $0.contains("from TfL") && $0.hasSuffix(" 6m") }, "\(seen)")
    }

    @Test("is the home page from two favourites on; its screens turn every nine seconds, so that each stop is seen")
    func home() {
        let stops = (1...7).map { StopID(feed: SimulatedBoard.tfl.name, code: "\($0)") }
        var simulation = SimulatedBoard(stops.map { Favourite(stop: $0) }, home: nil) { request, time in
            let bus = Departure.bus(
                "1\(request.stop.code)", to: "Bow", in: .seconds(400), from: time, stop: request.stop)
            return .success(FeedResponse(stop: Stop(id: request.stop), departures: [bus]))
        }
        var seen: [String: Int] = [:]
        for _ in 0..<27 {
            for row in simulation.rows[1...3] { seen[String(row.prefix(2)), default: 0] += 1 }
            simulation.wait(.seconds(1))
        }
        // Three screens of three rows; the last has one stop and the later buses of none.
        #expect(Set(seen.keys).subtracting(["  "]) == Set(stops.map { "1\($0.code)" }))
        #expect(seen["11"] == 9 && seen["17"] == 9)
        #expect(SimulatedBoard([Favourite(stop: .oxford)], home: nil, respond: oxford).rows[0].hasPrefix("Oxford St"))
    }

    @Test("is in the order in which one must leave; a stop without a walk counts as at the door beside one with a walk")
    func walks() {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford, walk: .seconds(480)), Favourite(stop: .euston)],
            options: .with { $0.turns = false }, home: nil
        ) { request, time in
            let bus = Departure.bus(
                request.stop == .oxford ? "73" : "18", to: "Bow", in: .seconds(request.stop == .oxford ? 610 : 310),
                from: time, stop: request.stop)
            return .success(FeedResponse(stop: Stop(id: request.stop), departures: [bus]))
        }
        #expect(simulation.rows[1...2] == ["73 Bow        ⇨in 2m", "18 Bow        ⇨in 5m"])
    }
}
