import BoardCore
import Testing

@Suite("A board that was kept over a restart of the program")
struct SnapshotTests {
    @Test("shows at once what is still valid, aged by the pause, before any operator was asked")
    func firstFrame() throws {
        var hallway = Hallway([Favourite(stop: .oxford, label: "Oxford St")], answer: oxford)
        hallway.wait(.seconds(3))
        try hallway.restart(after: .seconds(100))
        // The bus that was due has gone; the others are 100 s nearer. Nothing is drained: nobody was asked yet.
        expectGlass(
            hallway,
            """
            |Oxford St N   12:05 |
            |390 Archway       2m|
            |N73 Walthamsto?13:10|
            |                    |
            """)
    }

    @Test("marks as old what grew old while the program was away, and shows nothing that is void")
    func longPause() throws {
        var hallway = Hallway([Favourite(stop: .oxford, label: "Oxford St")], answer: oxford)
        hallway.wait(.seconds(3))
        try hallway.restart(after: .seconds(260))
        expectGlass(
            hallway,
            """
            |Oxford St N   12:08 |
            |390 Archway   ?  due|
            |N73 Walthamsto?13:10|
            |                    |
            """)
        try hallway.restart(after: .seconds(3_600 * 3))
        #expect(!hallway.text.contains("Archway") && !hallway.text.contains("Walth"))
    }

    @Test("asks about every stop at once, as after any start")
    func asks() throws {
        var hallway = Hallway([Favourite(stop: .oxford), Favourite(stop: .euston)], answer: oxford)
        hallway.wait(.seconds(3))
        try hallway.restart(after: .seconds(1))
        hallway.send(.woke)
        #expect(Set(hallway.asked.map(\.stop)) == [.oxford, .euston])
    }

    @Test(
        "stays on the page and the screen that a person looked at, in the order that they chose, and goes home in time")
    func view() throws {
        var hallway = Hallway([Favourite(stop: .oxford), Favourite(stop: .euston)], answer: buses(7))
        hallway.wait(.seconds(3))
        hallway.press(for: .milliseconds(700))
        for _ in 0..<4 { hallway.press() }
        hallway.wait(.seconds(5))
        let before = hallway.glass.map { $0.prefix(16) }
        #expect(before[0].contains("2/3"))
        try hallway.restart(after: .seconds(1))
        #expect(hallway.glass.map { $0.prefix(16) } == before)
        let report = hallway.board.report(at: hallway.now)
        #expect(report.stopInView == .euston && report.screen == 1)
        hallway.wait(.seconds(60))
        #expect(hallway.board.report(at: hallway.now).stopInView == .oxford)
        #expect(!hallway.glass[0].contains("2/3"))
    }

    @Test("an opened service is still open")
    func detailPage() throws {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: buses(3))
        hallway.wait(.seconds(3))
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(3))
        let before = hallway.glass
        #expect(before[0].contains("1/3"))
        try hallway.restart(after: .seconds(1))
        #expect(hallway.glass == before)
    }

    @Test("a stop that is no favourite any more is forgotten; a new one loads, and the page in view stays if it exists")
    func otherFavourites() throws {
        var hallway = Hallway([Favourite(stop: .oxford, label: "Oxford St")], answer: oxford)
        hallway.wait(.seconds(3))
        var setup = hallway.setup
        setup.favourites = [Favourite(stop: .euston, label: "Euston")]
        try hallway.restart(after: .seconds(1), setup: setup)
        #expect(hallway.glass[0] == "Euston        12:04 ")
        #expect(!hallway.text.contains("Archway"))
    }

    @Test("a new order in the file wins over the order that a press chose")
    func newOrder() throws {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: oxford)
        hallway.wait(.seconds(3))
        var setup = hallway.setup
        setup.favourites = [Favourite(stop: .oxford, sort: .destination)]
        try hallway.restart(after: .seconds(1), setup: setup)
        #expect(hallway.board.report(at: hallway.now).stops[0].favourite.sort == .destination)
        #expect(hallway.glass[1].contains("Archway"))
    }

    @Test("a number that was held is held on, and a feed that was frozen is frozen still")
    func holds() throws {
        let madeAt = Hallway.start - .seconds(40)
        var hallway = Hallway(
            [Favourite(stop: .oxford)],
            answer: { request, _ in
                .success(
                    FeedResponse(
                        stop: Stop(id: request.stop),
                        departures: [
                            Departure(
                                stop: request.stop, line: Line(id: "73", name: "73"), destination: "Oxford Circus",
                                vehicle: "LTZ1", status: .expected(Hallway.start + .seconds(3_000)), madeAt: madeAt,
                                expiresAt: Hallway.start + .seconds(3_030))
                        ]))
            })
        hallway.wait(.seconds(400))
        #expect(hallway.text.contains("frozen"))
        try hallway.restart(after: .seconds(1))
        #expect(hallway.text.contains("frozen"))
    }

    @Test("a refusal that a person may have mended meanwhile is asked about anew")
    func refusal() throws {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: failing(.keyRejected))
        hallway.wait(.seconds(3))
        #expect(hallway.board.report(at: hallway.now).stops[0].status != .loading)
        try hallway.restart(after: .seconds(1))
        #expect(hallway.board.report(at: hallway.now).stops[0].status == .loading)
    }

    @Test("the time that a feed told is kept while nobody vouches for the machine's clock")
    func clock() throws {
        let wrong = CorrectedClock.Reading(wall: Timestamp(seconds: 1_000_000_000), isSynchronised: false)
        var hallway = Hallway(
            [Favourite(stop: .oxford)], reading: wrong, sendsDates: true)
        hallway.wait(.seconds(3))
        #expect(hallway.glass[0].hasSuffix("12:04█"))
        try hallway.restart(after: .seconds(1), reading: wrong)
        #expect(hallway.glass[0].hasSuffix("12:04 "))
    }

    @Test("what was kept in another boot of the machine is not believed")
    func otherBoot() throws {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: oxford)
        hallway.wait(.seconds(3))
        try hallway.restart(after: .seconds(-40))
        #expect(hallway.board.report(at: hallway.now).stops[0].status == .loading)
        #expect(!hallway.text.contains("Archway"))
    }

    @Test("only what changes a snapshot asks for it to be kept")
    func commands() {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: { _, _ in nil })
        let answer = FeedResponse(stop: Stop(id: .oxford), departures: [])
        #expect(hallway.board.handle(.polled(answer), at: hallway.now).contains(.saveSnapshot))
        #expect(hallway.board.handle(.gesture(.short, ButtonID(0)), at: hallway.now).contains(.saveSnapshot))
        #expect(!hallway.board.handle(.woke, at: hallway.now).contains(.saveSnapshot))
        #expect(!hallway.board.handle(.refresh, at: hallway.now).contains(.saveSnapshot))
    }
}
