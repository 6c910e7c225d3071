import Testing

@testable import BoardCore

@Suite("The rows of a display with texts of twice the size")
struct DoubleSizeTests {
    private static let large = DisplaySize(columns: 20, rows: 8)
    private static let small = DisplaySize(columns: 20, rows: 4)

    private func simulation(
        _ size: DisplaySize = large, _ favourites: [Favourite] = [Favourite(stop: .oxford, label: "Oxford St")],
        options: BoardOptions = .with { $0.rotation = .off }, profile: FeedProfile = SimulatedBoard.tfl,
        respond: @escaping SimulatedBoard.Operator
    ) -> SimulatedBoard {
        var simulation = SimulatedBoard(
            favourites, size: size, options: options, home: nil, profile: profile, respond: respond)
        var setup = simulation.setup
        setup.hasDoubleSize = true
        simulation.send(.configured(setup))
        return simulation
    }

    private static func stop(_ departures: @escaping @Sendable (Timestamp) -> [Departure]) -> SimulatedBoard.Operator {
        { request, time in .success(FeedResponse(stop: Stop(id: request.stop), departures: departures(time))) }
    }

    private static let buses = stop { time in
        [
            .bus("73", to: "Oxford Circus", in: .seconds(10), from: time, vehicle: "a"),
            .bus("390", to: "Archway", in: .seconds(280), from: time, vehicle: "b"),
            .bus("8", to: "Café Zürich", in: .seconds(650), from: time, vehicle: "c", age: .seconds(400)),
            .bus("N155", to: "Morden", in: .seconds(4_000), from: time, vehicle: "d"),
        ]
    }

    /// Expects a frame in which the texts of twice the size are spaced out.
    private func expect(
        _ simulation: SimulatedBoard, shows expected: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var frame = simulation.board.render(at: simulation.now).frame
        for text in frame.doubled { frame.put(text.text.map { "\($0) " }.joined(), row: text.row, column: text.column) }
        let lines = frame.lines.map { "|\($0)|" }.joined(separator: "\n")
        #expect("\n" + lines == "\n" + expected, sourceLocation: sourceLocation)
    }

    @Test("64 dots have a small first row and three departures; the name has two lines, and a sign is small")
    func buses() {
        let simulation = simulation(respond: Self.buses)
        expect(
            simulation,
            shows: """
                |Oxford St      12:04|
                |                    |
                |7 3  Oxford   d u e |
                |     Circus         |
                |3 9 0  Archway  4 m |
                |                    |
                |8  Café      ~1 0 m |
                |   Zürich           |
                """)
    }

    @Test("32 dots have two departures and no first row; the frame for other displays is compact")
    func low() {
        let simulation = simulation(Self.small, respond: Self.buses)
        expect(
            simulation,
            shows: """
                |7 3  Oxford   d u e |
                |     Circus         |
                |3 9 0  Archway  4 m |
                |                    |
                """)
        simulation.shows(
            """
            |73   Oxford      due|
            |     Circus         |
            |390    Archway    4m|
            |                    |
            """)
    }

    private func row(
        _ lead: String?, _ count: [String], name: String = "Oxford Circus", late: String = "", facts: [[String]] = []
    ) -> DoubleSizeRow {
        let line = DepartureLine(lead: lead, late: late, name: name, facts: facts, count: count)
        return DoubleSizeRow(line, columns: 20, names: Self.names)
    }

    private static let names = Language.english.streetNames

    private static let walk = ["leave home in 4 min", "⇨in 4m", "go 4m"]

    @Test("have the word before the minutes small, and the sign of about below it")
    func signs() {
        #expect(row("390", Self.walk).count.text == "4m")
        #expect(row("390", Self.walk).signs == ["go", ""])
        #expect(row("390", ["leave home in about 4 min", "⇨in ~4m", "go ~4m"]).signs == ["go", "~"])
        #expect(row("390", ["~due"]).signs == ["~", ""])
        let clock = row("390", ["leave home at 13:10", "⇨13:10"])
        #expect(clock.count.text == "⇨13:10" && !clock.count.isDoubled)
        #expect(row("390", ["leave home NOW", "GO NOW", "GO!"]).signs == ["", ""])
    }

    @Test("have one sign beside the name where that leaves room, otherwise below it")
    func place() {
        #expect(row("12:25", ["~20m"], name: "Slough").signs == ["~", ""])
        #expect(row("12:25", ["~20m"], name: "Reading").signs == ["", "~"])
        #expect(row("12:25", ["~20m"], name: "Reading").turns[0].upper == "Reading")
    }

    @Test("enlarge three characters, and four of a count where the name fits its two lines beside them")
    func sizes() {
        #expect(row("390", ["4m"]).lead.isDoubled)
        #expect(!row("N155", ["4m"]).lead.isDoubled)
        #expect(!row("12:07", ["4m"]).lead.isDoubled)
        #expect(row("390", ["10m"]).count.isDoubled)
        #expect(row("73", ["delayed", "late"]).count.isDoubled)
        #expect(!row("390", ["delayed", "late"]).count.isDoubled)
        #expect(!row("73", ["delayed", "late"], name: "City Thameslink").count.isDoubled)
        #expect(row("73", ["✗"]).count.isDoubled)
        #expect(!row("73", ["13:10"]).count.isDoubled)
    }

