import BoardCore
import Testing

@Suite("What a person wants of a favourite")
struct WishesTests {
    private func hallway(_ favourite: Favourite, _ answer: @escaping Hallway.Operator = oxford) -> Hallway {
        var hallway = Hallway([favourite], answer: answer)
        hallway.wait(.seconds(3))
        return hallway
    }

    @Test("a departure that cannot be caught is not shown, and the next one is marked when it is time to leave")
    func walk() {
        // The bus 73 comes in 9 s, the 390 in 277 s: with 4 minutes to walk there are 37 s left.
        expectGlass(
            hallway(Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(240))),
            """
            |Oxford St N   12:04█|
            |390 Archway   !   4m|
            |N73 Walthamsto?13:10|
            |                    |
            """)
    }

    @Test("or it is shown and marked, for who runs")
    func mark() {
        expectGlass(
            hallway(Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(240), uncatchable: .mark)),
            """
            |Oxford St N   12:04█|
            |73  Oxford Cir-  due|
            |390 Archway   !   4m|
            |N73 Walthamsto?13:10|
            """)
    }

    @Test("the mark and the row change by themselves when their moment comes")
    func moments() {
        var hallway = hallway(Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(180)))
        #expect(hallway.glass[1] == "390 Archway       4m")
        // At 100 s before the bus must be left for … it comes at 280 s: leaving from 40 s to 100 s after the answer.
        hallway.answer = { _, _ in nil }
        hallway.wait(.seconds(45))
        #expect(hallway.glass[1].contains("!"))
        hallway.wait(.seconds(60))
        #expect(!hallway.text.contains("Archway"))
    }

    @Test("where everything that comes leaves before one can be there, that is said")
    func nothingToCatch() {
        let hallway = hallway(Favourite(stop: .oxford, label: "Oxford St", walk: .seconds(7_000)))
        #expect(hallway.text.contains("Nothing"))
        #expect(hallway.text.contains("catch"))
    }

    @Test("platforms and directions choose which departures are shown; one of which they are not known yet may be it")
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
        let answer: Hallway.Operator = { request, time in
            .success(FeedResponse(stop: Stop(id: request.stop), departures: trains.map { $0(request.stop, time) }))
        }
        let byPlatform = hallway(Favourite(stop: .oxford, platforms: ["2"]), answer).text
        #expect(byPlatform.contains("Epping") && byPlatform.contains("Hainault") && !byPlatform.contains("Ealing"))
        let byDirection = hallway(Favourite(stop: .oxford, directions: ["Inbound"]), answer).text
        #expect(byDirection.contains("Ealing") && byDirection.contains("Hainault") && !byDirection.contains("Epping"))
    }

    @Test("where it is to go is asked of the operator")
    func towards() {
        var hallway = Hallway([Favourite(stop: .oxford, towards: "PAD")])
        hallway.wait(.seconds(3))
        #expect(hallway.questions.first?.towards == "PAD")
    }

    @Test("a favourite with hours is on the board and asked about in them only, and comes and goes by itself")
    func hours() {
        // It is Monday, 12:04.
        let morning = WeeklyWindow(from: 6 * 60 + 30, to: 12 * 60 + 6, days: [.mon])
        let evening = WeeklyWindow(from: 12 * 60 + 6, to: 22 * 60)
        var hallway = Hallway(
            [
                Favourite(stop: .oxford, label: "To work", when: [morning]),
                Favourite(stop: .euston, label: "Home", when: [evening]),
            ], answer: oxford)
        hallway.wait(.seconds(3))
        #expect(hallway.glass[0].hasPrefix("To work"))
        #expect(Set(hallway.asked.map(\.stop)) == [.oxford])
        hallway.wait(.seconds(120))
        #expect(hallway.glass[0].hasPrefix("Home"))
        let before = hallway.asked.count
        hallway.wait(.seconds(120))
        #expect(Set(hallway.asked.dropFirst(before).map(\.stop)) == [.euston])
    }

    @Test("while nobody vouches for the time it is everybody's hour")
    func unsure() {
        let never = WeeklyWindow(from: 60, to: 61, days: [.sun])
        var hallway = Hallway(
            [Favourite(stop: .oxford, label: "Oxford St", when: [never])],
            reading: CorrectedClock.Reading(wall: Hallway.start, isSynchronised: false), answer: oxford)
        hallway.wait(.seconds(3))
        #expect(hallway.glass[0].hasPrefix("Oxford St"))
    }

    @Test("alerts that are over are none of this favourite's")
    func alerts() {
        let answer: Hallway.Operator = { request, time in
            .success(
                FeedResponse(
                    stop: Stop(id: request.stop),
                    departures: [.bus("73", to: "Oxford Circus", in: .seconds(600), from: time)],
                    alerts: [
                        Alert("Diverted", scope: .lines(["390"]), until: Hallway.start + .seconds(100)),
                        Alert("Over", scope: .stop, until: Hallway.start - .seconds(1)),
                    ]))
        }
        var touched = hallway(Favourite(stop: .oxford, lines: ["390"]), answer)
        #expect(touched.glass[0].contains("!"))
        touched.answer = { _, _ in nil }
        touched.wait(.seconds(100))
        #expect(!touched.glass[0].contains("!"))
    }

    @Test("with alerts_row the last row tells them, part by part, 2.5 s each")
    func alertsRow() {
        var options = BoardOptions()
        options.alertsRow = true
        var hallway = Hallway(
            [Favourite(stop: .oxford, label: "Oxford St")], options: options,
            answer: telling([Alert("Buses are diverted by way of Park Lane")], with: oxford))
        hallway.wait(.seconds(3))
        var seen: Set<String> = []
        for _ in 0..<4 {
            seen.insert(hallway.glass[3])
            hallway.wait(.milliseconds(2_500))
        }
        #expect(seen == ["Buses are diverted  ", "by way of Park Lane "])
        #expect(hallway.glass[1].contains("due") || hallway.glass[1].contains("Archway"))
    }
}
