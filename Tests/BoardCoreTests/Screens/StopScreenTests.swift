import BoardCore
import Testing

@Suite("A favourite's page")
struct StopScreenTests {
    @Test("on 20x4: name, letter, clock and bar; then line, destination, mark and time in columns")
    func twentyByFour() {
        var hallway = Hallway([Favourite(stop: .oxford, label: "Oxford St")], answer: oxford)
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |Oxford St N   12:04█|
            |73  Oxford Cir   due|
            |390 Archway       4m|
            |N73 Walthamsto?13:10|
            """)
    }

    @Test("on 16x2: departures alone, without a header")
    func sixteenByTwo() {
        var hallway = Hallway(
            [Favourite(stop: .oxford, label: "Oxford St")], size: .small,
            answer: { request, time in
                .success(
                    FeedResponse(
                        stop: Stop(id: request.stop),
                        departures: [
                            .bus("73", to: "Oxford Circus", in: .seconds(12), from: time),
                            .bus("390", to: "Archway", in: .seconds(280), from: time),
                        ]))
            })
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |73  Oxford   due|
            |390 Archway   4m|
            """)
    }

    @Test("on 40x2: whole names")
    func fortyByTwo() {
        var hallway = Hallway([Favourite(stop: .oxford)], size: .wide, answer: oxford)
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |73  Oxford Circus                    due|
            |390 Archway                           4m|
            """)
    }

    @Test("the operator's suffix goes first, then the user's own short form, then the shipped ones, then the end")
    func names() {
        var options = BoardOptions()
        options.abbreviations = ["Edgware Road": "Edgware Rd"]
        var hallway = Hallway(
            [Favourite(stop: .oxford)], options: options,
            answer: { request, time in
                .success(
                    FeedResponse(
                        stop: Stop(id: request.stop, name: "King's Cross Underground Station"),
                        departures: [
                            .bus("1", to: "Brixton Underground Station", in: .seconds(130), from: time),
                            .bus("2", to: "Edgware Road Circle Line", in: .seconds(190), from: time),
                            .bus("3", to: "Walthamstow Bus Station", in: .seconds(250), from: time),
                        ]))
            })
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |King's Cross  12:04█|
            |1 Brixton         2m|
            |2 Edgware Rd Cir  3m|
            |3 Walthamstow     4m|
            """)
    }

    @Test("long line names have the operator's short forms, or are cut; a wide panel has them whole")
    func lines() {
        let tube: Hallway.Operator = { request, time in
            let names = [("victoria", "Victoria"), ("hammersmith-city", "Hammersmith & City"), ("other", "Otherline")]
            let departures = names.enumerated().map { index, name in
                Departure(
                    stop: request.stop, line: Line(id: name.0, name: name.1), destination: "Barking",
                    status: .expected(time + .seconds(130 + 60 * index)), madeAt: time, expiresAt: time + .seconds(600))
            }
            return .success(FeedResponse(stop: Stop(id: request.stop, name: "Oxford"), departures: departures))
        }
        var hallway = Hallway([Favourite(stop: .oxford)], answer: tube)
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |Oxford        12:04█|
            |Vic  Barking      2m|
            |H&C  Barking      3m|
            |Othe Barking      4m|
            """)
        hallway = Hallway([Favourite(stop: .oxford)], size: .wide, answer: tube)
        hallway.wait(.seconds(3))
        #expect(hallway.glass[0] == "Victoria Barking                      2m")
    }

    @Test("a line of two numbers that is cut has the first of them, and no half of the other")
    func twoNumbers() {
        let buses: Hallway.Operator = { request, time in
            let departures = ["10/48", "30/330", "7/8", "/12345"].enumerated().map { index, name in
                Departure.bus(name, to: "Pier", in: .seconds(130 + 60 * index), from: time, stop: request.stop)
            }
            return .success(FeedResponse(stop: Stop(id: request.stop, name: "Oxford"), departures: departures))
        }
        var hallway = Hallway([Favourite(stop: .oxford)], size: Panel.Size(columns: 16, rows: 4), answer: buses)
        hallway.wait(.seconds(3))
        #expect(hallway.glass.dropFirst().map { $0.prefix(4) } == ["10  ", "30  ", "7/8 "])
        hallway.press()
        hallway.wait(.seconds(3))
        #expect(hallway.glass[1].prefix(4) == "/123")
        hallway = Hallway([Favourite(stop: .oxford)], size: .wide, answer: buses)
        hallway.wait(.seconds(3))
        #expect(hallway.glass[0].hasPrefix("10/48 "))
    }

    @Test("an estimate that claims to be of the future is as old as its receipt, and ages when nobody answers any more")
    func future() {
        var hallway = Hallway(
            [Favourite(stop: .oxford, label: "Oxford St")],
            answer: { request, time in
                guard time < Hallway.start + .seconds(10) else {
                    return .failure(FeedFailure(.status(503), detail: ""))
                }
                let bus = Departure.bus("73", to: "Archway", in: .seconds(1_250), from: time, age: .seconds(-3_600))
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: [bus]))
            })
        hallway.wait(.seconds(3))
        #expect(hallway.glass[1] == "73 Archway       20m")
        hallway.wait(.seconds(180))
        #expect(hallway.glass[1] == "73 Archway      ?17m")
    }

    @Test("a name is kept as far as it can be drawn, however long it is")
    func longName() {
        let bus = Departure.bus("73", to: String(repeating: "e\u{301}", count: 300_000), in: .zero, from: Hallway.start)
        #expect(bus.destination.unicodeScalars.count == 512)
    }

    @Test("a page longer than the panel has screens, and the header says which one is shown")
    func screens() {
        var hallway = Hallway([Favourite(stop: .oxford, label: "Oxford St")], answer: buses(8))
        hallway.wait(.seconds(3))
        hallway.press()
        expectGlass(
            hallway,
            """
            |Oxford St 2/3 12:04█|
            |4 Place 4         8m|
            |5 Place 5        10m|
            |6 Place 6        12m|
            """)
        hallway.wait(.seconds(5))
        #expect(hallway.glass[0] == "Oxford St 2/3 12:04▆")
        hallway.press()
        expectGlass(
            hallway,
            """
            |Oxford St 3/3 12:04▆|
            |7 Place 7        14m|
            |8 Place 8        16m|
            |                    |
            """)
    }

    @Test("a delayed and a cancelled service say so, and a timetabled one is marked")
    func states() {
        var hallway = Hallway(
            [Favourite(stop: .oxford)],
            answer: { request, time in
                func service(_ line: String, _ status: Departure.Status) -> Departure {
                    Departure(
                        stop: request.stop, line: Line(id: line, name: line), destination: "Heathrow",
                        booked: time
                            + .seconds(600), status: status, madeAt: time, expiresAt: time + .seconds(660))
                }
                return .success(
                    FeedResponse(
                        stop: Stop(id: request.stop, name: "Paddington"),
                        departures: [
                            service("A", .delayed), service("B", .cancelled),
                            service("C", .scheduled(time + .seconds(600))),
                        ]))
            })
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |Paddington    12:04█|
            |A Heathrow     Delay|
            |B Heathrow      Canc|
            |C Heathrow    *   9m|
            """)
    }

    @Test("with twelve hours the clock and the times of day carry their half")
    func twelveHours() {
        var options = BoardOptions()
        options.clock = .h12
        var hallway = Hallway([Favourite(stop: .oxford)], options: options, answer: oxford)
        hallway.wait(.seconds(3))
        #expect(hallway.glass[0] == "Oxford St N  12:04p█")
        #expect(hallway.glass[3] == "N73 Walthamsto?1:10p")
    }

    @Test("the refresh bar can have a row of its own, or none")
    func refreshBar() {
        var options = BoardOptions()
        options.refreshBar = .row
        var hallway = Hallway([Favourite(stop: .oxford, label: "Oxford St")], options: options, answer: buses(8))
        hallway.wait(.seconds(15))
        expectGlass(
            hallway,
            """
            |Oxford St N    12:04|
            |1 Place 1         1m|
            |2 Place 2         3m|
            |███████████         |
            """)
        options.refreshBar = .off
        hallway = Hallway([Favourite(stop: .oxford, label: "Oxford St")], options: options, answer: oxford)
        hallway.wait(.seconds(3))
        #expect(hallway.glass[0] == "Oxford St N    12:04")
    }

    @Test("the bar drains from one poll to the next in eight steps")
    func draining() {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: oxford)
        var cells: [Character] = []
        hallway.wait(.seconds(29)) { hallway in
            guard let cell = hallway.glass[0].last, cell != cells.last, hallway.glass[0].contains(":") else { return }
            cells.append(cell)
        }
        #expect(String(cells.suffix(8)) == "█▇▆▅▄▃▂▁")
    }
}
