import BoardCore
import Testing

@Suite("An opened page")
struct OpenedTests {
    private static let rail = FeedProfile(
        name: FeedName("tfl"), title: "Rail", attribution: "", staleAfter: .seconds(180), suffixes: [],
        leadingColumn: .booked,
        interval: .seconds(30), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))

    /// A station with three trains; the first calls at two places and is divided on the way.
    private static let station: Hallway.Operator = { request, time in
        func train(_ destination: String, in minutes: Int, platform: String, _ status: Departure.Status? = nil)
            -> Departure
        {
            let booked = Hallway.start + .seconds(60 * minutes)
            return Departure(
                stop: request.stop, line: Line(id: "GW", name: "Great Western"), destination: destination,
                platform: platform, booked: booked, status: status ?? .expected(booked),
                attributes: TripAttributes(
                    id: destination, coaches: 8, reason: status == .cancelled ? "a signal failure" : nil),
                madeAt: time, expiresAt: booked + .seconds(120))
        }
        return .success(
            FeedResponse(
                stop: Stop(id: request.stop, name: "Paddington"),
                departures: [
                    train("Oxford", in: 6, platform: "3"), train("Bristol", in: 8, platform: "", .cancelled),
                    train("Exeter", in: 20, platform: "11"),
                ]))
    }

    private static func service(_ departure: Departure, at time: Timestamp) -> TripDetails {
        func call(_ name: String, _ minutes: Int, coaches: Int? = nil) -> CallingPoint {
            CallingPoint(
                name: name, code: name.uppercased(), booked: nil,
                state: .expected(Hallway.start + .seconds(60 * minutes)),
                coaches: coaches)
        }
        return TripDetails(
            calls: [
                CallingPoint(name: "Hayes", code: "HAY", state: .called(Hallway.start - .seconds(120))),
                CallingPoint(
                    name: "Paddington", code: "490008660N", state: .expected(Hallway.start + .seconds(360)), coaches: 8),
                call("Slough", 20, coaches: 8), call("Reading", 32, coaches: 4), call("Oxford", 58, coaches: 4),
            ],
            portions: [.init(at: "Reading", calls: [call("Newbury", 50)])], madeAt: time,
            expiresAt: time + .seconds(120))
    }

    private func hallway(
        _ favourite: Favourite = Favourite(stop: .oxford, label: "Paddington"), size: Panel.Size = .usual,
        options: BoardOptions = BoardOptions(), answer: @escaping Hallway.Operator = OpenedTests.station
    ) -> Hallway {
        var hallway = Hallway(
            [favourite, Favourite(stop: .euston)], size: size, options: options, profile: Self.rail, answer: answer)
        hallway.run = { departure, time in Self.service(departure, at: time) }
        hallway.wait(.seconds(3))
        return hallway
    }

    @Test("rows of trains begin with the booked time and end with the platform and the time to go")
    func rows() {
        expectGlass(
            hallway(),
            """
            |Paddington    12:04█|
            |12:10 Oxford  3   5m|
            |12:12 Bristol   Canc|
            |12:24 Exeter 11  19m|
            """)
    }

    @Test("says of the operator's words for where a vehicle is what they are")
    func whereabouts() {
        var hallway = hallway()
        hallway.run = { _, time in
            TripDetails(
                calls: [], location: "Between Oval and Stockwell", madeAt: time, expiresAt: time + .seconds(120))
        }
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |12:10 Oxford     1/3|
            |5m 12:10 platform 3 |
            |8 coaches           |
            |now: Between Oval   |
            """)
    }

    @Test("shows the run with its calling points, where it is now, where it is divided and shortened")
    func run() {
        var hallway = hallway()
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |12:10 Oxford     1/3|
            |5m 12:10 platform 3 |
            |8 coaches           |
            |left Hayes 12:02    |
            """)
        hallway.press()
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |12:10 Oxford     1/3|
            |estimate of 12:04   |
            |Slough         12:24|
            |Reading        12:36|
            """)
        hallway.press()
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |12:10 Oxford     1/3|
            |Reading: for Newbury|
            |4 from Reading      |
            |Oxford         13:02|
            """)
    }

    @Test("asks about the run every 30 s while it is looked at, and not otherwise")
    func follows() {
        var hallway = hallway()
        #expect(hallway.followed.isEmpty)
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(50))
        #expect(hallway.followed.count == 2)
        hallway.press(for: .milliseconds(700))
        hallway.wait(.seconds(120))
        #expect(hallway.followed.count == 2)
    }

    @Test("stays on its favourite while a person looks at another one, and over a restart")
    func ownStack() throws {
        var hallway = hallway()
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(3))
        try hallway.restart(after: .seconds(1))
        #expect(hallway.glass[0].hasPrefix("12:10 Oxford"))
        #expect(hallway.text.contains("Hayes"))
    }

    @Test("goes on after the train has left, as long as the operator tells of it, and ends with a word")
    func gone() {
        var options = BoardOptions()
        options.returnHome = nil
        var hallway = hallway(options: options)
        hallway.press(for: .milliseconds(1_600))
        // The train is void at 12:12; the operator forgets the run at 12:20.
        hallway.run = { departure, time in
            time < Hallway.start + .seconds(960) ? Self.service(departure, at: time) : nil
        }
        hallway.wait(.seconds(840))
        #expect(hallway.glass[0].hasPrefix("12:10 Oxford"))
        hallway.wait(
            .seconds(150),
            watching: { hallway in
                if !hallway.glass[0].hasPrefix("12:10 Oxford") {
                    #expect(hallway.time >= Hallway.start + .seconds(960))
                }
            })
        #expect(hallway.glass[0].hasPrefix("Paddington"))
    }

    @Test("says when to leave, and never for a train that is cancelled")
    func leaving() {
        var options = BoardOptions()
        options.returnHome = nil
        var hallway = hallway(Favourite(stop: .oxford, label: "Paddington", walk: .seconds(120)), options: options)
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(3))
        #expect(hallway.text.contains("leave in 3m"))
        hallway.wait(.seconds(60))
        #expect(hallway.text.contains("leave in 2m"))
        var cancelled = self.hallway(Favourite(stop: .oxford, label: "Paddington", walk: .seconds(120)))
        cancelled.press(for: .milliseconds(1_600))
        for _ in 0..<6 where !cancelled.glass[0].contains("Bristol") { cancelled.press(); cancelled.wait(.seconds(1)) }
        #expect(cancelled.glass[0].contains("Bristol"))
        #expect(!cancelled.text.contains("leave"))
        #expect(cancelled.text.contains("Canc"))
    }

    @Test("begins with what people there should know, where there is something")
    func alerts() {
        let answer = telling(
            [
                Alert("The lift at platform 1 is out of order.", severity: .information),
                Alert("No trains to Bristol because of a signal failure.", severity: .severe),
            ], with: Self.station)
        var hallway = hallway(answer: answer)
        #expect(hallway.glass[0] == "Paddington  ! 12:04█")
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |Alerts           1/4|
            |No trains to Bristol|
            |because of a signal |
            |failure.            |
            """)
    }
}
