import BoardCore
import BoardService
import Synchronization
import Testing
import Waiting

@testable import BoardStore
@testable import boardd

@Suite("The map of a board's own stops")
struct MapServiceTests {
    /// An operator with one line, that counts the requests.
    private final class Lines: StopCatalogue {
        private let count = Mutex(0)

        var requests: Int { count.withLock { $0 } }

        func stops(page: Int, take: @escaping StopReceiver) async throws(FeedError) -> StopPage {
            StopPage(entries: 0)
        }

        func route(of line: String) async throws(FeedError) -> LineRoute? {
            count.withLock { $0 += 1 }
            guard line == "7" else { return nil }
            let stops = ["490000001A", "490000001B"].enumerated().map { index, code in
                LineRoute.RouteStop(
                    id: SampleDirectory.id(code), name: "High Street",
                    coordinates: Coordinates(latitude: 51.501 + Double(index) / 10_000, longitude: -0.101))
            }
            return LineRoute(
                line: Line(id: "7", name: "7"), directions: [.init(name: "out", branches: [.init(stops: stops)])])
        }
    }

    /// An operator that searches stops, and finds one.
    private struct SearchedFeed: DepartureFeed, StopFinder {
        let profile = ScriptedFeed.profile
        var finder: (any StopFinder)? { self }
        var maximumRadius: Metres { Metres(5_000) }

        func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
            ScriptedFeed.response(request.stop, [])
        }

        func check(_ stop: StopID) async throws(FeedError) -> StopCheck { StopCheck(lines: []) }
        func stops(matching text: String, limit: Int) async throws(FeedError) -> [ListedStop] {
            [SampleDirectory.pole("found")]
        }

        func stops(
            near place: Coordinates, within radius: Metres, limit: Int
        ) async throws(FeedError) -> [NearStop] { [(SampleDirectory.pole("found"), Metres(radius.count / 2))] }

