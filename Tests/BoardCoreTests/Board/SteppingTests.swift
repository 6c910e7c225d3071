import BoardCore
import Testing

@Suite("A board without presses")
struct SteppingTests {
    private let two = [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston")]

    /// The pages of the first minute, in the order in which they come into view, with their screens.
    private func pages(_ options: BoardOptions) -> [String] {
        var simulation = SimulatedBoard(two, after: .zero, size: .small, options: options, respond: buses(4))
        var seen: [String] = []
        simulation.wait(.seconds(60)) { simulation in
            let report = simulation.board.report(at: simulation.now)
            let page = "\(report.stopInView?.code ?? report.pageInView.id) \(report.pageInView.screen)"
            if page != seen.last { seen.append(page) }
        }
        return seen
    }

    @Test("with two rows turns from stop to stop only if configured, not through their screens or the overview")
    func rotation() {
        #expect(pages(BoardOptions()) == ["490008660N 0"])
        let options = BoardOptions.with { $0.rotation = .every(.seconds(10)) }
        #expect(pages(options).prefix(4) == ["490008660N 0", "490000078A 0", "490008660N 0", "490000078A 0"])
        // The name of a stop is a page before its departures.
        var simulation = SimulatedBoard(
            two, after: .milliseconds(15_999), size: .small, options: options, respond: buses(4))
        simulation.shows(
            """
            |Euston N        |
            |12:04           |
            """)
        simulation.wait(.milliseconds(1))
        #expect(simulation.rows[0].hasPrefix("1 Place 1"))
    }

    @Test("with four rows does not turn unless configured")
    func stays() {
        var simulation = SimulatedBoard(two, after: .seconds(120), respond: buses(4))
        #expect(simulation.rows[0].hasPrefix("Oxford N      "))
        simulation = SimulatedBoard(
            two, after: .seconds(11), options: .with { $0.rotation = .every(.seconds(10)) }, respond: buses(4))
        #expect(simulation.rows[0] == "Euston N       12:04")
    }

    @Test("turns from the overview, which is no stop, to the first stop")
    func rotationFromOverview() {
        var options = BoardOptions()
        options.rotation = .every(.seconds(10))
        options.returnHome = nil
        var simulation = SimulatedBoard(two, options: options, respond: buses(2))
        for _ in 0..<2 { simulation.press() }
        #expect(simulation.rows[0].hasPrefix("Mon 2 Mar"))
        simulation.wait(.seconds(61))
        #expect(simulation.rows[0].hasPrefix("Oxford"), "\(simulation.rows[0])")
    }

    @Test("pauses rotation after a press until it has returned home")
    func rests() {
        var simulation = SimulatedBoard(two, options: .with { $0.rotation = .every(.seconds(10)) }, respond: buses(2))
        simulation.press()
        simulation.wait(.seconds(59))
        #expect(simulation.rows[0].hasPrefix("Euston"))
        simulation.wait(.seconds(1))
        #expect(simulation.rows[0].hasPrefix("Oxford"))
        simulation.wait(.seconds(11))
        #expect(simulation.rows[0].hasPrefix("Euston"))
    }

    @Test("rotation pauses on a detail page until it closes with the return home")
    func leftOpen() {
        var simulation = SimulatedBoard(two, options: .with { $0.rotation = .every(.seconds(10)) }, respond: buses(9))
        for _ in 0..<2 { simulation.press() }
        simulation.wait(.seconds(6))
        #expect(simulation.rows[0].hasPrefix("Euston"))
        simulation.open()
        #expect(simulation.rows[0].hasPrefix("1 Place 1"))
        var seen: [String] = []
        simulation.wait(.seconds(240)) { simulation in
            let name = String(simulation.rows[0].prefix(6))
            if name != seen.last { seen.append(name) }
        }
        // It closes with the return home.
        #expect(seen.prefix(3) == ["1 Plac", "Oxford", "Euston"] && !seen.dropFirst().contains("1 Plac"), "\(seen)")
    }

    @Test("still shows that there is no network after a reload, although old rows are stored")
    func reloadInOutage() {
        var simulation = SimulatedBoard(
            [two[0]], after: .seconds(5_000),
            respond: { request, time in
                if time - SimulatedBoard.start < .seconds(60) { return oxford(request, time) }
                return .failure(FeedError(.noNetwork, detail: ""))
            })
        #expect(simulation.rows[1] == "No network since    ")
        simulation.send(.configured(simulation.setup))
        #expect(simulation.rows[1] == "No network since    ")
    }

    @Test("never returns home if so configured")
    func staysAway() {
        var simulation = SimulatedBoard(two, options: .with { $0.returnHome = nil }, respond: buses(2))
        simulation.press()
        simulation.wait(.seconds(3_600))
        #expect(simulation.rows[0].hasPrefix("Euston"))
    }

    @Test("preserves page, order and rows over a reload, and goes home when its page is removed")
    func reload() {
        var simulation = SimulatedBoard(two, respond: buses(4))
        simulation.press()
        simulation.press()
        #expect(simulation.rows[0].hasPrefix("Euston N    page 1/2"))
        var setup = simulation.setup
        setup.options.clock = .h12
        simulation.send(.configured(setup))
        simulation.wait(.seconds(6))
        #expect(simulation.rows[0].hasPrefix("Euston N      12:04p"))
        #expect(simulation.rows[1].hasPrefix("1 Place 1"))
        setup.favourites.removeLast()
        simulation.send(.configured(setup))
        #expect(simulation.rows[0].hasPrefix("Oxford"))
    }

    @Test("retries a cancelled request only after a while")
    func cancelled() {
        let simulation = SimulatedBoard([two[0]], after: .seconds(60), respond: failing(.cancelled))
        #expect((8...12).contains(simulation.polls.count))
    }
}
