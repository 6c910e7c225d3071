import BoardCore
import Testing

@Suite("A favourite's page")
struct StopScreenTests {
    @Test("on 20x4: name, letter and clock; then line, destination and count in columns")
    func twentyByFour() {
        let simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St")], respond: oxford)
        simulation.shows(
            """
            |Oxford St N    12:04|
            |73  Oxford…      due|
            |390 Archway       4m|
            |N73 Walthamst… 13:10|
            """)
    }

    @Test("on 40x2: whole names")
    func fortyByTwo() {
        let simulation = SimulatedBoard([Favourite(stop: .oxford)], size: .wide, respond: oxford)
        simulation.shows(
            """
            |73  Oxford Circus                    due|
            |390 Archway                        4 min|
            """)
    }

    @Test(
        "the operator's suffix is removed first, then the user's short forms apply, then the built-in ones, then a cut")
    func names() {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], options: .with { $0.abbreviations = ["Edgware Road": "Edgware Rd"] },
            respond: departing("King's Cross Underground Station") { _, time in
                [
                    .bus("1", to: "Brixton Underground Station", in: .seconds(130), from: time),
                    .bus("2", to: "Edgware Road Circle Line", in: .seconds(190), from: time),
                    .bus("3", to: "Walthamstow Bus Station", in: .seconds(250), from: time),
                ]
            })
        simulation.shows(
            """
            |King's Cross   12:04|
            |1 Brixton         2m|
            |2 Edgware Rd…     3m|
            |3 Walthamstow…    4m|
            """)
    }

    @Test("long line names have the operator's short forms, or are cut; a wide panel shows them whole")
    func lines() {
        let tube: SimulatedBoard.Operator = { request, time in
            let names = [("victoria", "Victoria"), ("hammersmith-city", "Hammersmith & City"), ("other", "Otherline")]
            let departures = names.enumerated().map { index, name in
                Departure(
                    stop: request.stop, line: Line(id: name.0, name: name.1), destination: "Barking",
                    status: .expected(time + .seconds(130 + 60 * index)), madeAt: time, expiresAt: time + .seconds(600))
            }
            return .success(FeedResponse(stop: Stop(id: request.stop, name: "Oxford"), departures: departures))
        }
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], respond: tube)
        simulation.shows(
            """
            |Oxford         12:04|
            |Vic   Barking     2m|
            |H&C   Barking     3m|
            |Othe… Barking     4m|
            """)
        simulation = SimulatedBoard([Favourite(stop: .oxford)], size: .wide, respond: tube)
        #expect(simulation.rows[0] == "Victoria Barking                   2 min")
    }

    @Test("a line of two numbers is cut after the first, never within the second")
    func twoNumbers() {
        let buses: SimulatedBoard.Operator = { request, time in
            let departures = ["10/48", "30/330", "7/8", "/12345"].enumerated().map { index, name in
                Departure.bus(name, to: "Pier", in: .seconds(130 + 60 * index), from: time, stop: request.stop)
            }
            return .success(FeedResponse(stop: Stop(id: request.stop, name: "Oxford"), departures: departures))
        }
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], size: DisplaySize(columns: 16, rows: 4), respond: buses)
        #expect(simulation.rows.dropFirst().map { $0.prefix(4) } == ["10  ", "30  ", "7/8 "])
        simulation.press()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[1].prefix(4) == "/12…")
        simulation = SimulatedBoard([Favourite(stop: .oxford)], size: .wide, respond: buses)
        #expect(simulation.rows[0].hasPrefix("10/48 "))
    }

    @Test("an estimate from the future is as old as its receipt, and becomes stale without further responses")
    func future() {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St")],
            respond: { request, time in
                guard time < SimulatedBoard.start + .seconds(10) else {
                    return .failure(FeedError(.status(503), detail: ""))
                }
                let bus = Departure.bus("73", to: "Archway", in: .seconds(1_250), from: time, age: .seconds(-3_600))
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: [bus]))
            })
        #expect(simulation.rows[1] == "73 Archway       20m")
        simulation.wait(.seconds(180))
        #expect(simulation.rows[1] == "73 Archway      ~17m")
    }

    @Test("a name is cut to the length that can be drawn")
    func longName() {
        let bus = Departure.bus(
            "73", to: String(repeating: "e\u{301}", count: 300_000), in: .zero, from: SimulatedBoard.start)
        #expect(bus.destination.unicodeScalars.count == 512)
    }

    @Test("a page longer than the panel has screens, and the header shows which one is in view")
    func screens() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St")], respond: buses(8))
        simulation.press()
        simulation.shows(
            """
            |Oxford St N page 2/2|
            |4 Place 4         8m|
            |5 Place 5        10m|
            |6 Place 6        12m|
            """)
        simulation.wait(.seconds(6))
        #expect(simulation.rows[0] == "Oxford St N    12:04")
        simulation.press()
        simulation.shows(
            """
            |Mon 2 Mar      12:04|
            |1 Place 1         2m|
            |2 Place 2         4m|
            |3 Place 3         6m|
            """)
    }

    @Test("delayed, cancelled and scheduled departures are marked")
    func states() {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford)],
            respond: { request, time in
                func service(_ line: String, _ status: Departure.Status) -> Departure {
                    Departure(
                        stop: request.stop, line: Line(id: line, name: line), destination: "Heathrow",
                        booked: time + .seconds(600), status: status, madeAt: time, expiresAt: time + .seconds(660))
                }
                return .success(
                    FeedResponse(
                        stop: Stop(id: request.stop, name: "Paddington"),
                        departures: [
                            service("A", .delayed), service("B", .cancelled),
                            service("C", .scheduled(time + .seconds(600))),
                        ]))
            })
        simulation.shows(
            """
            |Paddington     12:04|
            |A Heathrow      late|
            |B Heathrow         ✗|
            |C Heathrow       ~9m|
            """)
    }

    @Test("with twelve hours the clock and the times of day have a or p")
    func twelveHours() {
        let simulation = SimulatedBoard([Favourite(stop: .oxford)], options: .with { $0.clock = .h12 }, respond: oxford)
        #expect(simulation.rows[0] == "Oxford St N   12:04p")
        #expect(simulation.rows[3] == "N73 Walthamst… 1:10p")
    }

}
