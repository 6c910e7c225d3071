import BoardCore
import Testing

@Suite("A message")
struct MessageScreenTests {
    /// Responds for a minute, then always fails.
    private func fails(after seconds: Int64 = 60, _ kind: FeedError.Kind) -> SimulatedBoard.Operator {
        { request, time in
            if time - SimulatedBoard.start < .seconds(seconds) { return oxford(request, time) }
            return .failure(FeedError(kind, detail: "simulated failure"))
        }
    }

    @Test(
        "takes turns with the name in the first row while a departure is valid",
        arguments: [
            (FeedError.Kind.noNetwork, "No network"),
            (.timedOut, "No reply since 12:04"),
            (.status(500), "TfL error 500 12:04"),
            (.unreadable, "TfL bad data 12:04"),
            (.rateLimited(retryAfter: nil), "TfL rate limit 12:04"),
            (.certificate, "TfL bad cert 12:04"),
            (.certificateDate, "TfL bad cert 12:04"),
            (.keyRejected, "TfL rejects the key"),
            (.keyMissing, "TfL needs a key"),
            (.unknownStop, "Not a TfL stop"),
        ] as [(FeedError.Kind, String)])
    func firstRow(kind: FeedError.Kind, row: String) {
        let simulation = SimulatedBoard([Favourite(stop: .oxford)], after: .seconds(100), respond: fails(kind))
        #expect(simulation.firstRows(beats: 3).contains(row))
        #expect(simulation.firstRows().contains { $0.hasPrefix("Oxford St N") })
        #expect(simulation.rows[1] == "390 Archway       3m")
    }

    @Test(
        "has the whole page when no departure is left",
        arguments: [
            (FeedError.Kind.noNetwork, ["No network since", "12:04: check router", "or Wi-Fi"]),
            (.timedOut, ["TfL has not", "responded since", "12:04"]),
            (.status(503), ["TfL has failed since", "12:04 (error 503)", ""]),
            (.unreadable, ["TfL has sent", "unreadable data", "since 12:04"]),
            (.rateLimited(retryAfter: nil), ["TfL rate limit since", "12:04", ""]),
            (.keyRejected, ["TfL rejects the key", "(restart after", "changing it)"]),
            (.keyMissing, ["TfL needs a key", "(restart after", "adding it)"]),
            (.unknownStop, ["TfL does not know", "this stop", ""]),
        ] as [(FeedError.Kind, [String])])
    func page(kind: FeedError.Kind, rows: [String]) {
        let simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St")], respond: failing(kind))
        let shown = simulation.rows.dropFirst().map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
        #expect(shown == rows)
        #expect(simulation.rows[0].hasPrefix("Oxford St      12:04"))
    }

