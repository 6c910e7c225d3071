import Testing

@testable import BoardCore

@Suite("Departures booked days ahead")
struct FareScreenTests {
    private static let day: Int64 = 86_400

    private static let trips = FeedProfile(
        name: FeedName("tfl"), title: "Trips", attribution: "", suffixes: [], leadingColumn: .day,
        interval: .seconds(600), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))

    /// A flight on offer for weeks.
    private static func flight(
        _ number: String, to city: String, in seconds: Int64, price: Int, utcOffset: Int? = nil,
        returnTrip: TripAttributes.ReturnTrip? = nil
    ) -> Departure {
        let departs = SimulatedBoard.start + .seconds(seconds)
        return Departure(
            stop: .oxford, line: Line(id: number, name: number), destination: city, status: .scheduled(departs),
            attributes: TripAttributes(id: number, via: "CPH-AGP", returnTrip: returnTrip),
            fare: Fare(hundredths: price, currency: "EUR"), utcOffset: utcOffset,
            madeAt: SimulatedBoard.start - .seconds(40 * day), isRenewed: false, expiresAt: departs)
    }

    private static let offers = [
        flight("FR 4048", to: "Malaga", in: 15 * day, price: 7_200),
        flight("DY 12", to: "Oslo", in: 20 * 3_600, price: 4_100, utcOffset: 3_600),
        flight("FR 7", to: "Rome", in: 30 * day, price: 1_900),
    ]

    private func simulation(
        _ departures: [Departure] = offers, size: DisplaySize = .usual, language: Language = .english,
        home: BoardOptions.Home = .first, profile: FeedProfile = trips
    ) -> SimulatedBoard {
        var options = BoardOptions.staying
        options.language = language
        options.home = home
        options.turns = false
        return SimulatedBoard(
            [Favourite(stop: .oxford, label: "Scandinavia"), Favourite(stop: .euston, label: "Nowhere")], size: size,
            options: options, profile: profile,
            respond: departing { request, _ in request.stop == .oxford ? departures : [] })
    }

    @Test("a row begins with its day, and shows its fare instead of the time until the last day")
    func page() {
        simulation().shows(
            """
            |Scandinavia    12:04|
            |3Mar  Oslo     09:04|
            |17Mar Malaga   72EUR|
            |1Apr  Rome     19EUR|
            """)
    }

    @Test("also on 16x2")
    func small() {
        simulation(size: .small).shows(
            """
            |3Mar  Oslo 09:04|
            |17Mar Mal… 72EUR|
            """)
    }

    @Test(
        "months are in the display's language",
        arguments: [(Language.english, "17Mar"), (.german, "17Mär"), (.french, "17mars"), (.spanish, "17mar")])
    func months(language: Language, day: String) {
        #expect(language.words[.months].count == 12 && Set(language.words[.months]).count == 12)
        #expect(simulation(language: language).rows[2].hasPrefix(day + " Malaga"))
    }

    @Test("the time replaces the fare at the instant at which the last day begins")
    func lastDay() {
        var simulation = simulation([Self.flight("FR 1", to: "Malaga", in: Self.day + 60, price: 7_200, utcOffset: 0)])
        simulation.wait(.seconds(56))
        #expect(simulation.rows[1] == "3Mar Malaga    72EUR")
        simulation.wait(.seconds(2))
        #expect(simulation.rows[1] == "3Mar Malaga    12:05")
        simulation.wait(.seconds(Self.day - 1_810))
        #expect(simulation.rows[1] == "3Mar Malaga     ~30m")
    }

    @Test("while the zone of the place of departure is unknown, the fare stays until minutes are shown")
    func unknownClock() {
        var simulation = simulation([Self.flight("FR 1", to: "Malaga", in: Self.day + 60, price: 7_200)])
        simulation.wait(.seconds(58))
        #expect(simulation.rows[1] == "3Mar Malaga    72EUR")
        simulation.wait(.seconds(Self.day - 1_810))
        #expect(simulation.rows[1] == "3Mar Malaga     ~30m")
    }

    @Test("a fare is shown in full, with hundredths if there are any")
    func fares() {
        for (hundredths, text) in [
            (7_200, "72EUR"), (1_990, "19.90EUR"), (5, "0.05EUR"), (0, "0EUR"), (123_456, "1234.56EUR"),
            (-150, "-1.50EUR"), (-50, "-0.50EUR"),
        ] {
            #expect(Fare(hundredths: hundredths, currency: "EUR").description == text)
        }
        for (hundredths, text) in [(7_200, "72EUR"), (1_901, "20EUR"), (1_999, "20EUR"), (0, "0EUR"), (-150, "-1EUR")] {
            #expect(Fare(hundredths: hundredths, currency: "EUR").rounded == text)
        }
    }

    @Test("the detail page of an offer shows day, fare, time, flight, route, and the day of the offer")
    func detailPage() {
        var simulation = simulation()
        simulation.open()
        simulation.wait(.seconds(3))
        simulation.press()
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |17Mar Malaga        |
            |72EUR, 12:04        |
            |Updated 21Jan       |
            |FR 4048, CPH-AGP    |
            """)
    }

    @Test("the detail page of an offer shows the return departure in the zone of its place")
    func returnTrip() {
        let midnight = SimulatedBoard.start + .seconds(20 * Self.day - 12 * 3_600)
        func page(_ offset: Int?, language: Language = .english, size: DisplaySize = .usual) -> [String] {
            let returnTrip = TripAttributes.ReturnTrip(at: midnight, utcOffset: offset)
            let offer = Self.flight(
                "FR 4048", to: "Malaga", in: 15 * Self.day, price: 7_200, utcOffset: -3_600, returnTrip: returnTrip)
            var simulation = simulation([offer], size: size, language: language)
            simulation.open()
            simulation.wait(.seconds(3))
            return simulation.rows
        }
        #expect(
            page(3_600) == [
                "17Mar Malaga        ", "72EUR, 11:04        ", "Updated 21Jan       ", "FR 4048             ",
            ])
        let tall = DisplaySize(columns: 20, rows: 6)
        #expect(page(3_600, size: tall).contains("Return 22Mar 01:04  "))
        #expect(page(nil, size: tall).contains("Return 21Mar 23:04  "))
        #expect(page(3_600, language: .german, size: tall).contains("Zurück 22Mär 01:04  "))
        #expect(page(3_600, language: .french, size: tall).contains("Retour 22mars 01:04 "))
        #expect(page(3_600, language: .spanish, size: tall).contains("Vuelta 22mar 01:04  "))
    }

    @Test("a fare is rounded up on all rows of a screen if it would leave no readable name on one")
    func longFares() {
        let offers = [
            Self.flight("DY 1", to: "Palma de Mallorca", in: 20 * Self.day, price: 1_990),
            Self.flight("DY 2", to: "Edinburgh", in: 21 * Self.day, price: 3_300),
            Self.flight("DY 3", to: "Bordeaux", in: 22 * Self.day, price: 14_950),
        ]
        simulation(offers).shows(
            """
            |Scandinavia    12:04|
            |22Mar Palma…   20EUR|
            |23Mar Edinbur… 33EUR|
            |24Mar Bordea… 150EUR|
            """)
        simulation(offers, size: .small).shows(
            """
            |22Mar Pal… 20EUR|
            |23Mar Edi… 33EUR|
            """)
    }

    @Test("a fare that leaves no room for the name is shown only on the detail page")
    func dearFares() {
        let offers = [
            Self.flight("DY 1", to: "Ho Chi Minh City", in: 20 * Self.day, price: 950_000_000),
            Self.flight("DY 2", to: "Bow", in: 21 * Self.day, price: 1_234_500),
        ]
        #expect(simulation(offers).rows[1] == "22Mar Ho Chi Minh…  ")
        #expect(simulation(offers).rows[2] == "23Mar Bow           ")
        #expect(simulation(offers, size: .small).rows == ["22Mar Ho Chi…   ", "23Mar Bow       "])
        var board = simulation(Array(offers.suffix(1)))
        board.open()
        #expect(board.rows[1] == "12345EUR, 12:04     ", "\(board.text)")
        #expect(Fare(hundredths: 100, currency: "EuropeanUnions").description == "1Euro")
    }

    @Test("an ambiguous day is shown as month and year")
    func years() {
        let offers = [
            Self.flight("DY 1", to: "Oslo", in: 300 * Self.day, price: 100),
            Self.flight("DY 2", to: "Rome", in: 365 * Self.day, price: 100),
        ]
        let rows = simulation(offers).rows
        #expect(rows[1] == "27Dec Oslo      1EUR")
        #expect(rows[2] == "Mar27 Rome      1EUR")
    }

    @Test("a departure more than a day away has no time to leave, and does not change every minute")
    func walk() {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, walk: .seconds(1_800))], options: .staying, profile: Self.trips,
            respond: departing { _, _ in [Self.offers[0]] })
        simulation.open()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[1] == "72EUR, 12:04        ")
    }

    @Test("the overview shows day and fare as far as they fit, and the time on the last day")
    func overview() {
        func row(_ departure: Departure, size: DisplaySize = .usual) -> String {
            simulation([departure], size: size, home: .overview).rows[size == .usual ? 1 : 0]
        }
        #expect(row(Self.offers[0]) == "17Mar Malaga   72EUR")
        #expect(row(Self.offers[0], size: .small) == "17Mar Mal… 72EUR")
        let dear = Self.flight("DY 3", to: "Rome", in: 5 * Self.day, price: 1_990)
        #expect(row(dear) == "7Mar Rome   19.90EUR")
        #expect(row(Self.offers[1]) == "3Mar Oslo      09:04")
        #expect(row(Self.offers[1], size: .small) == "3Mar Oslo  09:04")
    }

    @Test("fares unchanged for hours are not frozen, and survive a restart")
    func status() throws {
        var simulation = simulation()
        simulation.wait(.seconds(4 * 3_600))
        #expect(simulation.rows[2] == "17Mar Malaga   72EUR")
        #expect(!simulation.text.contains("frozen"))
        simulation.respond = failing(.noNetwork)
        try simulation.restart(after: .seconds(5))
        #expect(simulation.rows[2] == "17Mar Malaga   72EUR")
    }

    @Test("every other departure more than a day away also begins with its day instead of line or booked time")
    func others() {
        let bus = Departure.bus("73", to: "Bow", in: .seconds(2 * Self.day), from: SimulatedBoard.start)
        let train = Departure.train(to: "Bath", booked: 2 * 1_440, madeAt: SimulatedBoard.start)
        #expect(simulation([bus], profile: SimulatedBoard.tfl).rows[1] == "4Mar Bow       12:04")
        #expect(simulation([train], profile: SimulatedBoard.rail).rows[1] == "4Mar Bath      12:04")
        #expect(simulation([bus], home: .overview, profile: SimulatedBoard.tfl).rows[1] == "4Mar Bow       12:04")
    }
}
