import BoardCore
import Testing

@Suite("The page of a stop found by a nearby search")
struct NearbyScreenTests {
    private func simulation(_ metres: Double, size: DisplaySize = .usual) -> SimulatedBoard {
        return SimulatedBoard([Favourite(stop: .oxford, distance: Metres(metres))], size: size, respond: oxford)
    }

    @Test("shows the distance of the stop")
    func distance() {
        simulation(118).shows(
            """
            |…N 120 m       12:04|
            |73  Oxford…      due|
            |390 Archway       4m|
            |N73 Walthamst… 13:10|
            """)
        #expect(simulation(1_449).firstRows().contains { $0.hasPrefix("Oxf") })
        #expect(simulation(1_449).firstRows().contains { $0.contains("1.4") })
    }

    @Test("on two rows shows the distance beside the name after a change of the stop")
    func announcement() {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford, distance: Metres(118)), Favourite(stop: .euston)], size: .small, respond: oxford)
        #expect(simulation.board.render(at: simulation.now - .seconds(1)).frame.lines.joined().contains("120 m"))
    }

    @Test("a stop in the directory has its name before the first response")
    func directoryStop() {
        let initial = SimulatedBoard([], after: .zero, respond: { _, _ in nil })
        var setup = initial.setup
        setup.favourites = [Favourite(stop: .oxford)]
        setup.directoryStops = [.oxford: Stop(id: .oxford, name: "Oxford Street", letter: "N")]
        var simulation = initial
        simulation.send(.configured(setup))
        simulation.wait(.seconds(3))
        #expect(simulation.board.report(at: simulation.now).pages[1].title == "Oxford Street N")
    }
}

@Suite("Nearby searches")
struct NearbySearchTests {
    private let home = Nearby(location: Coordinates(latitude: 51.5, longitude: -0.1) ?? .origin)

    @Test("become favourites in their place, nearest first, each stop once")
    func order() {
        let named = Favourite(stop: .oxford, label: "Oxford St")
        let far = StopID(feed: FeedName("tfl"), code: "490000001A")
        let entries: [FavouriteEntry] = [.nearby(home), .stop(named), .nearby(home)]
        let favourites = entries.favourites { _ in [(far, Metres(300)), (.oxford, Metres(20)), (.euston, Metres(120))] }
        #expect(favourites.map(\.stop) == [.euston, far, .oxford])
        #expect(favourites.map(\.distance) == [Metres(120), Metres(300), nil])
        #expect(favourites[2].label == "Oxford St")
    }
}

extension Coordinates {
    fileprivate static let origin: Coordinates = {
        guard let origin = Coordinates(latitude: 0, longitude: 0) else { fatalError("the origin is on Earth") }
        return origin
    }()
}

@Suite("Coordinates in text")
struct CoordinatesTests {
    @Test(
        "are latitude and longitude, as copied from a map",
        arguments: ["51.5154,-0.1419", "51.5154, -0.1419", " 51.5154 ,-0.1419 ", "-33.87,151.2", "+1,-180", "90,180"])
    func good(_ text: String) throws {
        let point = try Coordinates(written: text)
        #expect(try Coordinates(written: point.description) == point)
    }

    @Test(
        "are written without exponents, so that they read back",
        arguments: [
            (0.00001, -0.00001, "0.00001,-0.00001"), (51.5154, -0.1419, "51.5154,-0.1419"), (-33, 151, "-33.0,151.0"),
        ])
    func written(_ latitude: Double, _ longitude: Double, _ text: String) throws {
        let point = try #require(Coordinates(latitude: latitude, longitude: longitude))
        #expect(point.description == text)
        #expect(try Coordinates(written: text) == point)
    }

    @Test(
        "are rejected with the fault and the remedy",
        arguments: [
            ("151.2,-33.87", "has longitude and latitude swapped: write -33.87,151.2"),
            ("91,200", "has the latitude 91, which must be from -90 to 90"),
            ("51,-200.5", "has the longitude -200.5, which must be from -180 to 180"),
            ("51.5", "must be latitude and longitude in degrees, such as 51.5154,-0.1419"),
            ("51.5,", "must be latitude and longitude in degrees, such as 51.5154,-0.1419"),
            ("51,5;0,1", "must be latitude and longitude in degrees, such as 51.5154,-0.1419"),
            ("nan,inf", "must be latitude and longitude in degrees, such as 51.5154,-0.1419"),
            ("0x10,1", "must be latitude and longitude in degrees, such as 51.5154,-0.1419"),
        ])
    func bad(_ text: String, _ message: String) {
        let fault = #expect(throws: PlainError.self) { try Coordinates(written: text) }
        #expect(fault?.description == message)
    }

    @Test(
        "distances are rounded for people",
        arguments: [
            (0.0, "0 m"), (7.4, "7 m"), (9.6, "10 m"), (118, "120 m"), (994, "990 m"), (996, "1.0 km"),
            (1_449, "1.4 km"), (12_000, "12.0 km"),
            // Invalid values do not end the program.
            (1e29, "1000000000.0 km"), (.infinity, "1000000000.0 km"), (-1e29, "0 m"), (.nan, "0 m"),
        ])
    func distances(_ count: Double, _ text: String) {
        #expect(Metres(count).description == text)
    }
}
