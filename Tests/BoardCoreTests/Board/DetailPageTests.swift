import BoardCore
import Testing

@Suite("A detail page")
struct DetailPageTests {
    private static let rail = FeedProfile(
        name: FeedName("tfl"), title: "Rail", attribution: "", suffixes: [],
        leadingColumn: .booked,
        interval: .seconds(30), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))

    /// A station with three trains; the first has two calling points and divides on the way.
    private static let station: SimulatedBoard.Operator = { request, time in
        func train(_ destination: String, in minutes: Int, platform: String, _ status: Departure.Status? = nil)
            -> Departure
        {
            let booked = SimulatedBoard.start + .seconds(60 * minutes)
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

    private static func details(_ departure: Departure, at time: Timestamp) -> TripDetails {
        func call(_ name: String, _ minutes: Int, coaches: Int? = nil) -> CallingPoint {
            CallingPoint(
                name: name, code: name.uppercased(), booked: nil,
                state: .expected(SimulatedBoard.start + .seconds(60 * minutes)),
                coaches: coaches)
        }
        return TripDetails(
            calls: [
                CallingPoint(name: "Hayes", code: "HAY", state: .called(SimulatedBoard.start - .seconds(120))),
                CallingPoint(
                    name: "Paddington", code: "490008660N", state: .expected(SimulatedBoard.start + .seconds(360)),
                    coaches: 8),
                call("Slough", 20, coaches: 8), call("Reading", 32, coaches: 4), call("Oxford", 58, coaches: 4),
            ],
            portions: [.init(at: "Reading", calls: [call("Newbury", 50)])], madeAt: time,
            expiresAt: time + .seconds(120))
    }

    private func simulation(
        _ favourite: Favourite = Favourite(stop: .oxford, label: "Paddington"), size: DisplaySize = .usual,
        options: BoardOptions = BoardOptions(), respond: @escaping SimulatedBoard.Operator = DetailPageTests.station
    ) -> SimulatedBoard {
        var simulation = SimulatedBoard(
            [favourite, Favourite(stop: .euston)], after: .zero, size: size, options: options, profile: Self.rail,
            respond: respond)
        simulation.tripDetails = { departure, time in Self.details(departure, at: time) }
        simulation.wait(.seconds(3))
        return simulation
    }

    @Test("rows of trains begin with the booked time and end with the platform and the time to go")
    func rows() {
        simulation().shows(
            """
            |Paddington    12:04█|
            |12:10 Oxford    3 5m|
            |12:12 Bristol   Canc|
            |12:24 Exeter  11 19m|
            """)
    }

    @Test("shows the operator's description of a vehicle's position")
    func whereabouts() {
        var simulation = simulation()
        simulation.tripDetails = { _, time in
            TripDetails(
                calls: [], location: "Between Oval and Stockwell", madeAt: time, expiresAt: time + .seconds(120))
        }
        simulation.open()
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |12:10 Oxford        |
            |in 5 min, 12:10     |
            |plat. 3, 8 coaches  |
            |now: Between Oval   |
            """)
    }

    @Test(
        "shows that a vehicle is not on its trip yet",
        arguments: [(TripAttributes.Stage.previousTrip, "on earlier trip"), (.waiting, "at the terminal")])
    func stage(stage: TripAttributes.Stage, words: String) {
        var simulation = simulation { request, time in
            let booked = SimulatedBoard.start + .seconds(1_200)
            return .success(
                FeedResponse(
                    stop: Stop(id: request.stop, name: "Paddington"),
                    departures: [
                        Departure(
                            stop: request.stop, line: Line(id: "B6", name: "B6"), destination: "Harbour",
                            booked: booked, status: .scheduled(booked), attributes: TripAttributes(stage: stage),
                            madeAt: time, expiresAt: booked)
                    ]))
        }
        simulation.open()
        #expect(simulation.text.contains(words), "\(simulation.text)")
    }

    @Test("the calls that a cancelled trip no longer makes have no time")
    func cancelledCalls() throws {
        var simulation = simulation()
        simulation.tripDetails = { _, time in
            let calls = ["Paddington", "Slough"].map {
                CallingPoint(name: $0, code: $0, booked: SimulatedBoard.start + .seconds(600), state: .cancelled)
            }
            return TripDetails(calls: calls, madeAt: time, expiresAt: time + .seconds(120))
        }
        simulation.open()
        simulation.wait(.seconds(3))
        var rows: [String] = []
        for _ in 0..<6 {
            rows += simulation.rows
            simulation.press()
            simulation.wait(.seconds(1))
        }
        let call = try #require(rows.first { $0.contains("Slough") })
        #expect(call.hasSuffix("Canc") && !call.contains(":"), "\(rows)")
    }

    @Test("shows the trip with its calling points, the current position, and where the train divides and is shortened")
    func trip() {
        var simulation = simulation()
        simulation.open()
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |12:10 Oxford        |
            |in 5 min, 12:10     |
            |plat. 3, 8 coaches  |
            |left Hayes 12:02    |
            """)
        simulation.press()
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |12:10 Oxford        |
            |Slough         12:24|
            |Reading        12:36|
            |splits at Reading:  |
            """)
        simulation.press()
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |12:10 Oxford        |
            |part to Newbury     |
            |4 coaches from      |
            |Reading             |
            """)
    }

    @Test("requests trip details every 30 s while it is in view, and not otherwise")
    func requests() {
        var simulation = simulation()
        #expect(simulation.detailsRequests.isEmpty)
        simulation.open()
        simulation.wait(.seconds(50))
        #expect(simulation.detailsRequests.count == 2)
        simulation.open()
        simulation.wait(.seconds(120))
        #expect(simulation.detailsRequests.count == 2)
    }

    @Test("stays open on its favourite while another one is in view, and over a restart")
    func ownStack() throws {
        var simulation = simulation()
        simulation.open()
        simulation.wait(.seconds(3))
        try simulation.restart(after: .seconds(1))
        #expect(simulation.rows[0].hasPrefix("12:10 Oxford"))
        #expect(simulation.text.contains("Hayes"))
    }

    @Test("continues after the train has left while the operator reports it, and ends with a message")
    func gone() {
        var simulation = simulation(options: .with { $0.returnHome = nil })
        simulation.open()
        // The departure expires at 12:12; the operator drops the trip at 12:20.
        simulation.tripDetails = { departure, time in
            time < SimulatedBoard.start + .seconds(960) ? Self.details(departure, at: time) : nil
        }
        simulation.wait(.seconds(840))
        #expect(simulation.rows[0].hasPrefix("12:10 Oxford"))
        simulation.wait(
            .seconds(150),
            watching: { simulation in
                if !simulation.rows[0].hasPrefix("12:10 Oxford") {
                    #expect(simulation.time >= SimulatedBoard.start + .seconds(960))
                }
            })
        #expect(simulation.rows[0].hasPrefix("Paddington"))
    }

    @Test("shows when to leave, but never for a cancelled train")
    func leaving() {
        var simulation = simulation(
            Favourite(stop: .oxford, label: "Paddington", walk: .seconds(120)), options: .with { $0.returnHome = nil })
        simulation.open()
        simulation.wait(.seconds(3))
        #expect(simulation.text.contains("leave in 3m"))
        simulation.wait(.seconds(60))
        #expect(simulation.text.contains("leave in 2m"))
        var cancelled = self.simulation(Favourite(stop: .oxford, label: "Paddington", walk: .seconds(120)))
        cancelled.open()
        for _ in 0..<6 where !cancelled.rows[0].contains("Bristol") { cancelled.press(); cancelled.wait(.seconds(1)) }
        #expect(cancelled.rows[0].contains("Bristol"))
        #expect(!cancelled.text.contains("leave"))
        #expect(cancelled.text.contains("12:12, cancelled"))
    }

    @Test("moves no text after a press: the position covers the end of the first row for two seconds")
    func position() {
        var simulation = simulation()
        simulation.open()
        simulation.wait(.seconds(3))
        simulation.press()
        let pressed = simulation.rows
        simulation.wait(.seconds(3))
        #expect(pressed[0].hasSuffix(" 1 of 4"))
        #expect(simulation.rows[0] == "12:10 Oxford        ")
        #expect(pressed.dropFirst() == simulation.rows.dropFirst())
    }

    @Test("never loses the destination on two rows, however long it is")
    func longTitle() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], size: .small, options: .staying) { request, time in
            let train = Departure.bus(
                "Bakerloo", to: "Harrow & Wealdstone via Kensal Green", in: .seconds(250), from: time)
            return .success(FeedResponse(stop: Stop(id: request.stop), departures: [train]))
        }
        simulation.open()
        var rows: [String] = []
        for _ in 0..<3 {
            simulation.wait(.seconds(3))
            rows += simulation.rows
            simulation.press()
        }
        #expect(
            rows.prefix(5) == [
                "Bake Harrow &   ", "Wealdstone via  ", "Kensal Green    ", "in 4 min, 12:08 ", "updated 12:03   ",
            ])
    }

    @Test("after the last departure explains the signs that this panel uses")
    func legend() {
        func legend(_ size: DisplaySize) -> String {
            var simulation = simulation(size: size)
            simulation.tripDetails = { _, _ in nil }
            simulation.open()
            for _ in 0..<12 where !simulation.text.contains("? may be") {
                simulation.press()
                simulation.wait(.seconds(3))
            }
            return simulation.text
        }
        #expect(
            legend(.usual) == """
                |⚠ alert: see details|
                |? may be out of date|
                |* from the timetable|
                |× no connection     |
                """)
        #expect(
            legend(DisplaySize(columns: 16, rows: 4)).hasPrefix(
                """
                |⚠ alert         |
                |? may be old    |
                |* timetable     |
                |⇨ leave now     |
                """))
    }
}
