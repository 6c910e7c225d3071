import BoardCore
import Testing

@Suite("The rows of a favourite's page")
struct RowTests {
    private func simulation(
        _ favourite: Favourite = Favourite(stop: .oxford, label: "Oxford St"), size: DisplaySize = .usual,
        options: BoardOptions = BoardOptions(), profile: FeedProfile = SimulatedBoard.tfl,
        _ departures: @escaping @Sendable (Timestamp) -> [Departure]
    ) -> SimulatedBoard {
        return SimulatedBoard([favourite], size: size, options: options, profile: profile) { request, time in
            .success(FeedResponse(stop: Stop(id: request.stop, name: "Oxford Street"), departures: departures(time)))
        }
    }

    /// Buses to one place, in so many seconds.
    private static func buses(_ line: String, to place: String, in seconds: [Int], from time: Timestamp) -> [Departure]
    {
        seconds.map { .bus(line, to: place, in: .seconds($0), from: time, vehicle: "\(line) \($0)") }
    }

    @Test("begin with the booked time and end with the count; names and platforms take turns between them")
    func trains() {
        let simulation = simulation(Favourite(stop: .oxford, label: "Clapham Jn"), profile: SimulatedBoard.rail) {
            time in
            [
                .train(to: "Portsmouth Harbour", booked: 2, platform: "9", madeAt: time),
                .train(to: "Brighton", booked: 12, platform: "13", madeAt: time),
                .train(to: "Windsor & Eton", booked: 13, platform: "3", madeAt: time),
            ]
        }
        simulation.shows(
            """
            |Clapham Jn     12:04|
            |12:06 …Harbour    1m|
            |12:16 Brighton   11m|
            |12:17 …& Eton    12m|
            """)
    }

    @Test("begin with the line, also where only one line calls")
    func oneLine() {
        let one = simulation { Self.buses("Victoria", to: "Walthamstow Central", in: [130, 250], from: $0) }
        #expect(one.rows[1...2] == ["Vic Walthamstow…  2m", "Vic Walthamstow…  4m"])
        let single = simulation { Self.buses("N73", to: "Walthamstow Central", in: [130], from: $0) }
        #expect(single.rows[1] == "N73 Walthamstow…  2m")
        let filtered = simulation(Favourite(stop: .oxford, lines: ["N73"])) { time in
            Self.buses("N73", to: "Walthamstow Central", in: [130], from: time)
                + Self.buses("8", to: "Bow", in: [60], from: time)
        }
        #expect(filtered.rows[1...2] == ["N73 Walthamstow…  2m", String(repeating: " ", count: 20)])
    }

