import BoardCore
import Testing

@Suite("What people at a stop should know")
struct AlertTests {
    private static let lift = Alert("Lifts out of order.")

    private func hallway(
        _ favourite: Favourite = Favourite(stop: .oxford, label: "Oxford St"), _ alert: Alert = lift,
        options: BoardOptions = .staying, profile: FeedProfile = Hallway.tfl,
        with answer: @escaping Hallway.Operator = oxford
    ) -> Hallway {
        var hallway = Hallway([favourite], options: options, profile: profile, answer: telling([alert], with: answer))
        hallway.wait(.seconds(3))
        return hallway
    }

    @Test("is over ten minutes after the last answer that told it, and its page with it")
    func dead() {
        var hallway = hallway()
        hallway.answer = { _, _ in nil }
        hallway.wait(.seconds(590))
        #expect(hallway.glass[0].contains("!"))
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(3))
        #expect(hallway.text.contains("Lifts out"))
        hallway.wait(.seconds(10))
        #expect(!hallway.text.contains("!") && !hallway.text.contains("Lifts"), "\(hallway.text)")
    }

    @Test("is not told after a restart when the board was kept for longer than that")
    func kept() throws {
        var hallway = hallway()
        try hallway.restart(after: .seconds(300))
        #expect(hallway.glass[0].contains("!"))
        try hallway.restart(after: .seconds(8 * 3_600))
        #expect(!hallway.glass[0].contains("!"))
        // Nobody knows yet what is predicted now.
        #expect(hallway.glass[1].hasPrefix("Loading"), "\(hallway.text)")
    }

    @Test("stands while an operator is asked only once an hour")
    func seldom() {
        let profile = FeedProfile(
            name: FeedName("tfl"), title: "TfL", attribution: "", staleAfter: .seconds(180), suffixes: [],
            interval: .seconds(3_600), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))
        var hallway = hallway(profile: profile)
        hallway.wait(.seconds(3_000))
        #expect(hallway.asked.count == 1)
        #expect(hallway.glass[0].contains("!"))
    }

    @Test("is told to whoever names the line as riders call it")
    func namedLine() {
        let alert = Alert("Severe delays", scope: .lines(["elizabeth"]), severity: .severe)
        let hallway = hallway(Favourite(stop: .oxford, label: "Oxford St", lines: ["Elizabeth line"]), alert)
        #expect(hallway.glass[0].contains("!"))
    }

    @Test("stands in the last row also where no departure does")
    func lastRow() {
        var options = BoardOptions()
        options.alertsRow = true
        let hallway = hallway(
            options: options,
            with: { request, _ in .success(FeedResponse(stop: Stop(id: request.stop), departures: [])) })
        expectGlass(
            hallway,
            """
            |Oxford St   ! 12:04█|
            |Nothing predicted   |
            |                    |
            |Lifts out of order. |
            """)
    }
}
