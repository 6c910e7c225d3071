import BoardCore
import Testing

@Suite("The trip on a detail page")
struct TripDetailsTests {
    private static func call(_ name: String, _ state: CallingPoint.State) -> CallingPoint {
        CallingPoint(name: name, code: name == "Paddington" ? StopID.oxford.code : name.uppercased(), state: state)
    }

    /// `minutes` after 12:04.
    private static func at(_ minutes: Int64) -> Timestamp { SimulatedBoard.start + .seconds(60 * minutes) }

    private func simulation(
        _ calls: [CallingPoint], portions: [TripDetails.Portion] = [],
        size: DisplaySize = DisplaySize(columns: 20, rows: 8)
    ) -> SimulatedBoard {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Paddington")], after: .zero, size: size, options: .staying,
            profile: SimulatedBoard.rail, respond: trains { [.train(to: "Oxford", booked: 40, id: "run", madeAt: $0)] })
        simulation.tripDetails = { _, time in
            TripDetails(calls: calls, portions: portions, madeAt: time, expiresAt: Self.at(120))
        }
        simulation.wait(.seconds(3))
        simulation.open()
        simulation.wait(.seconds(3))
        return simulation
    }

    @Test("a call without a report is skipped for the last reported position")
    func noReport() {
        let simulation = simulation([
            Self.call("Alpha", .called(Self.at(-23))), Self.call("Beta", .called(nil)),
            Self.call("Paddington", .expected(Self.at(40))), Self.call("Oxford", .expected(Self.at(60))),
        ])
        simulation.shows(
            """
            |12:44 Oxford        |
            |Departs 12:44, 39m  |
            |Live report of 12:04|
            |Left Alpha 11:41    |
            |Oxford         13:04|
            |                    |
            |                    |
            |                    |
            """)
    }

    @Test("a train that has arrived and not left is at that stop")
    func status() {
        let simulation = simulation([
            Self.call("Alpha", .arrived(Self.at(-1))), Self.call("Paddington", .expected(Self.at(40))),
            Self.call("Oxford", .expected(Self.at(60))),
        ])
        #expect(simulation.rows[3] == "Now at Alpha        ")
    }

    @Test("a division at the user's stop is shown until the train has left", arguments: [true, false])
    func dividesHere(isThere: Bool) {
        let simulation = simulation(
            [
                Self.call("Alpha", .called(Self.at(-23))),
                Self.call("Paddington", isThere ? .arrived(Self.at(0)) : .expected(Self.at(40))),
                Self.call("Oxford", .expected(Self.at(60))),
            ],
            portions: [TripDetails.Portion(at: "Paddington", calls: [Self.call("Newbury", .expected(Self.at(70)))])])
        simulation.shows(
            """
            |12:44 Oxford        |
            |Departs 12:44, 39m  |
            |Live report of 12:04|
            |\(isThere ? "Now at Paddington   " : "Left Alpha 11:41    ")|
            |Splits at           |
            |Paddington: part to |
            |Newbury             |
            |Oxford         13:04|
            """)
    }

    @Test("trip details that are not updated become stale, while the estimate of the departure is updated")
    func stale() {
        var simulation = simulation([
            Self.call("Alpha", .called(Self.at(-23))), Self.call("Paddington", .expected(Self.at(40))),
            Self.call("Oxford", .expected(Self.at(60))), Self.call("Hereford", .scheduled(Self.at(90))),
        ])
        simulation.detailsFailure = FeedError(.timedOut, detail: "")
        simulation.wait(.seconds(160))
        #expect(simulation.rows[4...5] == ["Oxford         13:04", "Hereford      ~13:34"])
        simulation.wait(.seconds(1_340))
        simulation.shows(
            """
            |12:44 Oxford        |
            |Departs 12:44, 14m  |
            |Live report of 12:04|
            |Left Alpha 11:41    |
            |Oxford        ~13:04|
            |Hereford      ~13:34|
            |                    |
            |                    |
            """)
    }

    @Test("without realtime data every time is about that of the timetable, unless the trip has an estimate of a call")
    func scheduled() {
        for (state, isEstimated) in [
            (CallingPoint.State.scheduled(Self.at(60)), false), (.expected(Self.at(60)), true),
        ] {
            var simulation = SimulatedBoard(
                [Favourite(stop: .oxford, label: "Paddington")], after: .zero, size: DisplaySize(columns: 20, rows: 4),
                options: .staying
            ) { request, time in
                let tram = Departure(
                    stop: request.stop, line: Line(id: "1", name: "1"), destination: "Oxford", booked: Self.at(40),
                    status: .scheduled(Self.at(40)), attributes: TripAttributes(id: "run"), madeAt: time,
                    expiresAt: Self.at(41))
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: [tram]))
            }
            simulation.tripDetails = { _, time in
                TripDetails(
                    calls: [Self.call("Paddington", .scheduled(Self.at(40))), Self.call("Oxford", state)], madeAt: time,
                    expiresAt: Self.at(120))
            }
            simulation.wait(.seconds(3))
            simulation.open()
            simulation.wait(.seconds(3))
            simulation.shows(
                """
                |1 Oxford            |
                |Departs 12:44, ~39m |
                |Timetable, no report|
                |Oxford        \(isEstimated ? " " : "~")13:04|
                """)
        }
    }

    @Test(
        "after a rejected key trip details are not requested again while the page is open, and the page shows the reason"
    )
    func rejected() {
        var simulation = simulation([Self.call("Paddington", .expected(Self.at(40)))])
        simulation.open()
        simulation.detailsFailure = FeedError(.keyRejected, detail: "")
        simulation.open()
        simulation.wait(.seconds(3))
        let requests = simulation.detailsRequests.count
        #expect(simulation.text.contains("Rail rejects the key"), "\(simulation.text)")
        simulation.wait(.seconds(300))
        #expect(simulation.detailsRequests.count == requests)
        // A user who has fixed it reloads the configuration.
        simulation.detailsFailure = nil
        simulation.send(.configured(simulation.setup))
        simulation.wait(.seconds(3))
        #expect(simulation.detailsRequests.count == requests + 1)
        #expect(!simulation.text.contains("rejects"))
    }

    @Test(
        "after a rate limit trip details are not requested until it ends, while polls continue")
    func rateLimited() {
        var simulation = simulation([Self.call("Paddington", .expected(Self.at(40)))])
        simulation.detailsFailure = FeedError(.rateLimited(retryAfter: .seconds(200)), detail: "")
        simulation.wait(.seconds(40))
        let (details, polls) = (simulation.detailsRequests.count, simulation.polls.count)
        #expect(details == 2)
        simulation.wait(.seconds(180))
        #expect(simulation.detailsRequests.count == details)
        #expect(simulation.polls.count >= polls + 5)
        simulation.wait(.seconds(30))
        #expect(simulation.detailsRequests.count == details + 1)
    }
}
