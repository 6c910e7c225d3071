import BoardCore
import BoardService
import Synchronization
import Testing

@testable import BoardStore
@testable import boardd

@Suite("The map of a board's own stops")
struct MapServiceTests {
    /// An operator with one line, that counts the requests.
    private final class Lines: StopCatalogue {
        private let count = Mutex(0)

        var requests: Int { count.withLock { $0 } }

        func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
            StopPage(entries: 0)
        }

        func route(of line: String) async throws(FeedFailure) -> LineRoute? {
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

    private final class Time: MachineClock {
        private let instant = Mutex(Instant(microseconds: 0))

        func now() -> Instant { instant.withLock { $0 } }
        func reading() -> CorrectedClock.Reading { .init(wall: Timestamp(seconds: 0), isSynchronised: true) }
        func pass(_ duration: Duration) { instant.withLock { $0 = $0 + duration } }
    }

    private let folder: TemporaryFolder
    private let lines = Lines()
    private let time = Time()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func service() -> LocalBoardService {
        let directory = StopDirectory(folder: folder.path)
        let feed = ScriptedFeed { request throws(FeedFailure) in ScriptedFeed.response(request.stop, []) }
        let favourite = Favourite(stop: SampleDirectory.id("490000001B"))
        let active = ActiveConfiguration(
            configuration: Configuration(), feeds: [SampleDirectory.feed: feed],
            favourites: FavouriteResolution([.stop(favourite)], in: directory))
        let lines = lines
        return LocalBoardService(
            directory: directory,
            editor: FavouritesEditor(path: "\(folder.path)/favourites.toml", declarations: FeedDeclarations([])),
            clock: time, active: { active }, catalogue: { _ in lines })
    }

    @Test("a box has the stops of the directory, with stars and the operator's attribution")
    func box() async throws {
        try SampleDirectory.write(in: folder.path)
        let found = try await service().stops(in: try BoundingBox(written: "51.5,-0.2,51.51,0"), limit: 2)
        #expect(found.stops.map(\.stop) == ["tfl:940GZZLUTWN", "tfl:490000001A"])
        #expect(found.total == 3 && found.attributions == ["Powered by Demo"])
        let all = try await service().stops(in: try BoundingBox(written: "51.5,-0.2,51.51,0"), limit: 9)
        #expect(all.stops.filter(\.isFavourite).map(\.stop) == ["tfl:490000001B"])
        let nothing = try await service().stops(in: try BoundingBox(written: "0,0,1,1"), limit: 9)
        #expect(nothing == StopsInBox([], total: 0, attributions: []))
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
            time.pass(.seconds(250))
        }
        #expect(lines.requests == 1)
        time.pass(.seconds(101))
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