    @Test("are those of the favourite's lines alone, also in the details")
    func lines() {
        var simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", lines: ["73", "390"])) { time in
            Self.buses("8", to: "Bow", in: [60], from: time)
                + Self.buses("73", to: "Oxford Circus", in: [130], from: time)
                + Self.buses("390", to: "Archway", in: [250], from: time)
        }
        #expect(simulation.rows[1...3].map { $0.prefix(4) } == ["73  ", "390 ", "    "])
        simulation.open()
        #expect(simulation.rows[0].hasPrefix("73 Oxford"))
        simulation.press()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0].hasPrefix("390 Archway"))
    }

    @Test("cover the next hour and at most two screens, and fill the first screen where later departures can")
    func reach() {
        func screens(_ minutes: [Int], change: (inout BoardOptions) -> Void = { _ in }) -> [String] {
            var options = BoardOptions()
            change(&options)
            var simulation = self.simulation(options: options) { time in
                minutes.map { .bus("\($0)", to: "Bow", in: .seconds(60 * $0 + 30), from: time) }
            }
            var seen: [String] = []
            let count = simulation.board.report(at: simulation.now).pageInView.screens
            for _ in 0..<count {
                seen += simulation.rows.dropFirst().map { String($0.prefix { $0 != " " }) }.filter { !$0.isEmpty }
                simulation.press()
                simulation.wait(.seconds(6))
            }
            return seen
        }
        #expect(screens([5, 10, 15, 20, 25, 30, 35, 40]) == ["5", "10", "15", "20", "25", "30"])
        #expect(screens([5, 10, 15, 20, 70, 80]) == ["5", "10", "15", "20"])
        #expect(screens([5, 70, 80, 90]) == ["5", "70", "80"])
        #expect(screens([5, 10, 15, 20, 25, 30, 35]) { $0.screens = 1 } == ["5", "10", "15"])
        #expect(
            screens([5, 10, 15, 20, 70, 80]) { $0.reach = .seconds(7_200) } == ["5", "10", "15", "20", "70", "80"])
    }

    @Test("a departure joins the second screen when it comes within reach, without an event")
    func joining() {
        let departures = Self.buses("8", to: "Bow", in: [600, 1_200, 1_800, 3_720], from: SimulatedBoard.start)
        var simulation = self.simulation { _ in departures }
        simulation.respond = { _, _ in nil }
        func screens() -> Int { simulation.board.report(at: simulation.now).pageInView.screens }
        #expect(screens() == 1)
        let rendered = simulation.board.render(at: simulation.now)
        #expect(rendered.until != nil)
        simulation.wait(.seconds(130))
        #expect(screens() == 2)
    }

    @Test(
        "wake the board when they change, and only then: of two texts the first has two beats",
        arguments: [DisplaySize.usual, .small], ["Brighton", "Portsmouth Harbour"])
    func wakes(size: DisplaySize, place: String) {
        let simulation = simulation(size: size, profile: SimulatedBoard.rail) { time in
            [.train(to: place, booked: 12, platform: "13", madeAt: time)]
        }
        func rendered(after seconds: Int) -> RenderedFrame {
            simulation.board.render(at: simulation.now + .seconds(seconds))
        }
        for second in 0..<30 {
            let (now, next) = (rendered(after: second), rendered(after: second + 1))
            let isWoken = now.until.map { $0 <= simulation.now + .seconds(second + 1) } ?? false
            #expect(isWoken == (now.frame != next.frame), "after \(second) s: \(now.frame.lines)")
        }
    }

    @Test("sorted by line are one for each line and destination, with the next time after it in turn")
    func groups() {
        let simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", sort: .line)) { time in
            Self.buses("390", to: "Archway", in: [100, 640, 900], from: time)
                + Self.buses("73", to: "Stoke Newington", in: [10, 450, 900], from: time)
                + Self.buses("98", to: "Holborn, Red Lion Square", in: [130], from: time)
        }
        simulation.shows(
            """
            |Oxford St      12:04|
            |73  …Newington   due|
            |98  Holborn, Red… 2m|
            |390 Archway       1m|
            """)
    }

    @Test("sorted by line leave cancelled departures out, mark stale ones, and show times beyond an hour as such")
    func groupMarks() {
        let simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", sort: .line)) { time in
            [
                Departure(
                    stop: .oxford, line: Line(id: "73", name: "73"), destination: "Bow", booked: time + .seconds(60),
                    status: .cancelled, madeAt: time, expiresAt: time + .seconds(300)),
                .bus("73", to: "Bow", in: .seconds(250), from: time, vehicle: "A", age: .seconds(400)),
                .bus("73", to: "Bow", in: .seconds(4_000), from: time, vehicle: "B"),
                .bus("8", to: "Euston", in: .seconds(500), from: time, vehicle: "C"),
            ]
        }
        #expect(simulation.rows[1...2] == ["8  Euston         8m", "73 Bow           ~4m"])
    }

    @Test(
        "sorted by line show a line whose departures are all cancelled, and with a walk when to leave for the next one")
    func groupEdges() {
        let cancelled = simulation(Favourite(stop: .oxford, label: "Oxford St", sort: .line)) { time in
            [60, 300].map { seconds in
                Departure(
                    stop: .oxford, line: Line(id: "73", name: "73"), destination: "Stoke Newington",
                    booked: time + .seconds(seconds), status: .cancelled, madeAt: time, expiresAt: time + .seconds(900))
            } + [.bus("8", to: "Euston", in: .seconds(500), from: time, vehicle: "C")]
        }
        #expect(cancelled.rows[1...2] == ["8  Euston         8m", "73 Stoke Newington ✗"])
        let walking = simulation(Favourite(stop: .oxford, label: "Oxford St", sort: .line, walk: .seconds(240))) {
            time in
            Self.buses("8", to: "Bow", in: [650, 1_300], from: time)
                + Self.buses("73", to: "Stoke Newington", in: [280, 700], from: time)
                + Self.buses("390", to: "Archway", in: [70, 800], from: time)
        }
        #expect(
            walking.rows[1...3] == ["8   Bow       ⇨in 6m", "73  Newington GO NOW", "390 Archway   ⇨in 9m"],
            "\(walking.text)")
    }

    @Test("with a walk count the minutes until one must leave, then say to go now, to run, and go")
    func walking() {
        let favourite = Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(240))
        func board(_ size: DisplaySize) -> SimulatedBoard {
            self.simulation(favourite, size: size, options: .with { $0.turns = false }) { time in
                Self.buses("8", to: "Bow", in: [130], from: time)
                    + Self.buses("73", to: "Stoke Newington", in: [280], from: time)
                    + Self.buses("390", to: "Archway", in: [640], from: time)
            }
        }
        board(.usual).shows(
            """
            |Oxford St      12:04|
            |73  Stoke…    GO NOW|
            |390 Archway   ⇨in 6m|
            |                    |
            """)
        board(DisplaySize(columns: 16, rows: 4)).shows(
            """
            |Oxford St  12:04|
            |73  Stoke…   GO!|
            |390 Archw… go 6m|
            |                |
            """)
        var simulation = board(.usual)
        simulation.respond = { _, _ in nil }
        simulation.wait(.seconds(40))
        #expect(simulation.rows[1] == "73  Stoke…       RUN")
        #expect(simulation.rows[2] == "390 Archway   ⇨in 5m")
        // A third of the walk after it began, nobody catches it.
        simulation.wait(.seconds(81))
        #expect(simulation.rows[1] == "390 Archway   ⇨in 4m")
    }

    @Test("have a late train's delay at its booked time, and as a fact where there is no room")
    func late() {
        func rows(_ columns: Int) -> Set<String> {
            let simulation = simulation(
                Favourite(stop: .oxford), size: DisplaySize(columns: columns, rows: 4), profile: SimulatedBoard.rail
            ) { time in
                [.train(to: "Bristol Temple Meads", booked: 5, late: .seconds(190), platform: "4", madeAt: time)]
            }
            // Two cycles: the name has three parts on 16 columns.
            return Set((0..<18).map { simulation.board.render(at: simulation.now + .seconds($0)).frame.lines[1] })
        }
        #expect(rows(20).allSatisfy { $0.hasPrefix("12:09+3 ") })
        #expect(rows(20).contains("12:09+3 Bristol…  8m"))
        #expect(rows(16).allSatisfy { $0.hasPrefix("12:09 ") })
        #expect(rows(16).contains { $0.hasPrefix("12:09 +3 late ") }, "\(rows(16))")
    }

    @Test("of a trip that ends early name its last stop and the one that it does not reach")
    func shortened() {
        let simulation = simulation(Favourite(stop: .oxford), profile: SimulatedBoard.rail) { time in
            [
                Departure(
                    stop: .oxford, line: Line(id: "SN", name: "Southern"), destination: "Brighton",
                    booked: time + .seconds(180), status: .expected(time + .seconds(190)),
                    attributes: TripAttributes(endsAt: "Three Bridges"), madeAt: time, expiresAt: time + .seconds(300))
            ]
        }
        let rows = Set((0..<12).map { simulation.board.render(at: simulation.now + .seconds($0)).frame.lines[1] })
        #expect(rows.contains { $0.contains("Three…") } && rows.contains { $0.contains("ends early") }, "\(rows)")
    }

    @Test("name the number of a line alone where all lines begin with the same word")
    func commonWords() {
        func leads(_ names: [String]) -> [String] {
            let simulation = simulation { time in
                names.enumerated().map { .bus($1, to: "Bow", in: .seconds(130 + 60 * $0), from: time, vehicle: $1) }
            }
            return simulation.rows.dropFirst().map { String($0.prefix { $0 != " " }) }
        }
        #expect(leads(["Bus 4", "Bus 12", "Bus 120A"]) == ["4", "12", "120A"])
        #expect(leads(["Bus 4", "Tram 7", "Bus 12"]) == ["Bus", "7", "12"])
        #expect(leads(["Route 20", "Route 21", "8"]) == ["20", "21", "8"])
        #expect(leads(["RE 1", "RE 7", "S 5"]) == ["RE", "RE", "S"])
    }

    @Test("first have the soonest of each direction, however many of another come before it")
    func directions() {
        var simulation = simulation { time in
            func train(_ direction: String, _ minutes: Int) -> Departure {
                Departure(
                    stop: .oxford, line: Line(id: "northern", name: "Northern"), destination: direction,
                    direction: direction, status: .expected(time + .seconds(60 * minutes + 10)), madeAt: time,
                    expiresAt: time + .seconds(60 * minutes + 40))
            }
            return [train("north", 2), train("north", 4), train("north", 6), train("north", 8), train("south", 9)]
        }
        #expect(simulation.rows.dropFirst().map { $0.suffix(3) } == [" 2m", " 4m", " 9m"])
        simulation.press()
        #expect(simulation.rows.dropFirst().map { $0.suffix(3) } == [" 6m", " 8m", "   "])
    }

    @Test("stand still with turns = false and while a button is down")
    func still() {
        func texts(turns: Bool, pressed: Bool) -> Int {
            var simulation = simulation(options: .with { $0.turns = turns }) {
                Self.buses("73", to: "Stoke Newington Common", in: [600], from: $0)
            }
            if pressed { simulation.down() }
            // Two cycles: the name has three parts on 16 columns.
            return Set((0..<18).map { simulation.board.render(at: simulation.now + .seconds($0)).frame.lines[1] }).count
        }
        #expect(texts(turns: true, pressed: false) > 1)
        #expect(texts(turns: false, pressed: false) == 1)
        #expect(texts(turns: true, pressed: true) == 1)
    }
}
