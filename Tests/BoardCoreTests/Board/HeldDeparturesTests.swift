import BoardCore
import Testing

@Suite("The departures that the board holds")
struct HeldDeparturesTests {
    /// A board with one favourite, whose operator reports these departures once.
    private func board(_ favourite: Favourite, _ departures: [Departure]) -> SimulatedBoard {
        var board = SimulatedBoard([favourite], after: .seconds(1)) { request, _ in
            .success(
                FeedResponse(
                    stop: Stop(id: request.stop, name: "Oxford Circus"), departures: departures,
                    alerts: [Alert("No lift")], isWithheld: true))
        }
        board.respond = { _, _ in nil }
        return board
    }

    @Test("are all of the last response, whatever the filters of the page, in the requested order")
    func unfiltered() throws {
        let start = SimulatedBoard.start
        let board = board(
            Favourite(stop: .oxford, lines: ["73"], walk: .seconds(600), directions: ["up"]),
            [
                .bus("73", to: "Bow", in: .seconds(100), from: start),
                .bus("390", to: "Archway", in: .seconds(4_000), from: start),
                .bus("12", to: "Dulwich", in: .seconds(200), from: start),
            ])
        func lines(_ order: SortOrder) -> [String]? {
            board.board.report(on: .oxford, sorted: order, at: board.now)?.departures.map(\.departure.line.name)
        }
        #expect(lines(.time) == ["73", "12", "390"])
        #expect(lines(.line) == ["12", "73", "390"])
        let held = try #require(board.board.report(on: .oxford, sorted: .time, at: board.now))
        #expect(held.departures.map(\.minutes) == [1, 3, 66])
        #expect(held.name == "Oxford Circus" && held.time == board.time)
        #expect(held.alerts == [Alert("No lift")] && held.withheld)
        #expect(board.board.report(on: .euston, sorted: .time, at: board.now) == nil)
    }

    @Test("leave when they expire, become stale with the display, and have the minutes of the display")
    func ageing() throws {
        let start = SimulatedBoard.start
        var board = board(
            Favourite(stop: .oxford),
            [
                .bus("73", to: "Bow", in: .seconds(40), from: start, age: .zero),
                .bus("390", to: "Archway", in: .seconds(320), from: start, age: .zero),
            ])
        func held() throws -> StopReport {
            try #require(board.board.report(on: .oxford, sorted: .time, at: board.now))
        }
        func isStale(_ report: StopReport) -> [Bool] {
            report.departures.map { ($0.departure.staleAt ?? report.time) < report.time }
        }
        #expect(try held().departures.map(\.minutes) == [1, 5])
        board.wait(.seconds(20))
        #expect(try held().departures.map(\.minutes) == [0, 4])
        #expect(try isStale(held()) == [false, false])
        board.wait(.seconds(180))
        #expect(try held().departures.map(\.departure.line.name) == ["390"])
        #expect(try isStale(held()) == [true])
        #expect(board.text.contains("~"))
    }

