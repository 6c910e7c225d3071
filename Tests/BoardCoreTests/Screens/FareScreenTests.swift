import Testing

@testable import BoardCore

@Suite("What is offered days ahead")
struct OfferScreenTests {
    private static let day: Int64 = 86_400

    private static let trips = FeedProfile(
        name: FeedName("tfl"), title: "Trips", attribution: "", staleAfter: .seconds(180), suffixes: [],
        leadingColumn: .day,
        interval: .seconds(600), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))

    /// A flight, offered since weeks.
    private static func flight(
        _ number: String, to city: String, in seconds: Int64, price: Int, utcOffset: Int? = nil,
        returnTrip: TripAttributes.ReturnTrip? = nil
    ) -> Departure {
        let departs = Hallway.start + .seconds(seconds)
        return Departure(
            stop: .oxford, line: Line(id: number, name: number), destination: city, status: .scheduled(departs),
            attributes: TripAttributes(id: number, via: "CPH-AGP", returnTrip: returnTrip),
            fare: Fare(hundredths: price, currency: "EUR"),
            utcOffset: utcOffset, madeAt: Hallway.start - .seconds(40 * day), expiresAt: departs)
    }

    private static let offers = [
        flight("FR 4048", to: "Malaga", in: 15 * day, price: 7_200),
        flight("DY 12", to: "Oslo", in: 20 * 3_600, price: 4_100, utcOffset: 3_600),
        flight("FR 7", to: "Rome", in: 30 * day, price: 1_900),
    ]

    private func hallway(
        _ departures: [Departure] = offers, size: Panel.Size = .usual, language: Language = .english,
        home: BoardOptions.Home = .first, profile: FeedProfile = trips
    ) -> Hallway {
        var options = BoardOptions.staying
        options.language = language
        options.home = home
        options.refreshBar = .off
        var hallway = Hallway(
            [Favourite(stop: .oxford, label: "Scandinavia"), Favourite(stop: .euston, label: "Nowhere")], size: size,
            options: options, profile: profile,
            answer: { request, _ in
                .success(
                    FeedResponse(
                        stop: Stop(id: request.stop), departures: request.stop == .oxford ? departures : []))
            })
        hallway.wait(.seconds(3))
        return hallway
    }

    @Test("a row begins with its day, and has its fare in the time's place until the last day")
    func page() {
        expectGlass(
            hallway(),
            """
            |Scandinavia    12:04|
            |3Mar  Oslo    *09:04|
            |17Mar Malaga   72EUR|
            |1Apr  Rome     19EUR|
            """)
    }

    @Test("on 16x2, too")
    func small() {
        expectGlass(
            hallway(size: .small),
            """
            |3Mar  Oslo*09:04|
            |17Mar Mala 72EUR|
            """)
    }

    @Test(
        "months are words of the glass's language",
        arguments: [
            (Language.english, "17Mar"), (.german, "17Mär"), (.french, "17mars"), (.spanish, "17mar"),
        ])
    func months(language: Language, day: String) {
        #expect(language.words.months.count == 12 && Set(language.words.months).count == 12)
        #expect(hallway(language: language).glass[2].hasPrefix(day + " Malaga"))
    }

    @Test("the fare gives way to the time at the very instant at which the last day begins")
    func lastDay() {
        var hallway = hallway([Self.flight("FR 1", to: "Malaga", in: Self.day + 60, price: 7_200, utcOffset: 0)])
        hallway.wait(.seconds(56))
        #expect(hallway.glass[1] == "3Mar Malaga    72EUR")
        hallway.wait(.seconds(2))
        #expect(hallway.glass[1] == "3Mar Malaga   *12:05")
        hallway.wait(.seconds(Self.day - 1_810))
        #expect(hallway.glass[1] == "3Mar Malaga     *30m")
    }

    @Test("while nobody knows what clocks show where it departs, the fare stays, until minutes are counted")
    func unknownClock() {
        var hallway = hallway([Self.flight("FR 1", to: "Malaga", in: Self.day + 60, price: 7_200)])
        hallway.wait(.seconds(58))
        #expect(hallway.glass[1] == "3Mar Malaga    72EUR")
        hallway.wait(.seconds(Self.day - 1_810))
        #expect(hallway.glass[1] == "3Mar Malaga     *30m")
    }

    @Test("an offer has its whole price, with hundredths where there are some")
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

    @Test("an opened offer says day, fare, time, flight and way, and on which day that was said")
    func opened() {
        var hallway = hallway()
        hallway.press(for: .seconds(2))
        hallway.wait(.seconds(3))
        hallway.press()
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |17Mar Malaga     2/3|
            |72EUR 12:04 FR 4048 |
            |CPH-AGP as of 21Jan |
            |                    |
            """)
    }

    @Test("an opened offer says when it goes back, in the clock of the place that it leaves then")
    func returnTrip() {
        let midnight = Hallway.start + .seconds(20 * Self.day - 12 * 3_600)
        func page(_ offset: Int?, language: Language = .english, size: Panel.Size = .usual) -> [String] {
            let returnTrip = TripAttributes.ReturnTrip(at: midnight, utcOffset: offset)
            let offer = Self.flight(
                "FR 4048", to: "Malaga", in: 15 * Self.day, price: 7_200, utcOffset: -3_600, returnTrip: returnTrip)
            var hallway = hallway([offer], size: size, language: language)
            hallway.press(for: .seconds(2))
            hallway.wait(.seconds(3))
            return hallway.glass
        }
        #expect(
            page(3_600) == [
                "17Mar Malaga     1/1", "72EUR 11:04 FR 4048 ", "return 22Mar 01:04  ", "CPH-AGP as of 21Jan ",
            ])
        #expect(page(nil)[2] == "return 21Mar 23:04  ")
        #expect(page(3_600, language: .german)[2] == "zurück 22Mär 01:04  ")
        #expect(page(3_600, language: .french)[2] == "retour 22mars 01:04 ")
        #expect(page(3_600, language: .spanish)[2] == "vuelta 22mar 01:04  ")
    }

    @Test("a recording's way back is moved to the present with the way there")
    func shifted() {
        let returnTrip = TripAttributes.ReturnTrip(at: Hallway.start, utcOffset: 60)
        let offer = Self.flight("FR 1", to: "Malaga", in: Self.day, price: 7_200, returnTrip: returnTrip)
        let moved = offer.shifted(by: .seconds(60))
        #expect(
            moved.attributes?.returnTrip == TripAttributes.ReturnTrip(at: Hallway.start + .seconds(60), utcOffset: 60))
        #expect(moved.shifted(by: .seconds(-60)) == offer)
    }

    @Test("a long fare takes room from its own row alone, and where nothing of a name would be left it is rounded up")
    func longFares() {
        let offers = [
            Self.flight("DY 1", to: "Palma de Mallorca", in: 20 * Self.day, price: 1_990),
            Self.flight("DY 2", to: "Edinburgh", in: 21 * Self.day, price: 3_300),
            Self.flight("DY 3", to: "Bordeaux", in: 22 * Self.day, price: 14_950),
        ]
        expectGlass(
            hallway(offers),
            """
            |Scandinavia    12:04|
            |22Mar Palma 19.90EUR|
            |23Mar Edinburg 33EUR|
            |24Mar Bordeau 150EUR|
            """)
        expectGlass(
            hallway(offers, size: .small),
            """
            |22Mar Palm 20EUR|
            |23Mar Edin 33EUR|
            """)
    }

    @Test("where a fare would leave nothing of the name, the name stands and the fare is on the opened page")
    func dearFares() {
        let offers = [
            Self.flight("DY 1", to: "Ho Chi Minh City", in: 20 * Self.day, price: 950_000_000),
            Self.flight("DY 2", to: "Bow", in: 21 * Self.day, price: 1_234_500),
        ]
        #expect(hallway(offers).glass[1] == "22Mar Ho Chi Min    ")
        #expect(hallway(offers).glass[2] == "23Mar Bow   12345EUR")
        #expect(hallway(offers, size: .small).glass == ["22Mar Ho Chi    ", "23Mar Bow       "])
        #expect(Fare(hundredths: 100, currency: "EuropeanUnions").description == "1Euro")
    }

    @Test("a day that might be thought to be another year's is a month and a year")
    func years() {
        let offers = [
            Self.flight("DY 1", to: "Oslo", in: 300 * Self.day, price: 100),
            Self.flight("DY 2", to: "Rome", in: 365 * Self.day, price: 100),
        ]
        let glass = hallway(offers).glass
        #expect(glass[1] == "27Dec Oslo      1EUR")
        #expect(glass[2] == "Mar27 Rome      1EUR")
    }

    @Test("nobody is told to leave for what is more than a day away, and nothing changes every minute because of it")
    func walk() {
        var hallway = Hallway(
            [Favourite(stop: .oxford, walk: .seconds(1_800))], options: .staying, profile: Self.trips,
            answer: { request, _ in
                .success(FeedResponse(stop: Stop(id: request.stop), departures: [Self.offers[0]]))
            })
        hallway.wait(.seconds(3))
        hallway.press(for: .seconds(2))
        hallway.wait(.seconds(3))
        #expect(hallway.glass[1] == "72EUR 12:04 FR 4048 ")
    }

    @Test("the overview has day and fare, as much of them as there is room for, and of the last day rather the time")
    func overview() {
        func row(_ departure: Departure, size: Panel.Size = .usual) -> String {
            hallway([departure], size: size, home: .overview).glass[size == .usual ? 1 : 0]
        }
        #expect(row(Self.offers[0]) == "Scandina 17Mar 72EUR")
        #expect(row(Self.offers[0], size: .small) == "Scandi 17Mar    ")
        let dear = Self.flight("DY 3", to: "Rome", in: 5 * Self.day, price: 1_990)
        #expect(row(dear) == "Scandina 7Mar 20EUR ")
        #expect(row(Self.offers[1]) == "Scandina 3Mar 09:04*")
        #expect(row(Self.offers[1], size: .small) == "Scandi 09:04*   ")
    }

    @Test("fares that stand for hours are not frozen, and are kept over a restart")
    func status() throws {
        var hallway = hallway()
        hallway.wait(.seconds(4 * 3_600))
        #expect(hallway.glass[2] == "17Mar Malaga   72EUR")
        #expect(!hallway.text.contains("frozen"))
        hallway.answer = failing(.noNetwork)
        try hallway.restart(after: .seconds(5))
        #expect(hallway.glass[2] == "17Mar Malaga   72EUR")
    }

    @Test("of whatever else is more than a day away, the row begins with the day instead of line or booked time")
    func others() {
        let bus = Departure.bus("73", to: "Bow", in: .seconds(2 * Self.day), from: Hallway.start)
        let train = Departure.train(to: "Bath", booked: 2 * 1_440, madeAt: Hallway.start)
        #expect(hallway([bus], profile: Hallway.tfl).glass[1] == "4Mar Bow       12:04")
        #expect(hallway([train], profile: Hallway.rail).glass[1] == "4Mar Bath      12:04")
        #expect(hallway([bus], home: .overview, profile: Hallway.tfl).glass[1] == "Scandina 4Mar 12:04 ")
    }
}
