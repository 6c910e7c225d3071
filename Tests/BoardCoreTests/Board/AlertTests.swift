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
        var simulation = SimulatedBoard(
            [favourite], options: options, profile: profile, respond: reporting([alert], with: respond))
        simulation.wait(.seconds(3))
        return simulation
    }

    @Test("expire with their page ten minutes after the last response that contained them")
    func expire() {
        var simulation = simulation()
        simulation.respond = { _, _ in nil }
        simulation.wait(.seconds(590))
        #expect(simulation.rows[0].contains("!"))
        simulation.press(for: .milliseconds(1_600))
        simulation.wait(.seconds(3))
        #expect(simulation.text.contains("Lifts out"))
        simulation.wait(.seconds(10))
        #expect(!simulation.text.contains("!") && !simulation.text.contains("Lifts"), "\(simulation.text)")
    }

    @Test("are not shown after a restart if the snapshot is older than that")
    func restart() throws {
        var simulation = simulation()
        try simulation.restart(after: .seconds(300))
        #expect(simulation.rows[0].contains("!"))
        try simulation.restart(after: .seconds(8 * 3_600))
        #expect(!simulation.rows[0].contains("!"))
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
        #expect(simulation.rows[0].contains("!"))
    }

    @Test("are shown for a line that is configured by its public name")
    func namedLine() {
        let alert = Alert("Severe delays", scope: .lines(["elizabeth"]), severity: .severe)
        let simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", lines: ["Elizabeth line"]), alert)
        #expect(simulation.rows[0].contains("!"))
    }

    @Test("appear in the last row even without departures")
    func lastRow() {
        var options = BoardOptions()
        options.alertsRow = true
        let simulation = simulation(
            options: options,
            with: { request, _ in .success(FeedResponse(stop: Stop(id: request.stop), departures: [])) })
        expectScreen(
            simulation,
            """
            |Oxford St   ! 12:04█|
            |Nothing predicted   |
            |                    |
            |Lifts out of order. |
            """)
    }
}