    @Test("are marked where the page of the stop shows them, and where a person can catch them")
    func shown() throws {
        let start = SimulatedBoard.start
        var favourite = Favourite(stop: .oxford, lines: ["73", "8"], walk: .seconds(300))
        let departures: [Departure] = [
            .bus("73", to: "Bow", in: .seconds(200), from: start), .bus("8", to: "Bow", in: .seconds(301), from: start),
            .bus("12", to: "Dulwich", in: .seconds(400), from: start),
            .bus("73", to: "Bow", in: .seconds(900), from: start),
            .bus("8", to: "Bow", in: .seconds(1_200), from: start),
            .bus("73", to: "Bow", in: .seconds(4_000), from: start),
        ]
        func entries(_ favourite: Favourite) throws -> [ReportedDeparture] {
            let board = board(favourite, departures)
            return try #require(board.board.report(on: .oxford, sorted: .time, at: board.now)).departures
        }
        // The first is out of reach even at a run; another line; and one beyond the hour that a page looks ahead.
        #expect(try entries(favourite).map(\.isShown) == [false, true, false, true, true, false])
        #expect(try entries(favourite).map(\.passesFilters) == [true, true, false, true, true, true])
        let leaving = try entries(favourite).map { try #require($0.leaveBy) - start }
        #expect(leaving == [-100, 1, 100, 600, 900, 3_700].map { .seconds($0) })
        // At a run the walk takes two thirds of its time.
        #expect(try entries(favourite).allSatisfy { entry in entry.leaveBy.map { $0 + .seconds(100) } == entry.goneAt })
        favourite.walk = nil
        #expect(try entries(favourite).allSatisfy { $0.leaveBy == nil })
        let delayed = Departure(
            stop: .oxford, line: Line(id: "73", name: "73"), destination: "Bow", status: .delayed, madeAt: start,
            expiresAt: start + .seconds(300))
        let late = board(Favourite(stop: .oxford, walk: .seconds(300)), [delayed])
        let held = late.board.report(on: .oxford, sorted: .time, at: late.now)
        #expect(held?.departures.map(\.isShown) == [true] && held?.departures.map(\.leaveBy) == [nil])
    }

    @Test(
        "have the facts of their rows, longest forms first, and how late they are where people know them by their time")
    func facts() throws {
        let start = SimulatedBoard.start
        func train(_ status: Departure.Status, _ attributes: TripAttributes? = nil) -> Departure {
            Departure(
                stop: .oxford, line: Line(id: "GW", name: "GWR"), destination: "Brighton", platform: "4",
                booked: start + .seconds(300), status: status, attributes: attributes, madeAt: start,
                expiresAt: start + .seconds(900))
        }
        let early = train(
            .expected(start + .seconds(425)), TripAttributes(isReplacement: true, endsAt: "Three Bridges"))
        func report(_ departures: [Departure]) -> [ReportedDeparture]? {
            var board = SimulatedBoard(
                [Favourite(stop: .oxford, walk: .seconds(60))], after: .seconds(1),
                options: .with { $0.language = .german }, profile: SimulatedBoard.rail
            ) { request, _ in .success(FeedResponse(stop: Stop(id: request.stop), departures: departures)) }
            board.respond = { _, _ in nil }
            return board.board.report(on: .oxford, sorted: .time, at: board.now)?.departures
        }
        let reported = report([early, train(.expected(start + .seconds(419))), train(.cancelled)])
        #expect(reported?.map(\.facts) == [[], ["Gleis 4"], ["nicht bis Brighton", "Bus statt Zug", "Gleis 4"]])
        #expect(reported?.map(\.lateMinutes) == [nil, nil, 2])
    }

    @Test("have a short destination by the rules of the display where it is another than the operator's")
    func shortDestinations() throws {
        let names = [
            "Bow", "Brixton Underground Station", "Elephant & Castle", "Hammersmith Hospital Gardens",
            "Hammersmith Hospital and Gardens", "Kensington Gardens, Queensway Station and Palace Road", "",
        ]
        let start = SimulatedBoard.start
        var board = SimulatedBoard(
            [Favourite(stop: .oxford)], after: .seconds(1),
            options: .with { $0.abbreviations = ["Elephant & Castle": "Elephant"] }
        ) { request, _ in
            let departures = names.enumerated().map { index, name in
                Departure.bus("\(index)", to: name, in: .seconds(300 + index), from: start)
            }
            return .success(FeedResponse(stop: Stop(id: request.stop), departures: departures))
        }
        board.respond = { _, _ in nil }
        let held = try #require(board.board.report(on: .oxford, sorted: .time, at: board.now))
        #expect(
            held.departures.map(\.shortDestination) == [
                nil, "Brixton", "Elephant", nil, "Hammersmith Hosp and Gdns",
                "Kensington Gardens, Queensway Stn and Palace Rd", nil,
            ])
    }

    @Test("come with what the display states about the stop, whole and in its language, and the polls' interval")
    func notices() throws {
        func notice(_ respond: @escaping SimulatedBoard.Operator, after time: Duration) throws -> String? {
            var board = SimulatedBoard(
                [Favourite(stop: .oxford), Favourite(stop: .euston)], after: .zero, size: .small,
                options: .with { $0.language = .german }, respond: respond)
            board.wait(time)
            let held = try #require(board.board.report(on: .oxford, sorted: .time, at: board.now))
            #expect(held.intervalSeconds == 30)
            return held.notice
        }
        #expect(
            try notice(failing(.rateLimited(retryAfter: nil)), after: .seconds(3)) == "TfL: Abfragelimit seit 12:04")
        #expect(try notice(oxford, after: .seconds(3)) == nil)
        #expect(try notice({ _, _ in nil }, after: .seconds(3)) == "Wird geladen")
        let empty: SimulatedBoard.Operator = departing { _, _ in [] }
        #expect(try notice(empty, after: .seconds(3)) == "Keine Abfahrten gemeldet")
    }
}
