import BoardCore
import Testing

@Suite("Alerts")
struct AlertTests {
    private static let lift = Alert("Lifts out of order.")

    private func simulation(
        _ favourite: Favourite = Favourite(stop: .oxford, label: "Oxford St"), _ alert: Alert = lift,
        options: BoardOptions = .staying, profile: FeedProfile = SimulatedBoard.tfl,
        with respond: @escaping SimulatedBoard.Operator = oxford
    ) -> SimulatedBoard {
        return SimulatedBoard(
            [favourite], options: options, profile: profile, respond: reporting([alert], with: respond))
    }

    @Test("expire with their page ten minutes after the last response that contained them")
    func expire() {
        var simulation = simulation()
        simulation.respond = { _, _ in nil }
        simulation.wait(.seconds(590))
        #expect(simulation.rows[0].contains("⚠"))
        simulation.open()
        simulation.wait(.seconds(3))
        #expect(simulation.text.contains("Lifts out"))
        simulation.wait(.seconds(10))
        #expect(!simulation.text.contains("⚠") && !simulation.text.contains("Lifts"), "\(simulation.text)")
    }

    @Test("that end while they are open close their page", arguments: [DisplaySize(columns: 20, rows: 4), .small])
    func ended(size: DisplaySize) {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St")], size: size, options: .staying,
            respond: reporting([Self.lift], with: oxford))
        simulation.open()
        simulation.wait(.seconds(3))
        #expect(simulation.text.contains("Lifts out"))
        simulation.respond = oxford
        simulation.wait(.seconds(60))
        #expect(!simulation.text.contains("Lifts") && simulation.text.contains("73"), "\(simulation.text)")
    }

    @Test("are not shown after a restart if the snapshot is older than that")
    func restart() throws {
        var simulation = simulation()
        try simulation.restart(after: .seconds(300))
        #expect(simulation.rows[0].contains("⚠"))
        try simulation.restart(after: .seconds(8 * 3_600))
        #expect(!simulation.rows[0].contains("⚠"))
        // The current predictions are not yet available.
        #expect(simulation.rows[1].hasPrefix("Loading"), "\(simulation.text)")
    }

    @Test("stay while the operator is polled only once an hour")
    func seldom() {
        let profile = FeedProfile(
            name: FeedName("tfl"), title: "TfL", attribution: "", suffixes: [],
            interval: .seconds(3_600), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))
        var simulation = simulation(profile: profile)
        simulation.wait(.seconds(3_000))
        #expect(simulation.polls.count == 1)
        #expect(simulation.rows[0].contains("⚠"))
    }

    @Test("are shown for a line that is configured by its public name")
    func namedLine() {
        let alert = Alert("Severe delays", scope: .lines(["elizabeth"]), severity: .severe)
        let simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", lines: ["Elizabeth line"]), alert)
        #expect(simulation.rows[0].contains("⚠"))
    }

    @Test("appear in the last row even without departures")
    func lastRow() {
        let simulation = simulation(
            options: .with { $0.alertsRow = true },
            with: { request, _ in .success(FeedResponse(stop: Stop(id: request.stop), departures: [])) })
        simulation.shows(
            """
            |Oxford St   ⚠ 12:04█|
            |No departures       |
            |predicted           |
            |order. ■            |
            """)
    }

    @Test("in the last row begin at their beginning whenever the page is opened or they change, and end with a mark")
    func parts() {
        var options = BoardOptions.staying
        options.alertsRow = true
        let lift = Alert("The lift to platform 1 is out of order.", severity: .severe)
        let works = Alert("Works until Sunday.", severity: .information)
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St"), Favourite(stop: .euston, label: "Euston")], after: .zero,
            options: options,
            respond: reporting([lift, works], with: oxford))
        func parts(_ count: Int) -> [String] {
            var seen = [simulation.rows[3]]
            simulation.wait(
                .milliseconds(2_500 * (count - 1)),
                watching: { board in
                    if board.rows[3] != seen.last { seen.append(board.rows[3]) }
                })
            return seen
        }
        simulation.wait(.milliseconds(2_100))
        #expect(
            parts(5) == [
                "⚠ The lift to       ", "platform 1 is out of", "order. ■            ", "⚠ Works until       ",
                "Sunday. ■           ",
            ])
        simulation.press()
        #expect(simulation.rows[3] == "⚠ The lift to       ")
        simulation.wait(.seconds(4))
        #expect(simulation.rows[3] == "platform 1 is out of")
        simulation.send(.polled(FeedResponse(stop: Stop(id: .euston), departures: [], alerts: [lift])))
        #expect(simulation.rows[3] == "⚠ The lift to       ")
    }

    @Test("in the details are numbered, begin in the first cell, and have a screen of their own each")
    func numbered() {
        let alerts = [
            Alert("No trains to Bristol because of a signal failure at Reading until the evening.", severity: .severe),
            Alert("The lift is out of order.", severity: .information),
        ]
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], options: .staying, respond: reporting(alerts, with: oxford))
        simulation.open()
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |⚠1/2 No trains to   |
            |Bristol because of a|
            |signal failure at   |
            |Reading until the   |
            """)
        simulation.press()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0] == "evening.            ")
        simulation.press()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0...1] == ["⚠2/2 The lift is out", "of order.           "])
    }
}
