import BoardCore
import Testing

@Suite("What an opened page says of a run")
struct OpenedRunTests {
    private static func call(_ name: String, _ state: CallingPoint.State) -> CallingPoint {
        CallingPoint(name: name, code: name == "Paddington" ? StopID.oxford.code : name.uppercased(), state: state)
    }

    /// A moment as many minutes after 12:04.
    private static func at(_ minutes: Int64) -> Timestamp { Hallway.start + .seconds(60 * minutes) }

    private func hallway(
        _ calls: [CallingPoint], portions: [TripDetails.Portion] = [],
        size: Panel.Size = Panel.Size(columns: 20, rows: 8)
    ) -> Hallway {
        var hallway = Hallway(
            [Favourite(stop: .oxford, label: "Paddington")], size: size, options: .staying, profile: Hallway.rail,
            answer: trains { [.train(to: "Oxford", booked: 40, id: "run", madeAt: $0)] })
        hallway.run = { _, time in
            TripDetails(calls: calls, portions: portions, madeAt: time, expiresAt: Self.at(120))
        }
        hallway.wait(.seconds(3))
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(3))
        return hallway
    }

    @Test("where nobody reported it, the last place where somebody did is told")
    func noReport() {
        let hallway = hallway([
            Self.call("Alpha", .called(Self.at(-23))), Self.call("Beta", .called(nil)),
            Self.call("Paddington", .expected(Self.at(40))), Self.call("Oxford", .expected(Self.at(60))),
        ])
        expectGlass(
            hallway,
            """
            |12:44 Oxford     1/1|
            |39m 12:44           |
            |left Alpha 11:41    |
            |estimate of 12:04   |
            |Oxford         13:04|
            |                    |
            |                    |
            |                    |
            """)
    }

    @Test("a train that has come and not left is there now")
    func status() {
        let hallway = hallway([
            Self.call("Alpha", .arrived(Self.at(-1))), Self.call("Paddington", .expected(Self.at(40))),
            Self.call("Oxford", .expected(Self.at(60))),
        ])
        #expect(hallway.glass[2] == "now at Alpha        ")
    }

    @Test("a train that is divided where one waits is told to be, until it has left", arguments: [true, false])
    func dividesHere(isThere: Bool) {
        let hallway = hallway(
            [
                Self.call("Alpha", .called(Self.at(-23))),
                Self.call("Paddington", isThere ? .arrived(Self.at(0)) : .expected(Self.at(40))),
                Self.call("Oxford", .expected(Self.at(60))),
            ],
            portions: [TripDetails.Portion(at: "Paddington", calls: [Self.call("Newbury", .expected(Self.at(70)))])])
        expectGlass(
            hallway,
            """
            |12:44 Oxford     1/1|
            |39m 12:44           |
            |\(isThere ? "now at Paddington   " : "left Alpha 11:41    ")|
            |estimate of 12:04   |
            |part for Newbury    |
            |from Paddington     |
            |Oxford         13:04|
            |                    |
            """)
    }

    @Test("a run of which nothing new is told is as old as it is, and marked, while its departure is estimated anew")
    func stale() {
        var hallway = hallway([
            Self.call("Alpha", .called(Self.at(-23))), Self.call("Paddington", .expected(Self.at(40))),
            Self.call("Oxford", .expected(Self.at(60))), Self.call("Hereford", .scheduled(Self.at(90))),
        ])
        hallway.runFailure = FeedFailure(.timedOut, detail: "")
        hallway.wait(.seconds(160))
        #expect(hallway.glass[4...5] == ["Oxford         13:04", "Hereford      *13:34"])
        hallway.wait(.seconds(1_340))
        expectGlass(
            hallway,
            """
            |12:44 Oxford     1/1|
            |14m 12:44           |
            |left Alpha 11:41    |
            |estimate of 12:04   |
            |Oxford        ?13:04|
            |Hereford      *13:34|
            |                    |
            |                    |
            """)
    }

    @Test("of what the timetable alone tells there is no estimate, unless the run has one")
    func scheduled() {
        for (state, isEstimated) in [
            (CallingPoint.State.scheduled(Self.at(60)), false), (.expected(Self.at(60)), true),
        ] {
            var hallway = Hallway(
                [Favourite(stop: .oxford, label: "Paddington")], size: Panel.Size(columns: 20, rows: 4),
                options: .staying
            ) { request, time in
                let tram = Departure(
                    stop: request.stop, line: Line(id: "1", name: "1"), destination: "Oxford", booked: Self.at(40),
                    status: .scheduled(Self.at(40)), attributes: TripAttributes(id: "run"), madeAt: time,
                    expiresAt: Self.at(41))
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: [tram]))
            }
            hallway.run = { _, time in
                TripDetails(
                    calls: [Self.call("Paddington", .scheduled(Self.at(40))), Self.call("Oxford", state)], madeAt: time,
                    expiresAt: Self.at(120))
            }
            hallway.wait(.seconds(3))
            hallway.press(for: .milliseconds(1_600))
            hallway.wait(.seconds(3))
            #expect(hallway.glass[1].hasPrefix("*39m 12:44"))
            #expect(hallway.text.contains("estimate of 12:04") == isEstimated, "\(hallway.text)")
        }
    }

    @Test("an operator that refuses the run's key is not asked again while the page is open, and the page says so")
    func refused() {
        var hallway = hallway([Self.call("Paddington", .expected(Self.at(40)))])
        hallway.press(for: .milliseconds(700))
        hallway.runFailure = FeedFailure(.keyRejected, detail: "")
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(3))
        let asked = hallway.followed.count
        #expect(hallway.text.contains("Rail refuses key"), "\(hallway.text)")
        hallway.wait(.seconds(300))
        #expect(hallway.followed.count == asked)
        // Who mended it loads the files anew.
        hallway.runFailure = nil
        hallway.send(.configured(hallway.setup))
        hallway.wait(.seconds(3))
        #expect(hallway.followed.count == asked + 1)
        #expect(!hallway.text.contains("refuses"))
    }

    @Test(
        "an operator that wants fewer questions is asked about no run until it may be, and still for departures")
    func rateLimited() {
        var hallway = hallway([Self.call("Paddington", .expected(Self.at(40)))])
        hallway.runFailure = FeedFailure(.rateLimited(retryAfter: .seconds(200)), detail: "")
        hallway.wait(.seconds(40))
        let (runs, boards) = (hallway.followed.count, hallway.asked.count)
        #expect(runs == 2)
        hallway.wait(.seconds(180))
        #expect(hallway.followed.count == runs)
        #expect(hallway.asked.count >= boards + 5)
        hallway.wait(.seconds(30))
        #expect(hallway.followed.count == runs + 1)
    }
}
