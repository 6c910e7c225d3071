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

    @Test(
        "have the time flush right, the platform before it with one blank, and give every other cell to the destination"
    )
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
            |Clapham Jn    12:04█|
            |12:06 Portsmout 9 1m|
            |12:16 Brighto 13 11m|
            |12:17 Windsor. 3 12m|
            """)
    }

    @Test("have no line column where one line calls, or where the favourite has one line")
    func oneLine() {
        let one = simulation { Self.buses("Victoria", to: "Walthamstow Central", in: [130, 250], from: $0) }
        #expect(one.rows[1...2] == ["Walthamstow Ctrl  2m", "Walthamstow Ctrl  4m"])
        let single = simulation { Self.buses("N73", to: "Walthamstow Central", in: [130], from: $0) }
        #expect(single.rows[1] == "N73 Walthamstow C 2m")
        let filtered = simulation(Favourite(stop: .oxford, lines: ["N73"])) { time in
            Self.buses("N73", to: "Walthamstow Central", in: [130], from: time)
                + Self.buses("8", to: "Bow", in: [60], from: time)
        }
        #expect(filtered.rows[1...2] == ["Walthamstow Ctrl  2m", String(repeating: " ", count: 20)])
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

    @Test("sorted by line are one for each line and destination, with its next two or three times")
    func groups() {
        let simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", sort: .line)) { time in
            Self.buses("390", to: "Archway", in: [100, 640, 900], from: time)
                + Self.buses("73", to: "Stoke Newington", in: [10, 450, 900], from: time)
                + Self.buses("98", to: "Holborn, Red Lion Square", in: [130], from: time)
        }
        simulation.shows(
            """
            |Oxford St     12:04█|
            |73  Stoke Newi due 7|
            |98  Holborn, Red. 2m|
            |390 Archway  1 10 14|
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
        #expect(simulation.rows[1...2] == ["8  Euston         8m", "73 Bow      4? 13:10"])
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
        #expect(cancelled.rows[1...2] == ["8  Euston         8m", "73 Stoke Newing Canc"])
        let walking = simulation(
            Favourite(stop: .oxford, label: "Oxford St", sort: .line, walk: .seconds(240), uncatchable: .mark)
        ) { time in
            Self.buses("8", to: "Bow", in: [650, 1_300], from: time)
                + Self.buses("73", to: "Stoke Newington", in: [280, 700], from: time)
                + Self.buses("390", to: "Archway", in: [70, 800], from: time)
        }
        #expect(
            walking.rows[1...3] == ["8   Bow   10 21 in 6", "73  Stoke 4 11 LEAVE", "390 Archway    1✗ 13"],
            "\(walking.text)")
    }

    @Test("with a walk keep the minutes and show how long there is; on a narrow panel a sign marks the moment")
    func walking() {
        let favourite = Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(240), uncatchable: .mark)
        func board(_ size: DisplaySize) -> SimulatedBoard {
            self.simulation(favourite, size: size) { time in
                Self.buses("8", to: "Bow", in: [130], from: time)
                    + Self.buses("73", to: "Stoke Newington", in: [280], from: time)
                    + Self.buses("390", to: "Archway", in: [640], from: time)
            }
        }
        board(.usual).shows(
            """
            |Oxford St     12:04█|
            |8   Bow    2m missed|
            |73  Stoke N 4m LEAVE|
            |390 Archway 10m in 6|
            """)
        board(DisplaySize(columns: 16, rows: 4)).shows(
            """
            |Oxford St 12:04█|
            |8   Bow      ✗2m|
            |73  Stoke Ne ⇨4m|
            |390 Archway  10m|
            """)
        var simulation = board(.usual)
        simulation.respond = { _, _ in nil }
        simulation.wait(.seconds(40))
        #expect(simulation.rows[3] == "390 Archway  9m in 5")
    }
}
