import BoardCore
import Testing

@Suite("The state of a favourite that returns or is reconfigured")
struct ReturningTests {
    /// It is Monday, 12:04.
    private static let hours = [WeeklyWindow(from: 12 * 60, to: 12 * 60 + 6), WeeklyWindow(from: 14 * 60, to: 15 * 60)]

    private func simulation(_ favourite: Favourite, _ respond: @escaping SimulatedBoard.Operator = oxford)
        -> SimulatedBoard
    {
        return SimulatedBoard([favourite], options: .staying, respond: respond)
    }

    @Test("it loads when its hours begin again, without its earlier data")
    func hours() {
        var simulation = simulation(
            Favourite(stop: .oxford, label: "Oxford St", when: Self.hours),
            reporting([Alert("Lifts are out of order.")], with: oxford))
        #expect(simulation.firstRows().contains { $0.hasPrefix("⚠") })
        simulation.respond = { _, _ in nil }
        simulation.wait(.seconds(7_197))
        // 14:04:00, and the operator does not respond.
        simulation.shows(
            """
            |Oxford St N    14:04|
            |TfL has not         |
            |responded since     |
            |14:00               |
            """)
        #expect(!simulation.firstRows().contains { $0.hasPrefix("⚠") })
        var again = self.simulation(
            Favourite(stop: .oxford, label: "Oxford St", when: Self.hours),
            reporting([Alert("Lifts are out of order.")], with: oxford))
        again.respond = { _, _ in nil }
        // 14:00:02: polled, without a response yet.
        again.wait(.seconds(6_959))
        again.shows(
            """
            |Oxford St N    14:00|
            |Loading             |
            |                    |
            |                    |
            """)
    }

    @Test("a detail page that was open when its hours ended is closed when they begin again")
    func detailPage() {
        var simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", when: Self.hours))
        simulation.open()
        simulation.wait(.seconds(6_963))
        #expect(simulation.rows[0].hasPrefix("Oxford St"), "\(simulation.text)")
        #expect(simulation.rows[1].hasPrefix("73 "), "\(simulation.text)")
    }

    @Test("a restart outside its hours preserves its name and letter, and it returns in the configured order")
    func restart() throws {
        var simulation = simulation(Favourite(stop: .oxford, when: Self.hours))
        #expect(simulation.rows[1].hasPrefix("73"))
        for _ in 0..<2 { simulation.sort() }
        simulation.wait(.seconds(3))
        #expect(simulation.rows[1].hasPrefix("390"))
        simulation.wait(.seconds(600))
        try simulation.restart(after: .seconds(10))
        simulation.respond = { _, _ in nil }
        simulation.wait(.seconds(6_400))
        #expect(simulation.rows[0].hasPrefix("Oxford St N"), "\(simulation.text)")
        simulation.respond = oxford
        simulation.send(.refresh)
        simulation.wait(.seconds(400))
        #expect(simulation.rows[1].hasPrefix("73"), "\(simulation.text)")
    }

    @Test("after a change of towards the old departures disappear and the stop is polled at once")
    func towards() {
        let respond: SimulatedBoard.Operator = { request, time in
            .success(
                FeedResponse(
                    stop: Stop(id: request.stop),
                    departures: [.train(to: request.towards.first ?? "Anywhere", booked: 9, madeAt: time)],
                    alerts: [Alert("Lifts are out of order.")]))
        }
        var simulation = simulation(Favourite(stop: .oxford, label: "Home", towards: ["PAD"]), respond)
        #expect(simulation.text.contains("PAD"))
        simulation.open()
        simulation.wait(.seconds(3))
        var setup = simulation.setup
        setup.favourites = [Favourite(stop: .oxford, label: "Home", towards: ["RDG"])]
        simulation.send(.configured(setup))
        simulation.shows(
            """
            |Home           12:04|
            |Loading             |
            |                    |
            |                    |
            """)
        #expect(simulation.requests.last?.towards == ["RDG"])
        simulation.wait(.seconds(1))
        #expect(simulation.text.contains("RDG"))
    }

    @Test("also while the old request is in flight")
    func inFlight() {
        var simulation = simulation(Favourite(stop: .oxford, towards: ["PAD"]), { _, _ in nil })
        var setup = simulation.setup
        setup.favourites = [Favourite(stop: .oxford, towards: ["RDG"])]
        simulation.send(.configured(setup))
        #expect(simulation.requests.map(\.towards) == [["PAD"], ["RDG"]])
    }

    @Test("a new label preserves the departures, and so do new platforms")
    func label() {
        var simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", lines: ["73"]))
        let before = simulation.rows[1]
        var setup = simulation.setup
        setup.favourites = [Favourite(stop: .oxford, label: "Work", lines: ["73"])]
        simulation.send(.configured(setup))
        #expect(simulation.rows[1] == before)
        #expect(simulation.requests.count == 1)
        // Other platforms may have a different next departure, which is requested while the departures stay.
        setup.favourites = [Favourite(stop: .oxford, label: "Work", lines: ["73"], platforms: ["1"])]
        simulation.send(.configured(setup))
        #expect(simulation.rows[1] == before)
        #expect(simulation.requests.map(\.platforms) == [[], ["1"]])
    }
}