    @Test("show the rest of a name below it, and facts in turns with it, so that none reads as its end")
    func turns() {
        func texts(_ row: DoubleSizeRow) -> [[String]] { row.turns.map { [$0.upper, $0.lower] } }
        let fact = ["departs 12:14", "dep 12:14", "at 12:14"]
        #expect(texts(row("390", ["4m"], name: "Archway")) == [["Archway", ""]])
        #expect(texts(row("390", Self.walk, name: "Archway", facts: [fact])) == [["Archway", ""], ["at 12:14", ""]])
        #expect(texts(row("73", ["4m"])) == [["Oxford", "Circus"]])
        #expect(texts(row("73", Self.walk, facts: [fact])) == [["Oxford", "Circus"], ["at 12:14", ""]])
        #expect(
            texts(row("12:09", ["7m"], name: "Bristol Temple Meads", late: "+3", facts: [["platform 4", "plat 4"]]))
                == [["Bristol…", "…Temple…"], ["Bristol…", "…Meads"], ["plat 4", ""]])
        #expect(row("12:09", ["7m"], late: "+3").lateness == "+3")
        #expect(texts(row(nil, [], name: "Euston: next 17:12")) == [["Euston: next 17:12", ""]])
    }

    @Test("keep every text within its field, a cell apart")
    func widths() {
        let counts = [
            [], ["due"], ["~10m"], Self.walk, ["", "⇨in ~60m", "go ~60m"], ["", "⇨13:10", "go 13:10"],
            ["delayed", "late"], ["✗"], ["PARTEZ", "~ALLEZ"], ["11:10pm"], ["£129.50"],
        ]
        let names = [
            "Bow", "Oxford Circus", "Walthamstow Central", "Friedrichsfelde", "Friedrichsfelde Ost, Schloßstraße",
            "Hayes & Harlington Station", "a b c d e f g h i j k l m n o p q r s t u v w x y z", "",
        ]
        for lead in [nil, "", "8", "390", "N155", "Nthn…", "12:07", "12:07pm"] {
            for (count, name) in counts.flatMap({ count in names.map { (count, $0) } }) {
                for late in ["", "+12"] {
                    let row = row(
                        lead, count, name: name, late: late,
                        facts: [["ends early"], ["at 12:14"], ["from Oxford St N"]])
                    let end = 20 - row.count.width
                    let upper = row.count.text.isEmpty ? 20 : end - 1 - row.signs[0].count
                    let lower = !row.count.isDoubled || row.count.text.isEmpty ? 20 : end - 1 - row.signs[1].count
                    for turn in row.turns {
                        #expect(row.middle + turn.upper.count <= upper, "\(lead ?? "-") \(count) \(turn)")
                        #expect(row.middle + turn.lower.count <= lower, "\(lead ?? "-") \(count) \(turn)")
                    }
                    #expect(row.middle == 0 || row.middle > max(row.lead.width, row.lateness.count))
                }
            }
        }
    }

    @Test("leave a stop without departures as a sentence, and have the lateness below the booked time")
    func overview() {
        let favourites = [Favourite(stop: .oxford, label: "Pad"), Favourite(stop: .euston, label: "Euston")]
        let simulation = simulation(Self.large, favourites, profile: SimulatedBoard.rail) { request, time in
            let stop = Stop(id: request.stop)
            if request.stop == .euston {
                let next = NextDeparture.laterToday(SimulatedBoard.start + .seconds(18_480))
                return .success(FeedResponse(stop: stop, departures: [], next: next))
            }
            let trains: [Departure] = [
                .train(to: "Oxford", booked: 3, madeAt: time),
                .train(to: "Reading", booked: 5, late: .seconds(190), madeAt: time),
            ]
            return .success(FeedResponse(stop: stop, departures: trains))
        }
        expect(
            simulation,
            shows: """
                |Mon 2 Mar      12:04|
                |                    |
                |12:07 Oxford    2 m |
                |      from Pad      |
                |12:09 Reading   8 m |
                |+3    from Pad      |
                |Euston              |
                |next 17:12          |
                """)
    }

    @Test("have a cross for the minutes of a cancelled train, and a word for those of a late one without a new time")
    func disrupted() {
        @Sendable func train(to name: String, booked minutes: Int64, _ status: Departure.Status, at time: Timestamp)
            -> Departure
        {
            let booked = SimulatedBoard.start + .seconds(60 * minutes)
            return Departure(
                stop: .oxford, line: Line(id: "GW", name: "Great Western"), destination: name, booked: booked,
                status: status, madeAt: time, expiresAt: booked + .seconds(120))
        }
        let simulation = simulation(
            profile: SimulatedBoard.rail,
            respond: trains { time in
                [
                    train(to: "Great Malvern", booked: 8, .delayed, at: time),
                    train(to: "Heathrow", booked: 9, .cancelled, at: time),
                ]
            })
        expect(
            simulation,
            shows: """
                |Oxford St      12:04|
                |                    |
                |12:12 Great     late|
                |      Malvern       |
                |12:13 Heathrow    ✗ |
                |      cancelled     |
                |                    |
                |                    |
                """)
    }

    @Test("are small on a page of details, which has all rows")
    func details() {
        var simulation = simulation(respond: Self.buses)
        simulation.open()
        expect(
            simulation,
            shows: """
                |73 Oxford Circus    |
                |Departs 12:04, due  |
                |Live report of 12:03|
                |Vehicle a           |
                |                    |
                |                    |
                |                    |
                |                    |
                """)
    }
}
