import Testing

@testable import BoardCore

@Suite("A feed's cached departures")
struct CachedDeparturesTests {
    private static let trips = FeedProfile(
        name: FeedName("tfl"), title: "Trips", attribution: "", suffixes: [], leadingColumn: .day,
        interval: .seconds(900), quota: FeedProfile.Quota(requests: 60, per: .seconds(60)))

    private static func flight(to city: String) -> Departure {
        let departs = SimulatedBoard.start + .seconds(15 * 86_400)
        return Departure(
            stop: .oxford, line: Line(id: city, name: city), destination: city, status: .scheduled(departs),
            fare: Fare(hundredths: 7_200, currency: "EUR"), madeAt: SimulatedBoard.start - .seconds(86_400),
            isRenewed: false, expiresAt: departs)
    }

    /// A board whose operator does not respond, while its feed has these departures cached.
    private func simulation(_ cached: [Departure]?) -> SimulatedBoard {
        var options = BoardOptions.staying
        options.turns = true
        return SimulatedBoard([Favourite(stop: .oxford)], after: .zero, options: options, profile: Self.trips) {
            request, _ in
            .failure(
                FeedError(
                    .timedOut, detail: "no response",
                    cached: cached.map {
                        FeedError.CachedDepartures(stop: Stop(id: request.stop, name: "Our trips"), departures: $0)
                    }))
        }
    }

    @Test("are shown by a board that has just started, together with the message that there is no response")
    func atStart() {
        var simulation = simulation([Self.flight(to: "Malaga")])
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |Our trips      12:04|
            |17Mar Malaga   72EUR|
            |                    |
            |                    |
            """)
        simulation.wait(.seconds(20))
        simulation.shows(
            """
            |Our trips      12:04|
            |17Mar Malaga   72EUR|
            |                    |
            |                    |
            """)
        let report = simulation.board.report(at: simulation.now)
        #expect(report.stops.first?.departures.count == 1 && report.stops.first?.lastResponseAt == nil)
        // 5, 10, 20 … s apart: as often as for any operator that does not respond.
        #expect(
            report.stops.first?.status == .failing && report.stops.first?.lastError?.kind == "timed-out"
                && simulation.polls.count == 3)
    }

    @Test(
        "replace the rows of earlier responses; without them those rows stay"
    )
    func replacing() {
        for (cached, expected) in [([Self.flight(to: "Rome")], "17Mar Rome     72EUR"), (nil, "17Mar Malaga   72EUR")] {
            var simulation = simulation(cached)
            simulation.send(.polled(FeedResponse(stop: Stop(id: .oxford), departures: [Self.flight(to: "Malaga")])))
            let responded = simulation.board.report(at: simulation.now).stops.first?.lastResponseAt
            simulation.wait(.seconds(3))
            #expect(simulation.rows[1] == expected)
            #expect(
                simulation.board.report(at: simulation.now).stops.first?.lastResponseAt == responded && responded != nil
            )
        }
    }

    @Test("are stored in a snapshot; a failure without them does not change it")
    func snapshot() {
        for (cached, isSaved) in [([Self.flight(to: "Rome")], true), (nil, false)] {
            var simulation = simulation(nil)
            let failure = FeedError(
                .timedOut, detail: "",
                cached: cached.map { FeedError.CachedDepartures(stop: Stop(id: .oxford), departures: $0) })
            #expect(
                simulation.board.handle(.failed(.oxford, failure), at: simulation.now).contains(.saveSnapshot)
                    == isSaved)
        }
    }

    @Test(
        "the age of a response counts for its time and for the next poll")
    func age() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], after: .seconds(1), profile: Self.trips) {
            request, _ in
            .success(FeedResponse(stop: Stop(id: request.stop), departures: [], requests: 0, age: .seconds(400)))
        }
        let report = simulation.board.report(at: simulation.now).stops.first
        #expect(report?.status == .live)
        let age = (report?.lastResponseAt).map { SimulatedBoard.start - $0 } ?? .zero
        #expect(age > .seconds(399) && age <= .seconds(400))
        simulation.wait(.seconds(490))
        #expect(simulation.polls.count == 1)
        // A tenth of the interval is jitter.
        simulation.wait(.seconds(100))
        #expect(simulation.polls.count == 2)
    }
}
