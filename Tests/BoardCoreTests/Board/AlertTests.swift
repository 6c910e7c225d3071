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
        #expect(simulation.firstRows().contains { $0.hasPrefix("⚠") })
        simulation.open()
        simulation.wait(.seconds(3))
        #expect(simulation.text.contains("Lifts out"))
        simulation.wait(.seconds(10))
        #expect(!simulation.text.contains("⚠") && !simulation.text.contains("Lifts"), "\(simulation.text)")
        #expect(!simulation.firstRows().contains { $0.hasPrefix("⚠") })
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
        #expect(simulation.firstRows().contains { $0.hasPrefix("⚠") })
        try simulation.restart(after: .seconds(8 * 3_600))
        #expect(!simulation.firstRows().contains { $0.hasPrefix("⚠") })
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
        #expect(simulation.firstRows().contains { $0.hasPrefix("⚠") })
    }

    @Test("are shown for a line that is configured by its public name")
    func namedLine() {
        let alert = Alert("Severe delays", lines: ["elizabeth"], severity: .severe)
        let simulation = simulation(Favourite(stop: .oxford, label: "Oxford St", lines: ["Elizabeth line"]), alert)
        #expect(simulation.firstRows().contains("⚠ Severe delays"))
    }

    @Test("are told by the first row even without departures")
    func withoutDepartures() {
        let simulation = simulation(
            with: { request, _ in .success(FeedResponse(stop: Stop(id: request.stop), departures: [])) })
        simulation.shows(
            """
            |Oxford St      12:04|
            |No departures       |
            |predicted           |
            |                    |
            """)
        #expect(
            simulation.firstRows(beats: 4) == [
                "Oxford St      12:04", "⚠ Lifts out of…", "…order.", "Oxford St      12:04",
            ])
    }

    @Test("in the first row follow the name in parts of 3 s, most severe first, anew whenever the page is opened")
    func parts() {
        let works = Alert("Works until Sunday.", severity: .information)
        let lift = Alert("The lift to platform 1 is out of order.", severity: .severe)
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St"), Favourite(stop: .euston, label: "Euston")],
            options: .staying, respond: reporting([works, lift], with: oxford))
        // The second of the two beats of the name.
        #expect(
            simulation.firstRows(beats: 7) == [
                "Oxford St N    12:04", "⚠ The lift to…", "…platform 1 is out…", "…of order.", "⚠ Works until…",
                "…Sunday.", "Oxford St N    12:04",
            ])
        simulation.wait(.milliseconds(2_999))
        #expect(simulation.rows[0] == "Oxford St N    12:04")
        simulation.wait(.milliseconds(1))
        #expect(simulation.rows[0] == "⚠ The lift to…      ")
        #expect(simulation.rows[1].hasPrefix("73 ") && simulation.rows[2].hasPrefix("390 "), "it covers no departure")
        simulation.wait(.seconds(7))
        #expect(simulation.rows[0] == "…of order.          ")
        simulation.press()
        simulation.wait(.seconds(6))
        #expect(simulation.rows[0] == "⚠ The lift to…      ")
    }

    @Test("on two rows have a page of their own for 3 s after 9 s of departures")
    func twoRows() {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St")], size: .small, options: .staying,
            respond: reporting([Self.lift], with: oxford))
        simulation.wait(.milliseconds(5_999))
        #expect(simulation.rows[0].hasPrefix("73 ") && simulation.rows[1].hasPrefix("390 "), "\(simulation.text)")
        simulation.wait(.milliseconds(1))
        simulation.shows(
            """
            |⚠ Lifts out of  |
            |order.          |
            """)
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0].hasPrefix("73 ") && simulation.rows[1].hasPrefix("390 "), "\(simulation.text)")
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
            |⚠ 1/2 No trains to  |
            |Bristol because of a|
            |signal failure at   |
            |Reading until the   |
            """)
        simulation.press()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0] == "evening.            ")
        simulation.press()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0...1] == ["⚠ 2/2 The lift is   ", "out of order.       "])
    }
}