    @Test("on two rows is a page of its own for three seconds after nine seconds of departures")
    func alternates() {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], after: .seconds(92), size: .small, options: .with { $0.rotation = .off },
            respond: fails(.noNetwork))
        var seconds = 0
        for _ in 0..<24 {
            if simulation.rows == ["No network since", "12:04           "] {
                seconds += 1
            } else {
                #expect(simulation.rows[0].hasPrefix("390 ") && simulation.rows[1].hasPrefix("N73 "))
            }
            simulation.wait(.seconds(1))
        }
        #expect(seconds == 6)
    }

    @Test("is not shown for a single failed poll while there are departures")
    func oneFailure() {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], after: .seconds(33),
            respond: { request, time in
                let second = time - SimulatedBoard.start
                if second > .seconds(20), second < .seconds(34) { return .failure(FeedError(.timedOut, detail: "")) }
                return oxford(request, time)
            })
        #expect(simulation.polls.count == 2)
        #expect(simulation.firstRows().allSatisfy { $0.hasPrefix("Oxford St N") })
        #expect(simulation.rows[3].hasPrefix("N73"))
    }

    @Test("states that the time is awaited while the clock is uncertain and certificates fail by date")
    func waitingForTime() {
        let wrong = CorrectedClock.Reading(wall: Timestamp(seconds: 1_600_000_000), isSynchronised: false)
        let simulation = SimulatedBoard([Favourite(stop: .oxford)], reading: wrong, respond: failing(.certificateDate))
        simulation.shows(
            """
            |490008660N    12:26?|
            |Waiting for the time|
            |                    |
            |                    |
            """)
    }

    @Test("states since when a feed is frozen although it responds")
    func frozen() {
        let frozen: SimulatedBoard.Operator = departing("Oxford Street") { _, _ in
            [.bus("73", to: "Oxford Circus", in: .seconds(3_000), from: SimulatedBoard.start)]
        }
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], after: .seconds(280), respond: frozen)
        #expect(!simulation.text.contains("frozen"))
        simulation.wait(.seconds(60))
        simulation.shows(
            """
            |TfL data from 12:03 |
            |73 …Circus      ~44m|
            |                    |
            |                    |
            """)
    }

    @Test("states at once that a feed is frozen if its newest estimate is more than ten minutes old")
    func frozenAtFirst() throws {
        func respond(_ age: Duration) -> SimulatedBoard.Operator {
            { request, time in
                .success(
                    FeedResponse(
                        stop: Stop(id: request.stop, name: "Oxford Street"),
                        departures: [.bus("73", to: "Oxford Circus", in: .seconds(3_000), from: time, age: age)]))
            }
        }
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], respond: respond(.seconds(3_600)))
        #expect(simulation.firstRows().contains("TfL data from 11:04"), "\(simulation.text)")
        try simulation.restart(after: .seconds(1))
        #expect(simulation.firstRows().contains("TfL data from 11:04"), "\(simulation.text)")
        // Its estimates advance again.
        simulation.respond = respond(.seconds(500))
        simulation.wait(.seconds(40))
        #expect(!simulation.firstRows().contains { $0.contains("data from") })
    }

    @Test("does not report a frozen feed because of one estimate from the future")
    func future() {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], after: .seconds(1_200),
            respond: { request, time in
                let wrong = Departure.bus("1", to: "Bow", in: .seconds(600), from: time, age: .seconds(-90_000_000))
                let right = Departure.bus("2", to: "Bow", in: .seconds(600), from: time)
                return .success(
                    FeedResponse(
                        stop: Stop(id: request.stop),
                        departures: time - SimulatedBoard.start < .seconds(20) ? [wrong] : [right]))
            })
        #expect(!simulation.text.contains("frozen"))
    }

    @Test("states that it loads, that nothing is predicted, and that there are no favourites")
    func emptiness() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], respond: { _, _ in nil })
        simulation.shows(
            """
            |490008660N     12:04|
            |Loading             |
            |                    |
            |                    |
            """)
        simulation = SimulatedBoard([Favourite(stop: .oxford)])
        simulation.shows(
            """
            |490008660N     12:04|
            |No departures       |
            |predicted           |
            |                    |
            """)
        simulation = SimulatedBoard([])
        simulation.shows(
            """
            |No stops yet        |
            |On this Pi, run:    |
            |sudo boardd setup   |
            |                    |
            """)
        simulation.send(.machine("boardpi 192.0.2.23"))
        #expect(simulation.rows[3] == "boardpi 192.0.2.23  ")
        simulation = SimulatedBoard([], size: .wide)
        simulation.shows(
            """
            |No stops yet: on the Pi, run            |
            |sudo boardd setup,                      |
            """)
    }

    @Test("states in the display's language that departures are withheld, also after a restart, and beside departures")
    func withheld() throws {
        let respond: SimulatedBoard.Operator = { request, time in
            let bus = Departure.bus("73", to: "Bow", in: .seconds(610), from: time, stop: request.stop)
            let hasDepartures = time - SimulatedBoard.start > .seconds(20)
            return .success(
                FeedResponse(
                    stop: Stop(id: request.stop, name: "Oxford Street"), departures: hasDepartures ? [bus] : [],
                    isWithheld: true))
        }
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], options: .with { $0.language = .german }, respond: respond)
        let page = """
            |TfL zeigt hier      |
            |zurzeit keine       |
            |Abfahrten           |
            """
        #expect(simulation.text.hasSuffix(page), "\(simulation.text)")
        try simulation.restart(after: .seconds(1))
        #expect(simulation.text.hasSuffix(page), "\(simulation.text)")
        simulation.send(.woke)
        simulation.wait(.seconds(40))
        #expect(simulation.rows[1].hasPrefix("73 Bow"))
        #expect(simulation.firstRows().contains("TfL zeigt nichts an"))
    }

    @Test("of the first start alternates with the machine's name and address on two rows, and follows a new address")
    func firstStart() {
        var simulation = SimulatedBoard([], after: .zero, size: .small)
        simulation.send(.machine("boardpi"))
        simulation.wait(.seconds(3))
        simulation.send(.machine("boardpi 192.0.2.23"))
        var seen: [[String]: Int] = [:]
        for _ in 0..<18 {
            simulation.wait(.seconds(1))
            seen[simulation.rows, default: 0] += 1
        }
        #expect(seen == [["On this Pi, run:", "boardd setup    "]: 9, ["boardpi         ", "192.0.2.23      "]: 9])
    }

    @Test("states the first departure of the next day, also after a restart, until it is past")
    func lastDeparted() throws {
        let respond: SimulatedBoard.Operator = { request, _ in
            let stop = Stop(id: request.stop, name: "Oxford Street")
            return .success(
                FeedResponse(stop: stop, departures: [], next: .nextDay(SimulatedBoard.start + .seconds(5 * 3_600))))
        }
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], respond: respond)
        let page = """
            |Last one gone, next |
            |at 17:04            |
            |                    |
            """
        #expect(simulation.text.hasSuffix(page), "\(simulation.text)")
        try simulation.restart(after: .seconds(1))
        #expect(simulation.text.hasSuffix(page), "\(simulation.text)")
        simulation.wait(.seconds(5 * 3_600))
        #expect(simulation.rows[1] == "No departures       ")
    }

    @Test("states the next departure of the same day")
    func nextLater() {
        let simulation = SimulatedBoard([Favourite(stop: .oxford)]) { request, _ in
            .success(
                FeedResponse(
                    stop: Stop(id: request.stop, name: "Oxford Street"), departures: [],
                    next: .laterToday(SimulatedBoard.start + .seconds(3 * 3_600))))
        }
        #expect(simulation.rows[1] == "Next one at 15:04   ", "\(simulation.text)")
    }

    @Test(
        "states when the operator's timetable ended, also after a restart, and on the overview beside other departures",
        arguments: [
            (DisplaySize.usual, ["TfL's timetable", "ended on 1 Mar", ""]),
            (.small, ["TfL's timetable", "ended on 1 Mar"]),
        ])
    func timetableEnded(size: DisplaySize, page: [String]) throws {
        // The board begins on 2 March at 12:04.
        let end = try #require(Timestamp(rfc3339: "2026-03-02T00:00:00Z"))
        let other = StopID(feed: StopID.oxford.feed, code: "other")
        let respond: SimulatedBoard.Operator = { request, time in
            if request.stop == other { return oxford(request, time) }
            return .success(
                FeedResponse(stop: Stop(id: request.stop, name: "Oxford Street"), departures: [], timetableEndsAt: end))
        }
        var options = BoardOptions()
        options.rotation = .off
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], size: size, options: options, respond: respond)
        func rows() -> [String] {
            simulation.rows.suffix(page.count).map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
        }
        #expect(rows() == page)
        try simulation.restart(after: .seconds(1))
        #expect(rows() == page)
        options.home = .overview
        let both = SimulatedBoard(
            [Favourite(stop: .oxford), Favourite(stop: other)], size: size, options: options, respond: respond)
        let rows = (0..<8).map { beat in both.board.render(at: both.now + .seconds(3 * beat)).frame.lines }
        let text = rows.map { $0.joined(separator: " ") }
        #expect(
            text.contains {
                $0.contains("Timetable ended 1") || $0.contains("timetable  ended") || $0.contains("Data to 1 Mar")
            }, "\(text)")
        #expect(text.contains { $0.contains("73 ") })
    }

    @Test("states the end of the timetable from that moment on, and not while there are rows")
    func timetableEnds() {
        let end = SimulatedBoard.start + .seconds(600)
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], after: .seconds(500)) { request, time in
            let bus = Departure.bus("73", to: "Bow", in: .seconds(1_200), from: time, stop: request.stop)
            let isLate = time >= SimulatedBoard.start + .seconds(900)
            return .success(
                FeedResponse(stop: Stop(id: request.stop), departures: isLate ? [bus] : [], timetableEndsAt: end))
        }
        #expect(simulation.rows[1] == "No departures       ")
        simulation.wait(.seconds(101))
        #expect(simulation.rows[1].hasPrefix("TfL's timetable"))
        simulation.wait(.seconds(340))
        #expect(simulation.rows[1].hasPrefix("73 Bow") && simulation.rows[3] == "                    ")
    }

    @Test("states the day of a first departure further away than a night, otherwise its time")
    func notBefore() {
        let first = SimulatedBoard.start + .seconds(21 * 86_400)
        func screen(_ time: Timestamp) -> [String] {
            let simulation = SimulatedBoard([Favourite(stop: .oxford)], at: time) { request, _ in
                .success(FeedResponse(stop: Stop(id: request.stop), departures: [], next: .nextDay(first)))
            }
            return Array(simulation.rows.dropFirst())
        }
        #expect(
            screen(SimulatedBoard.start) == ["Nothing runs before ", "Mon 23 Mar          ", "                    "])
        #expect(screen(first - .seconds(400 * 86_400))[1] == "Mon 23 Mar 2026     ")
        #expect(screen(first - .seconds(23 * 3_600)).first == "Nothing runs before ")
        #expect(screen(first - .seconds(21 * 3_600)).first == "Last one gone, next ")
    }

    @Test("a partial failure for a missing key is shown beside the departures")
    func partialFailure() {
        let respond: SimulatedBoard.Operator = { request, time in
            let bus = Departure.bus("73", to: "Bow", in: .seconds(610), from: time, stop: request.stop)
            return .success(
                FeedResponse(
                    stop: Stop(id: request.stop, name: "Oxford Street"), departures: [bus],
                    partialFailure: FeedError(.keyMissing, detail: "a key is missing")))
        }
        let simulation = SimulatedBoard([Favourite(stop: .oxford)], respond: respond)
        #expect(simulation.rows[1].hasPrefix("73 Bow"))
        #expect(simulation.firstRows().contains("TfL needs a key"), "\(simulation.text)")
    }

    @Test("about a faulty configuration contains the position and disappears when the file is fixed")
    func faultyConfiguration() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], respond: oxford)
        simulation.send(.faultyConfiguration(FilePosition(file: "/etc/boardd/boardd.toml", line: 12)))
        #expect(simulation.firstRows().contains("boardd.toml line 12"))
        #expect(simulation.rows[1] == "73  Oxford…      due")
        simulation.send(.configured(simulation.setup))
        #expect(simulation.firstRows().allSatisfy { $0.hasPrefix("Oxford St N") })
    }

    @Test("states that the hours of favourites do not apply while the clock is uncertain")
    func hoursUnknown() {
        let night = [WeeklyWindow(from: 60, to: 120)]
        let uncertain = CorrectedClock.Reading(wall: SimulatedBoard.start, isSynchronised: false)
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford), Favourite(stop: .euston, when: night)], home: nil, reading: uncertain,
            respond: oxford)
        #expect(simulation.firstRows().contains("Clock not set: all"))
        #expect(simulation.polls.map(\.stop).contains(.euston))
        simulation.send(.clock(CorrectedClock.Reading(wall: simulation.time, isSynchronised: true)))
        #expect(!simulation.firstRows().contains("Clock not set: all"))
    }

    @Test("never empties the board: after malformed rows the old ones stay and become stale")
    func unreadableRows() {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], after: .seconds(100),
            respond: { request, time in
                if time - SimulatedBoard.start < .seconds(20) { return oxford(request, time) }
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: [], badRows: 9))
            })
        #expect(simulation.rows[1] == "390 Archway       3m")
        #expect(simulation.firstRows(beats: 3).contains("TfL bad data 12:04"))
    }

    @Test("at start is the operators' attribution for two seconds")
    func attribution() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], after: .zero, respond: oxford)
        simulation.shows(
            """
            |boardd              |
            |Powered by TfL Open |
            |Data                |
            |                    |
            """)
        simulation.wait(.seconds(2))
        #expect(!simulation.text.contains("Powered"))
    }
}
