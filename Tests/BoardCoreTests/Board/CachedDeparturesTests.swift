import Testing

@testable import BoardCore

@Suite("What a feed keeps")
struct KeptDeparturesTests {
    private static let trips = FeedProfile(
        name: FeedName("tfl"), title: "Trips", attribution: "", staleAfter: .seconds(180), suffixes: [],
        leadingColumn: .day,
        interval: .seconds(900), quota: FeedProfile.Quota(requests: 60, per: .seconds(60)))

    private static func flight(to city: String) -> Departure {
        let departs = Hallway.start + .seconds(15 * 86_400)
        return Departure(
            stop: .oxford, line: Line(id: city, name: city), destination: city, status: .scheduled(departs),
            fare: Fare(hundredths: 7_200, currency: "EUR"), madeAt: Hallway.start - .seconds(86_400), expiresAt: departs
        )
    }

    /// A board whose operator does not answer, while its feed keeps this.
    private func hallway(_ kept: [Departure]?) -> Hallway {
        var options = BoardOptions.staying
        options.refreshBar = .cell
        return Hallway([Favourite(stop: .oxford)], options: options, profile: Self.trips) { request, _ in
            .failure(
                FeedFailure(
                    .timedOut, detail: "nobody answers",
                    cached: kept.map {
                        FeedFailure.CachedDepartures(stop: Stop(id: request.stop, name: "Our trips"), departures: $0)
                    }))
        }
    }

    @Test("is shown by a board that has just started, which says all the same that nobody answers")
    func atStart() {
        var hallway = hallway([Self.flight(to: "Malaga")])
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |Our trips     12:04×|
            |17Mar Malaga   72EUR|
            |                    |
            |                    |
            """)
        hallway.wait(.seconds(20))
        expectGlass(
            hallway,
            """
            |Our trips     12:04×|
            |17Mar Malaga   72EUR|
            |                    |
            |No Trips since 12:04|
            """)
        let report = hallway.board.report(at: hallway.now)
        #expect(report.stops.first?.departures == 1 && report.stops.first?.lastResponseAt == nil)
        guard case .failing(.timedOut, _, _, let count)? = report.stops.first?.status else {
            Issue.record("it is live")
            return
        }
        // 5, 10, 20 … s after each other: as often as of any operator that does not answer.
        #expect(count == 3 && hallway.asked.count == 3)
    }

    @Test(
        "replaces what was told before, of which the feed knows more than the board; where it keeps nothing, that stays"
    )
    func replacing() {
        for (kept, expected) in [([Self.flight(to: "Rome")], "17Mar Rome     72EUR"), (nil, "17Mar Malaga   72EUR")] {
            var hallway = hallway(kept)
            hallway.send(.polled(FeedResponse(stop: Stop(id: .oxford), departures: [Self.flight(to: "Malaga")])))
            let heard = hallway.board.report(at: hallway.now).stops.first?.lastResponseAt
            hallway.wait(.seconds(3))
            #expect(hallway.glass[1] == expected)
            #expect(hallway.board.report(at: hallway.now).stops.first?.lastResponseAt == heard && heard != nil)
        }
    }

    @Test("is worth being kept over a restart, as a failure alone is not")
    func snapshot() {
        for (kept, isKept) in [([Self.flight(to: "Rome")], true), (nil, false)] {
            var hallway = hallway(nil)
            let failure = FeedFailure(
                .timedOut, detail: "",
                cached: kept.map { FeedFailure.CachedDepartures(stop: Stop(id: .oxford), departures: $0) })
            #expect(
                hallway.board.handle(.failed(.oxford, failure), at: hallway.now).contains(.saveSnapshot) == isKept)
        }
    }

    @Test(
        "an answer that was told a while ago was heard then, and the next question is due as if it had been asked then")
    func age() {
        var hallway = Hallway([Favourite(stop: .oxford)], profile: Self.trips) { request, _ in
            .success(FeedResponse(stop: Stop(id: request.stop), departures: [], requests: 0, age: .seconds(400)))
        }
        hallway.wait(.seconds(1))
        let report = hallway.board.report(at: hallway.now).stops.first
        #expect(report?.status == .live)
        let heard = (report?.lastResponseAt).map { Hallway.start - $0 } ?? .zero
        #expect(heard > .seconds(399) && heard <= .seconds(400))
        hallway.wait(.seconds(490))
        #expect(hallway.asked.count == 1)
        // A tenth of the interval is jitter.
        hallway.wait(.seconds(100))
        #expect(hallway.asked.count == 2)
    }
}
