import Testing

@testable import BoardCore

@Suite("A board restored after a restart of the program")
struct SnapshotTests {
    @Test("shows at once what is still valid, aged by the pause, before the first response")
    func firstFrame() throws {
        var simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St")], respond: oxford)
        try simulation.restart(after: .seconds(100))
        // The bus that was due has left; the others are 100 s nearer.
        simulation.shows(
            """
            |Oxford St N    12:05|
            |390 Archway       2m|
            |N73 Walthamst… 13:10|
            |                    |
            """)
    }

    @Test("marks estimates that became stale during the pause, and shows nothing that has expired")
    func longPause() throws {
        var simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St")], respond: oxford)
        try simulation.restart(after: .seconds(260))
        simulation.shows(
            """
            |Oxford St N    12:08|
            |390 Archway     ~due|
            |N73 Walthamst… 13:10|
            |                    |
            """)
        try simulation.restart(after: .seconds(3_600 * 3))
        #expect(!simulation.text.contains("Archway") && !simulation.text.contains("Walth"))
    }

    @Test("polls every stop at once, as after any start")
    func polls() throws {
        var simulation = SimulatedBoard([Favourite(stop: .oxford), Favourite(stop: .euston)], respond: oxford)
        try simulation.restart(after: .seconds(1))
        simulation.send(.woke)
        #expect(Set(simulation.polls.map(\.stop)) == [.oxford, .euston])
    }

    @Test(
        "preserves page and screen, and returns home in time; its order is the configured one")
    func view() throws {
        var simulation = SimulatedBoard([Favourite(stop: .oxford), Favourite(stop: .euston)], respond: buses(7))
        simulation.press()
        simulation.press()
        simulation.sort()
        simulation.wait(.seconds(6))
        #expect(simulation.rows[0].contains("by line"))
        simulation.press()
        simulation.wait(.seconds(6))
        #expect(simulation.rows[1].hasPrefix("4 Place 4"))
        let before = simulation.rows.map { $0.prefix(10) }
        try simulation.restart(after: .seconds(1))
        #expect(simulation.rows.map { $0.prefix(10) } == before)
        let report = simulation.board.report(at: simulation.now)
        #expect(report.stopInView == .euston && report.pageInView.screen == 1)
        simulation.wait(.seconds(60))
        #expect(simulation.board.report(at: simulation.now).stopInView == .oxford)
        #expect(simulation.rows[1].hasPrefix("1 Place 1"))
    }

    @Test("drops a stop that is no longer a favourite; a new one loads, and the page in view stays if it exists")
    func otherFavourites() throws {
        var simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St")], respond: oxford)
        var setup = simulation.setup
        setup.favourites = [Favourite(stop: .euston, label: "Euston")]
        try simulation.restart(after: .seconds(1), setup: setup)
        #expect(simulation.rows[0] == "Euston         12:04")
        #expect(!simulation.text.contains("Archway"))
    }

    @Test("on its home page shows the new home page after a restart; on another, to which a press led, the same page")
    func newFirstFavourite() throws {
        var simulation = SimulatedBoard([], respond: oxford)
        var setup = simulation.setup
        setup.favourites = [Favourite(stop: .oxford, label: "Oxford St")]
        try simulation.restart(after: .seconds(1), setup: setup)
        #expect(simulation.board.report(at: simulation.now).stopInView == .oxford)
        setup.favourites.insert(Favourite(stop: .euston, label: "Euston"), at: 0)
        try simulation.restart(after: .seconds(1), setup: setup)
        #expect(simulation.board.report(at: simulation.now).stopInView == .euston)
        simulation.press()
        simulation.wait(.seconds(1))
        let other = StopID(feed: FeedName("tfl"), code: "490000248G")
        setup.favourites.insert(Favourite(stop: other, label: "Victoria"), at: 0)
        try simulation.restart(after: .seconds(1), setup: setup)
        #expect(simulation.board.report(at: simulation.now).stopInView == .oxford)
    }

    @Test("a new order in the file takes precedence over one chosen by a press")
    func newOrder() throws {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], respond: oxford)
        var setup = simulation.setup
        setup.favourites = [Favourite(stop: .oxford, sort: .destination)]
        try simulation.restart(after: .seconds(1), setup: setup)
        #expect(simulation.board.favourites[0].favourite.sort == .destination)
        #expect(simulation.rows[1].contains("Archway"))
    }

    @Test("preserves a minute hold and a frozen feed")
    func holds() throws {
        let madeAt = SimulatedBoard.start - .seconds(40)
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], after: .seconds(400),
            respond: departing { request, _ in
                [
                    Departure(
                        stop: request.stop, line: Line(id: "73", name: "73"), destination: "Oxford Circus",
                        vehicle: "LTZ1", status: .expected(SimulatedBoard.start + .seconds(3_000)), madeAt: madeAt,
                        expiresAt: SimulatedBoard.start + .seconds(3_030))
                ]
            })
        #expect(simulation.firstRows().contains("TfL data from 12:03"))
        try simulation.restart(after: .seconds(1))
        #expect(simulation.firstRows().contains("TfL data from 12:03"))
    }

    @Test("retries after a rejection whose cause may have been fixed")
    func rejection() throws {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], respond: failing(.keyRejected))
        #expect(simulation.board.report(at: simulation.now).stops[0].status != .loading)
        try simulation.restart(after: .seconds(1))
        #expect(simulation.board.report(at: simulation.now).stops[0].status == .loading)
    }

    @Test("preserves the time of the last response after a reload that cleared a rejection")
    func clearedRejection() throws {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], respond: oxford)
        let lastResponseAt = simulation.board.report(at: simulation.now).stops[0].lastResponseAt
        simulation.respond = failing(.unknownStop)
        simulation.wait(.seconds(90))
        simulation.send(.configured(simulation.setup))
        #expect(simulation.board.report(at: simulation.now).stops[0].status == .loading)
        try simulation.restart(after: .seconds(60))
        #expect(simulation.board.report(at: simulation.now).stops[0].lastResponseAt == lastResponseAt)
    }

    @Test("preserves the time of a feed's Date while the system clock is not synchronised")
    func clock() throws {
        let wrong = CorrectedClock.Reading(wall: Timestamp(seconds: 1_000_000_000), isSynchronised: false)
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], reading: wrong, sendsDates: true)
        #expect(simulation.rows[0].hasSuffix(" 12:04"))
        try simulation.restart(after: .seconds(1), reading: wrong)
        #expect(simulation.rows[0].hasSuffix(" 12:04"))
    }

    @Test("a snapshot of another boot is ignored")
    func otherBoot() throws {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], respond: oxford)
        try simulation.restart(after: .seconds(-40))
        #expect(simulation.board.report(at: simulation.now).stops[0].status == .loading)
        #expect(!simulation.text.contains("Archway"))
    }

    @Test("only events that change a snapshot request that it is saved")
    func commands() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], after: .zero, respond: { _, _ in nil })
        let response = FeedResponse(stop: Stop(id: .oxford), departures: [])
        #expect(simulation.board.handle(.polled(response), at: simulation.now).contains(.saveSnapshot))
        #expect(simulation.board.handle(.gesture(.short, ButtonID(0)), at: simulation.now).contains(.saveSnapshot))
        #expect(!simulation.board.handle(.woke, at: simulation.now).contains(.saveSnapshot))
        #expect(!simulation.board.handle(.refresh, at: simulation.now).contains(.saveSnapshot))
    }
}
