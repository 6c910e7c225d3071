import BoardCore
import Testing

@Suite("The filters and settings of a favourite")
struct FavouriteFilterTests {
    private func simulation(_ favourite: Favourite, _ respond: @escaping SimulatedBoard.Operator = oxford)
        -> SimulatedBoard
    {
        return SimulatedBoard([favourite], respond: respond)
    }

    @Test("when it is time to leave, to run, and too late to run, the row changes without an event")
    func moments() {
        var simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(180)))
        #expect(simulation.rows[1] == "390 Archway   ⇨in 1m")
        // The bus is due at 280 s; with a walk of 180 s a person must leave from 40 s to 100 s after the response, and
        // who runs is in time until 160 s.
        simulation.respond = { _, _ in nil }
        simulation.wait(.seconds(45))
        #expect(simulation.rows[1] == "390 Archway   GO NOW")
        simulation.wait(.seconds(60))
        #expect(simulation.rows[1] == "390 Archway      RUN")
        simulation.wait(.seconds(51))
        #expect(simulation.rows[1].hasPrefix("390 ") && simulation.rows[1].hasSuffix("RUN"), "\(simulation.text)")
        simulation.wait(.seconds(1))
        #expect(!simulation.text.contains("390"))
    }

    @Test("if no departure can be caught, a message explains it")
    func nothingToCatch() {
        let simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(7_000)))
        #expect(simulation.text.contains("Nothing"))
        #expect(simulation.text.contains("catch"))
    }

    @Test("platforms and directions filter the departures; one without a reported platform is included")
    func platforms() {
        func train(_ destination: String, _ platform: String?, _ direction: String?)
            -> @Sendable (StopID, Timestamp) -> Departure
        {
            { stop, time in
                Departure(
                    stop: stop, line: Line(id: "central", name: "Central"), destination: destination,
                    vehicle: destination, platform: platform, direction: direction,
                    status: .expected(time + .seconds(300)), madeAt: time, expiresAt: time + .seconds(300))
            }
        }
        let trains = [
            train("Ealing", "Westbound - Platform 1", "inbound"), train("Epping", "Eastbound - Platform 2", "outbound"),
            train("Hainault", nil, nil),
        ]
        let respond: SimulatedBoard.Operator = departing { request, time in trains.map { $0(request.stop, time) } }
        let byPlatform = simulation(Favourite(stop: .oxford, platforms: ["2"]), respond).text
        #expect(byPlatform.contains("Epping") && byPlatform.contains("Hainault") && !byPlatform.contains("Ealing"))
        let byDirection = simulation(Favourite(stop: .oxford, directions: ["Inbound"]), respond).text
        #expect(byDirection.contains("Ealing") && !byDirection.contains("Hainault") && !byDirection.contains("Epping"))
    }

    private func train(_ direction: String?, _ destination: String, endsAt: String? = nil) -> Departure {
        Departure(
            stop: .oxford, line: Line(id: "p", name: "P"), destination: destination, direction: direction,
            status: .expected(SimulatedBoard.start + .seconds(300)), attributes: TripAttributes(endsAt: endsAt),
            madeAt: SimulatedBoard.start, expiresAt: SimulatedBoard.start + .seconds(300))
    }

    @Test(
        "directions takes whole words of a direction or a destination, in any case and without accents",
        arguments: [
            ("heathrow", "Heathrow Terminal 5", true), ("terminal 5", "Heathrow Terminal 5", true),
            ("5 Terminal", "Heathrow Terminal 5", false), ("Heathrow", "Heathrowville", false),
            ("Queens Park", "Queen's Park Underground Station", true), ("Gare de Lyon Part-Dieu", "Lyon", false),
            ("ORLEANS", "Orléans, gare", true), ("WESTBOUND", "", true), ("west", "", false), ("—", "Ealing", false),
            ("5", "Heathrow Terminal 5", false),
            ("中央", "中央", true),
        ])
    func directions(_ written: String, _ destination: String, isSelected: Bool) {
        let request = FeedRequest(stop: .oxford, directions: ["Nowhere", written])
        #expect(request.selects(train("Westbound", destination)) == isSelected)
        // Without a direction and a destination, it may be the right one.
        #expect(request.selects(train(nil, "")) && !request.selects(train("Eastbound", "")))
    }

    @Test(
        "a train that ends early is still one to its planned destination, and its direction is told where it is a word")
    func early() {
        let train = train("0", "Brighton", endsAt: "Gatwick")
        for direction in ["Brighton", "Gatwick", "0"] {
            #expect(FeedRequest(stop: .oxford, directions: [direction]).selects(train), "\(direction)")
        }
        #expect(train.namedDirection == nil && self.train("IB", "").namedDirection == "IB")
    }

    @Test("a board whose directions no departure has says so; without any departure, none is predicted")
    func otherDirections() {
        let respond: SimulatedBoard.Operator = departing { request, time in
            [.bus("73", to: "Oxford Circus", in: .seconds(600), from: time)]
        }
        let favourite = Favourite(stop: .oxford, directions: ["Westbound"])
        #expect(simulation(favourite, respond).text.contains("directions only"))
        #expect(simulation(favourite, departing { _, _ in [] }).text.contains("No departures"))
        let other = Favourite(stop: .oxford, lines: ["390"], directions: ["Westbound"])
        #expect(simulation(other, respond).text.contains("No departures"))
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
                        Alert("Diverted", lines: ["390"], until: SimulatedBoard.start + .seconds(100)),
                        Alert("Over", until: SimulatedBoard.start - .seconds(1)),
                    ]))
        }
        var touched = simulation(Favourite(stop: .oxford, lines: ["390"]), respond)
        let told = touched.firstRows()
        #expect(told.contains("⚠ Diverted") && !told.contains { $0.contains("Over") }, "\(told)")
        touched.respond = { _, _ in nil }
        touched.wait(.seconds(100))
        #expect(!touched.firstRows().contains { $0.hasPrefix("⚠") })
    }
}
