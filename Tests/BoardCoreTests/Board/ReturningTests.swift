import BoardCore
import Testing

@Suite("What is known of a favourite that comes back, or that a person wants something else of")
struct ReturningTests {
    /// It is Monday, 12:04.
    private static let hours = [
        WeeklyWindow(from: 12 * 60, to: 12 * 60 + 6), WeeklyWindow(from: 14 * 60, to: 15 * 60),
    ]

    private func hallway(_ favourite: Favourite, _ answer: @escaping Hallway.Operator = oxford) -> Hallway {
        var hallway = Hallway([favourite], options: .staying, answer: answer)
        hallway.wait(.seconds(3))
        return hallway
    }

    @Test("it loads when its hours begin again, and claims nothing of what it knew")
    func hours() {
        var hallway = hallway(
            Favourite(stop: .oxford, label: "Oxford St", when: Self.hours),
            telling([Alert("Lifts are out of order.")], with: oxford))
        #expect(hallway.glass[0].contains("!"))
        hallway.answer = { _, _ in nil }
        hallway.wait(.seconds(7_197))
        // 14:04:00, and the operator says nothing.
        expectGlass(
            hallway,
            """
            |Oxford St N   14:04×|
            |TfL does not answer |
            |since 14:00         |
            |                    |
            """)
        var again = self.hallway(
            Favourite(stop: .oxford, label: "Oxford St", when: Self.hours),
            telling([Alert("Lifts are out of order.")], with: oxford))
        again.answer = { _, _ in nil }
        // 14:00:02: asked, and not answered yet.
        again.wait(.seconds(6_959))
        expectGlass(
            again,
            """
            |Oxford St N   14:00 |
            |Loading             |
            |                    |
            |                    |
            """)
    }

    @Test("a train that was open when its hours ended is not open, nor said to have gone, when they begin again")
    func detailPage() {
        var hallway = hallway(Favourite(stop: .oxford, label: "Oxford St", when: Self.hours))
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(6_963))
        #expect(hallway.glass[0].hasPrefix("Oxford St"), "\(hallway.text)")
        #expect(!hallway.text.contains("gone"))
    }

    @Test("a restart outside of its hours leaves its order, its name and its letter")
    func restart() throws {
        var hallway = hallway(Favourite(stop: .oxford, when: Self.hours))
        #expect(hallway.glass[1].hasPrefix("73"))
        for _ in 0..<2 { hallway.press(for: .milliseconds(700)) }
        hallway.wait(.seconds(3))
        #expect(hallway.glass[1].hasPrefix("390"))
        hallway.wait(.seconds(600))
        try hallway.restart(after: .seconds(10))
        hallway.answer = { _, _ in nil }
        hallway.wait(.seconds(6_400))
        #expect(hallway.glass[0].hasPrefix("Oxford St N"), "\(hallway.text)")
        hallway.answer = oxford
        hallway.send(.refresh)
        hallway.wait(.seconds(400))
        #expect(hallway.glass[1].hasPrefix("390"), "\(hallway.text)")
    }

    @Test("trains that go elsewhere are not shown under a new wish, which is asked about at once")
    func towards() {
        let answer: Hallway.Operator = { request, time in
            .success(
                FeedResponse(
                    stop: Stop(id: request.stop),
                    departures: [.train(to: request.towards ?? "Anywhere", booked: 9, madeAt: time)],
                    alerts: [Alert("Lifts are out of order.")]))
        }
        var hallway = hallway(Favourite(stop: .oxford, label: "Home", towards: "PAD"), answer)
        #expect(hallway.text.contains("PAD"))
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(3))
        var setup = hallway.setup
        setup.favourites = [Favourite(stop: .oxford, label: "Home", towards: "RDG")]
        hallway.send(.configured(setup))
        expectGlass(
            hallway,
            """
            |Home          12:04 |
            |Loading             |
            |                    |
            |                    |
            """)
        #expect(hallway.questions.last?.towards == "RDG")
        hallway.wait(.seconds(1))
        #expect(hallway.text.contains("RDG"))
    }

    @Test("also while the old question is still under way")
    func underWay() {
        var hallway = hallway(Favourite(stop: .oxford, towards: "PAD"), { _, _ in nil })
        var setup = hallway.setup
        setup.favourites = [Favourite(stop: .oxford, towards: "RDG")]
        hallway.send(.configured(setup))
        #expect(hallway.questions.map(\.towards) == ["PAD", "RDG"])
    }

    @Test("a new label leaves what is known, and so do other platforms")
    func label() {
        var hallway = hallway(Favourite(stop: .oxford, label: "Oxford St", lines: ["73"]))
        let before = hallway.glass[1]
        var setup = hallway.setup
        setup.favourites = [Favourite(stop: .oxford, label: "Work", lines: ["73"])]
        hallway.send(.configured(setup))
        #expect(hallway.glass[1] == before)
        #expect(hallway.questions.count == 1)
        // Other platforms may have another next one, which is asked about beside what is known.
        setup.favourites = [Favourite(stop: .oxford, label: "Work", lines: ["73"], platforms: ["1"])]
        hallway.send(.configured(setup))
        #expect(hallway.glass[1] == before)
        #expect(hallway.questions.map(\.platforms) == [[], ["1"]])
    }
}