        func stop(_ id: StopID) async throws(FeedError) -> ListedStop? { nil }
        func successor(of request: FeedRequest) async throws(FeedError) -> ListedStop? { nil }
    }

    private let folder: TemporaryFolder
    private let lines = Lines()
    private let time = VirtualClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func service(
        _ feed: any DepartureFeed = ScriptedFeed { request throws(FeedError) in
            ScriptedFeed.response(request.stop, [])
        }, favourites: [FavouriteEntry] = [.stop(Favourite(stop: SampleDirectory.id("490000001B")))],
        configuration: Configuration = Configuration()
    ) -> LocalBoardService {
        let directory = StopDirectory(folder: folder.path)
        let active = ActiveConfiguration(
            configuration: configuration, feeds: [SampleDirectory.feed: feed],
            favourites: FavouriteResolution(favourites, in: directory))
        let lines = lines
        return LocalBoardService(
            directory: directory,
            editor: FavouritesEditor(path: "\(folder.path)/favourites.toml", declarations: FeedDeclarations([])),
            clock: time, active: { active }, catalogue: { _ in lines })
    }

    @Test("a box has the stops of the directory, with stars and the operator's attribution")
    func box() async throws {
        try SampleDirectory.write(in: folder.path)
        let found = try await service().stops(
            in: try BoundingBox(written: "51.5,-0.2,51.51,0"), near: nil, limit: 2, isOnline: true)
        #expect(found.stops.map(\.stop) == ["tfl:940GZZLUTWN", "tfl:490000001A"])
        #expect(found.total == 3 && found.attributions == ["Powered by Demo"])
        let all = try await service().stops(
            in: try BoundingBox(written: "51.5,-0.2,51.51,0"), near: nil, limit: 9, isOnline: true)
        #expect(all.stops.filter(\.isFavourite).map(\.stop) == ["tfl:490000001B"])
        let nothing = try await service().stops(
            in: try BoundingBox(written: "0,0,1,1"), near: nil, limit: 9, isOnline: true)
        #expect(nothing == StopsInBox([], total: 0, attributions: []))
    }

    @Test("a box near a place has the stops of its map, the nearest first, with their distances", arguments: [0, 200])
    func near(others: Int) async throws {
        // Beyond 150 stops a map has interchanges and stations, and favourites where they are among the first 150.
        try SampleDirectory.write(
            SampleDirectory.stops + (0..<others).map { SampleDirectory.pole("\($0)", at: (51.502, -0.1)) },
            in: folder.path)
        let request = MapRequest(centre: try MapSample.place(51.5012, -0.1013))
        let box = try #require(MapPicture.box(of: request))
        let found = try await service().stops(
            in: box, near: request.centre, limit: MapRequest.maximumStops, isOnline: false)
        let map = try await service().map(request)
        let drawn = map.matches(of: /<a href="\/stop\?id=([^"]*)"/).map { String($0.output.1) }
        #expect(Set(found.stops.map(\.stop)) == Set(drawn))
        #expect(found.stops.count == drawn.count && found.total == 3 + others)
        #expect(found.stops.first?.stop == (others == 0 ? "tfl:490000001B" : "tfl:940GZZLUTWN"))
        let distances = found.stops.compactMap(\.distanceMetres)
        #expect(distances.count == found.stops.count && distances == distances.sorted())
    }

    @Test(
        "a box near a place has the stops of operators that search stops, where the directory has none, for who may change",
        arguments: [true, false])
    func searched(hasDirectory: Bool) async throws {
        if hasDirectory { try SampleDirectory.write(in: folder.path) }
        let place = try MapSample.place(10, 20)
        let box = try BoundingBox(written: "9.99,19.995,10.01,20.005")
        let found = try await service(SearchedFeed()).stops(in: box, near: place, limit: 150, isOnline: true)
        #expect(found.stops.map(\.stop) == ["tfl:found"] && found.total == 1)
        // Half of the distance to the farther edge.
        #expect(abs((found.stops.first?.distanceMetres ?? 0) - 556) < 1)
        guard hasDirectory else {
            let failure = await #expect(throws: ServiceError.self) {
                try await service(SearchedFeed()).stops(in: box, near: place, limit: 150, isOnline: false)
            }
            #expect(failure?.kind == .noDirectory)
            return
        }
        #expect(try await service(SearchedFeed()).stops(in: box, near: place, limit: 150, isOnline: false).total == 0)
    }

    @Test(
        "before the first favourite a search asks the operators to which a person has given a table or a key, and no others"
    )
    func chosen() async throws {
        try SampleDirectory.write(in: folder.path)
        func found(_ change: (inout Configuration) -> Void) async throws -> [String] {
            var configuration = Configuration()
            configuration.feeds[SampleDirectory.feed] = FeedSettings(
                defaultsOf: FeedDeclaration(name: SampleDirectory.feed, title: "TfL"))
            change(&configuration)
            return try await service(SearchedFeed(), favourites: [], configuration: configuration)
                .stops(matching: "nowhere", limit: 9, isOnline: true).map(\.stop)
        }
        #expect(try await found { _ in } == [])
        #expect(
            try await found { $0.tables = [ConfigurationTable(name: "[feed.tfl]", file: "settings.toml")] } == [
                "tfl:found"
            ])
        #expect(try await found { $0.tables = [ConfigurationTable(name: "[feed.rail]", file: "settings.toml")] } == [])
        #expect(
            try await found { $0.feeds[SampleDirectory.feed]?.setSecret("TFL_APP_KEY", to: Secret("x")) } == [
                "tfl:found"
            ])
    }

    @Test("a map has the stops of its box, the marked one and the attribution")
    func map() async throws {
        try SampleDirectory.write(in: folder.path)
        var request = MapRequest(centre: try MapSample.place(51.502, -0.1))
        request.stop = SampleDirectory.id("490000001A")
        let map = try await service().map(request)
        #expect(map.split(separator: "<a href=").count == 4)
        #expect(map.contains("class=\"favourite\"") && map.contains("class=\"marked\""))
        #expect(map.contains(">Powered by Demo</text>"))
        // Another feed's stop, and one that the directory lacks: no mark, no failure.
        for stop in [StopID(feed: FeedName("rail"), code: "RDG"), SampleDirectory.id("gone")] {
            request.stop = stop
            #expect(try await !service().map(request).contains("class=\"marked\""))
        }
    }

    @Test("the way of a line is requested once for many maps, and again after ten minutes")
    func way() async throws {
        try SampleDirectory.write(in: folder.path)
        let service = service()
        var request = MapRequest(centre: try MapSample.place(51.502, -0.1))
        request.line = .init(feed: SampleDirectory.feed, line: "7")
        for _ in 0..<3 {
            #expect(try await service.map(request).contains("class=\"way\""))
            request.centre = try MapSample.place(51.5021, -0.1)
            time.advance(by: .seconds(250))
        }
        #expect(lines.requests == 1)
        time.advance(by: .seconds(101))
        _ = try await service.map(request)
        #expect(lines.requests == 2)
        request.line = .init(feed: SampleDirectory.feed, line: "9")
        let failure = await #expect(throws: ServiceError.self) { try await service.map(request) }
        #expect(failure?.kind == .notFound)
    }

    @Test("without a stop directory the error reports what to do")
    func missing() async {
        let failure = await #expect(throws: ServiceError.self) {
            try await service().map(try MapSample.request())
        }
        #expect(failure?.kind == .noDirectory)
    }
}
