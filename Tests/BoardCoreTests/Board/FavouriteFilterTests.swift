import BoardCore
import Testing

@Suite("The filters and settings of a favourite")
struct FavouriteFilterTests {
    private func simulation(_ favourite: Favourite, _ respond: @escaping SimulatedBoard.Operator = oxford)
        -> SimulatedBoard
    {
        return SimulatedBoard([favourite], respond: respond)
    }

    @Test("a departure that cannot be caught is hidden, and the next one is marked when it is time to leave")
    func walk() {
        // Bus 73 is due in 9 s, the 390 in 277 s: with a walk of 4 minutes 37 s are left.
        simulation(Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(240))).shows(
            """
            |Oxford St N   12:04█|
            |390 Archway 4m LEAVE|
            |N73 Walthamst ?13:10|
            |                    |
            """)
    }

    @Test("or it is shown with a mark")
    func mark() {
        simulation(Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(240), uncatchable: .mark)).shows(
            """
            |Oxford St N   12:04█|
            |73  Oxfor due missed|
            |390 Archway 4m LEAVE|
            |N73 Walthamst ?13:10|
            """)
    }

    @Test("the mark and the row change at their instants without an event")
    func moments() {
        var simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(180)))
        #expect(simulation.rows[1] == "390 Archway  4m in 1")
        // The bus is due at 280 s; with a walk of 180 s a person must leave from 40 s to 100 s after the response.
        simulation.respond = { _, _ in nil }
        simulation.wait(.seconds(45))
        #expect(simulation.rows[1].contains("LEAVE"))
        simulation.wait(.seconds(60))
        #expect(!simulation.text.contains("Archway"))
    }

    @Test("if no departure can be caught, a message explains it")
    func nothingToCatch() {
        let simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(7_000)))
        #expect(simulation.text.contains("Nothing"))
        #expect(simulation.text.contains("catch"))
    }

    @Test("platforms and directions filter the departures; one without a reported platform or direction is included")
    func platforms() {
        func train(_ destination: String, _ platform: String?, _ direction: String?)
            -> @Sendable (StopID, Timestamp) -> Departure
        {
            { stop, time in
                Departure(
                    stop: stop, line: Line(id: "central", name: "Central"), destination: destination,
                    vehicle: destination,
                    platform: platform, direction: direction, status: .expected(time + .seconds(300)), madeAt: time,
                    expiresAt: time + .seconds(300))
            }
        }
        let trains = [
            train("Ealing", "Westbound - Platform 1", "inbound"), train("Epping", "Eastbound - Platform 2", "outbound"),
            train("Hainault", nil, nil),
        ]
        let respond: SimulatedBoard.Operator = departing { request, time in
            trains.map { $0(request.stop, time) }
        }
        let byPlatform = simulation(Favourite(stop: .oxford, platforms: ["2"]), respond).text
        #expect(byPlatform.contains("Epping") && byPlatform.contains("Hainault") && !byPlatform.contains("Ealing"))
        let byDirection = simulation(Favourite(stop: .oxford, directions: ["Inbound"]), respond).text
        #expect(byDirection.contains("Ealing") && byDirection.contains("Hainault") && !byDirection.contains("Epping"))
    }

    @Test("towards is part of the request")
    func towards() {
        let simulation = SimulatedBoard([Favourite(stop: .oxford, towards: ["PAD"])])
        #expect(simulation.requests.first?.towards == ["PAD"])
    }

    @Test("a favourite with hours is on the board and polled only then, and comes and goes by itself")
    func hours() {
        // It is Monday, 12:04.
        let morning = WeeklyWindow(from: 6 * 60 + 30, to: 12 * 60 + 6, days: [.mon])
        let evening = WeeklyWindow(from: 12 * 60 + 6, to: 22 * 60)
        var simulation = SimulatedBoard(
            [
                Favourite(stop: .oxford, label: "To work", when: [morning]),
                Favourite(stop: .euston, label: "Home", when: [evening]),
            ], respond: oxford)
        #expect(simulation.rows[0].hasPrefix("To work"))
        #expect(Set(simulation.polls.map(\.stop)) == [.oxford])
        simulation.wait(.seconds(120))
        #expect(simulation.rows[0].hasPrefix("Home"))
        let before = simulation.polls.count
        simulation.wait(.seconds(120))
        #expect(Set(simulation.polls.dropFirst(before).map(\.stop)) == [.euston])
    }

    @Test("while the time is uncertain, every favourite is on the board")
    func uncertain() {
        let never = WeeklyWindow(from: 60, to: 61, days: [.sun])
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St", when: [never])],
            reading: CorrectedClock.Reading(wall: SimulatedBoard.start, isSynchronised: false), respond: oxford)
        #expect(simulation.rows[0].hasPrefix("Oxford St"))
    }

    @Test("an alert that is over is not shown")
    func alerts() {
        let respond: SimulatedBoard.Operator = { request, time in
            .success(
                FeedResponse(
                    stop: Stop(id: request.stop),
                    departures: [.bus("73", to: "Oxford Circus", in: .seconds(600), from: time)],
                    alerts: [
                        Alert("Diverted", scope: .lines(["390"]), until: SimulatedBoard.start + .seconds(100)),
                        Alert("Over", scope: .stop, until: SimulatedBoard.start - .seconds(1)),
                    ]))
        }
        var touched = simulation(Favourite(stop: .oxford, lines: ["390"]), respond)
        #expect(touched.rows[0].contains("⚠"))
        touched.respond = { _, _ in nil }
        touched.wait(.seconds(100))
        #expect(!touched.rows[0].contains("⚠"))
    }

    @Test("with alerts_row the last row shows alerts part by part, 2.5 s each")
    func alertsRow() {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St")], options: .with { $0.alertsRow = true },
            respond: reporting([Alert("Buses are diverted by way of Park Lane")], with: oxford))
        var seen: Set<String> = []
        for _ in 0..<4 {
            seen.insert(simulation.rows[3])
            simulation.wait(.milliseconds(2_500))
        }
        #expect(seen == ["⚠ Buses are diverted", "by way of Park Lane ", "■                   "])
        #expect(simulation.rows[1].contains("due") || simulation.rows[1].contains("Archway"))
    }
}
