import BoardCore
import Testing

@Suite("A detail page")
struct DetailPageTests {
    private static let rail = FeedProfile(
        name: FeedName("tfl"), title: "Rail", attribution: "", suffixes: [], leadingColumn: .booked,
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
                state: .expected(SimulatedBoard.start + .seconds(60 * minutes)), coaches: coaches)
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

    @Test("rows of trains begin with the booked time and end with the time to go; the platform follows the name")
    func rows() {
        var simulation = simulation()
        simulation.shows(
            """
            |Paddington     12:04|
            |12:10 Oxford      5m|
            |12:12 Bristol      ✗|
            |12:24 Exeter     19m|
            """)
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |Paddington     12:04|
            |12:10 platform 3  5m|
            |12:12 cancelled    ✗|
            |12:24 plat 11    19m|
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
            |Departs 12:10, 5 min|
            |Live report of 12:04|
            |Plat 3, 8 coaches   |
            """)
        simulation.press()
        #expect(simulation.rows[0...1] == ["12:10 Oxford        ", "Now: Between Oval   "])
        #expect(simulation.rows[2].contains("Stockwell"))
    }

    @Test(
        "shows that a vehicle is not on its trip yet",
        arguments: [(TripAttributes.Stage.previousTrip, "On earlier trip"), (.waiting, "At the terminal")])
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
        #expect(call.hasSuffix(" ✗") && !call.contains(":"), "\(rows)")
    }

    @Test("shows the trip with its calling points, the current position, and where the train divides and is shortened")
    func trip() {
        var simulation = simulation()
        simulation.open()
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |12:10 Oxford        |
            |Departs 12:10, 5 min|
            |Live report of 12:04|
            |Plat 3, 8 coaches   |
            """)
        simulation.press()
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |12:10 Oxford        |
            |Left Hayes 12:02    |
            |Slough         12:24|
            |Reading        12:36|
            """)
        simulation.press()
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |12:10 Oxford        |
            |Splits at Reading:  |
            |part to Newbury     |
            |4 coaches from      |
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

    @Test("stays open on its favourite while another one is in view, but not over a restart")
    func ownStack() throws {
        var simulation = simulation(
            options: .with {
                $0.returnHome = nil
                $0.rotation = .every(.seconds(10))
            })
        simulation.open()
        simulation.wait(.seconds(65))
        #expect(simulation.board.report(at: simulation.now).stopInView == .euston)
        #expect(simulation.rows[0].hasPrefix("Paddington"))
        simulation.wait(.seconds(10))
        #expect(simulation.board.report(at: simulation.now).stopInView == .oxford)
        #expect(simulation.rows[0].hasPrefix("12:10 Oxford"))
        try simulation.restart(after: .seconds(1))
        #expect(simulation.board.report(at: simulation.now).stopInView == .oxford)
        #expect(simulation.rows[0].hasPrefix("Paddington") && simulation.rows[1].hasPrefix("12:10 Oxford"))
    }

    @Test("continues after the train has left while the operator reports it, and then closes")
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
        #expect(simulation.text.contains("Leave home in 3 min"))
        simulation.wait(.seconds(60))
        #expect(simulation.text.contains("Leave home in 2 min"))
        var cancelled = self.simulation(Favourite(stop: .oxford, label: "Paddington", walk: .seconds(120)))
        cancelled.open()
        for _ in 0..<6 where !cancelled.rows[0].contains("Bristol") { cancelled.press(); cancelled.wait(.seconds(1)) }
        #expect(cancelled.rows[0].contains("Bristol"))
        #expect(!cancelled.text.lowercased().contains("leave"))
        #expect(cancelled.text.contains("12:12, cancelled"))
    }

    @Test("moves no text after a press")
    func still() {
        var simulation = simulation()
        simulation.open()
        simulation.wait(.seconds(3))
        simulation.press()
        let pressed = simulation.rows
        #expect(pressed[0...1] == ["12:10 Oxford        ", "Left Hayes 12:02    "])
        for _ in 0..<4 {
            simulation.wait(.seconds(2))
            #expect(simulation.rows == pressed)
        }
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
                "Bakerloo Harrow ", "& Wealdstone via", "Kensal Green    ", "12:08, 4 min    ", "Report of 12:03 ",
            ])
    }

    @Test("after the last departure explains the signs")
    func legend() {
        func legend(_ size: DisplaySize) -> [String] {
            var simulation = simulation(size: size)
            simulation.tripDetails = { _, _ in nil }
            simulation.open()
            for _ in 0..<12 where !simulation.text.contains("⇨ leave home") {
                simulation.press()
                simulation.wait(.seconds(3))
            }
            let first = simulation.rows
            simulation.press()
            return first + simulation.rows.prefix(1)
        }
        #expect(
            legend(.usual) == [
                "⇨ leave home        ", "~ about: not certain", "… continues         ", "✗ cancelled         ",
                "⚠ alert: see details",
            ])
        #expect(
            legend(DisplaySize(columns: 16, rows: 4)) == [
                "⇨ leave home    ", "~ not certain   ", "… continues     ", "✗ cancelled     ", "⚠ alert         ",
            ])
    }
}
