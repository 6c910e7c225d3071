import BoardCore
import BoardService
import BoardStore
import FoundationEssentials
import Glibc
import ServerTesting
import Testing
import Waiting

@testable import BoardControl

@Suite("The client for the control socket", .endsHangs)
struct RemoteBoardServiceTests {
    private let stop = StopID(feed: FeedName("tfl"), code: "490000173RF")

    @Test("returns the daemon's values unchanged")
    func values() async throws {
        let served = try await RunningServer()
        let (client, board) = (served.client, served.board)
        #expect(try await client.state() == FakeBoard.state)
        #expect(try await client.directory() == board.directory())
        #expect(try await client.updateDirectory(nil) == board.updateDirectory(nil))
        #expect(try await client.favourites() == board.favourites())
        #expect(try await client.favouriteChanges() == FakeBoard.changes)
        #expect(try await client.revertFavourite(FakeBoard.bare.id).map(\.favourite) == [FakeBoard.commuter])
        #expect(try await client.lines(of: nil) == board.lines(of: nil))
        #expect(try await client.route(of: "northern", feed: FeedName("tfl")).directions.first?.branches.count == 2)
        #expect(try await client.stop(stop) == board.stop(stop))
        #expect(
            try await client.stops(matching: "oxford", limit: 2, isOnline: true)
                == board.stops(matching: "oxford", limit: 2, isOnline: true))
        let box = try BoundingBox(written: "-19,177,-16,-178")
        let place = try Coordinates(written: "-18,178")
        for place in [nil, place] {
            #expect(
                try await client.stops(in: box, near: place, limit: 9, isOnline: true)
                    == board.stops(in: box, near: place, limit: 9, isOnline: true))
        }
        #expect(board.calls.count(where: { $0 == "stops in \(box), near \(place), 9" }) == 2)
        var map = MapRequest(centre: try Coordinates(written: "51.5154,-0.1419"))
        (map.scale, map.stop) = (.half, stop)
        map.line = .init(feed: stop.feed, line: "73")
        #expect(try await client.map(map) == board.map(map))
        #expect(board.calls.count(where: { $0 == "map 51.5154,-0.1419 0.5 360x480 \(stop) tfl:73" }) == 2)
        let new = Favourite(stop: stop, label: "Home", lines: ["73"])
        #expect(try await client.addFavourite(new, at: nil).favourite.label == "Home")
        let change = FavouriteChange(["lines": ["N73"]])
        #expect(try await client.changeFavourite(stop, change).favourite.lines == ["N73"])
    }

    @Test("sends the parameters of each call")
    func requests() async throws {
        let served = try await RunningServer()
        let client = served.client
        try await client.press(.longHold, button: ButtonID(number: 2))
        try await client.refresh()
        try await client.show(page: "overview")
        try await client.setLight(.off)
        try await client.show(try BoardMessage(" Dinner\nis ready ", seconds: 90))
        try await client.reload()
        let place = try #require(Coordinates(latitude: 51.47789, longitude: -0.00001))
        _ = try await client.stops(
            near: place, within: Metres(249.6), modes: ["bus", "tube"], limit: 3, isOnline: true)
        _ = try await client.stops(matching: "St Mary's & Café?", limit: 20, isOnline: true)
        try await client.removeFavourite(StopID(feed: FeedName("rail"), code: "a/b c"))
        #expect(
            served.board.calls == [
                "press longHold 2", "refresh", "show overview", "light off", "message Dinner is ready, 90 s", "reload",
                "stops near 51.47789,-0.00001, 250 m, [\"bus\", \"tube\"], 3",
                "stops matching St Mary's & Café?, 20", "remove rail:a/b c",
            ])
    }

    @Test("receives the departures that the board holds, with all that a page shows")
    func departures() async throws {
        let served = try await RunningServer()
        let (stop, response) = (FakeBoard.northbound.id, FakeBoard.response)
        let held = try await served.client.departures(of: stop, sorted: .destination)
        #expect(served.board.calls == ["departures of \(stop) by destination"])
        #expect(held.departures.map(\.minutes) == [nil, 3, nil, 121])
        #expect(held.departures.map(\.departure.status.kind) == [.cancelled, .expected, .delayed, .scheduled])
        #expect(held.departures.map { $0.departure.staleAt.map { $0 < held.time } } == [false, true, false, nil])
        #expect(held.departures.map(\.departure.utcOffset) == [0, 0, 0, 0])
        #expect(held.name == "Oxford Circus Station" && held.label == "Oxford St")
        #expect(held.departures.map(\.isShown) == [true, true, true, false])
        #expect(held.departures.map { $0.leaveBy.map { $0 >= held.time } } == [nil, false, nil, true])
        #expect(held.notice == "TfL shows no departures here at the moment")
        #expect(held.nextPollAt == FakeBoard.moment && held.intervalSeconds == 30)
        let (left, received) = (FakeBoard.moment - .seconds(30), held.departures.map(\.departure))
        #expect(Set(received.map(\.status)) == Set(response.departures.filter { $0.due > left }.map(\.status)))
        #expect(received.contains { $0.fare == Fare(hundredths: 1_990, currency: "EUR") })
        #expect(held.alerts == response.alerts)
        let none = try await served.client.departures(of: FakeBoard.bare.id, sorted: .time)
        #expect(none.departures.isEmpty && none.status == .loading && none.lastResponseAt == nil)
    }

    @Test("passes on an error with its candidates and faults")
    func errors() async throws {
        let served = try await RunningServer()
        let missing = await failure { try await served.client.stop(StopID(feed: FeedName("tfl"), code: "missing")) }
        #expect(
            missing
                == ServiceError(
                    .notFound, "there is no tfl:missing",
                    candidates: [
                        Candidate(id: "tfl:490000173RF", name: "Oxford Circus Station"), Candidate(id: "tfl:2"),
                    ]))
        served.board.setFaulty(true)
        let error = await failure { try await served.client.reload() }
        #expect(error.kind == .invalid)
        #expect(error.faults.map(\.file) == ["/etc/boardd/boardd.toml", "/etc/boardd/favourites.toml"])
    }

    @Test(
        "distinguishes errors that have one status",
        arguments: [("too early", ServiceError.Kind.noDirectory), ("outage", .unavailable)])
    func kinds(text: String, kind: ServiceError.Kind) async throws {
        let served = try await RunningServer()
        #expect(await failure { try await served.client.stops(matching: text, limit: 1, isOnline: true) }.kind == kind)
        #expect(kind.status == 503)
    }

    @Test("reports a missing daemon, without a socket and without a listener")
    func noDaemon() async throws {
        let folder = "/tmp/boardd-client-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/control.sock"
        let failure = await failure { try await RemoteBoardService(path: path).state() }
        #expect(failure.kind == .noDaemon && failure.message.contains(path))
        #expect("\(failure)".contains("sudo systemctl start boardd"))
        try Data().write(to: URL(filePath: path))
        #expect(await self.failure { try await RemoteBoardService(path: path).state() }.kind == .noDaemon)
    }

    @Test("reports a missing permission", .enabled(if: geteuid() != 0, "root may use every socket"))
    func noPermission() async throws {
        let served = try await RunningServer()
        #expect(unsafe chmod(served.path, 0) == 0)
        let failure = await failure { try await served.client.state() }
        #expect(failure.kind == .noAccess && failure.message.contains(served.path))
    }

    @Test("the message for a missing permission contains a complete command")
    func permissionWords() {
        #expect(
            "\(ServiceError.connecting(to: "/run/boardd/control.sock", code: EACCES))"
                == "/run/boardd/control.sock: permission denied. Join group boardd-control: "
                + "sudo usermod -aG boardd-control $USER, then log in again; or use sudo")
    }

    @Test("times out where the daemon does not respond")
    func timeOut() async throws {
        let served = try await RunningServer(FakeBoard(isSlow: true))
        let client = RemoteBoardService(path: served.path, timeout: .milliseconds(100))
        #expect(await failure { try await client.refresh() }.kind == .timedOut)
    }

    @Test("reports a lost connection when the daemon ends during a request")
    func broken() async throws {
        let served = try await RunningServer(FakeBoard(isSlow: true)) { $0.shutdown = .zero }
        async let failure = failure { try await served.client.refresh() }
        try await until { served.board.calls.contains("refresh") }
        try await served.stop()
        #expect(await failure.kind == .connectionLost)
    }

    @Test(
        "reports an unexpected response of a server that is not boardd",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 502 Bad\r\nContent-Length: 4\r\n\r\nsad!",
            "SSH-2.0-OpenSSH_9.2\r\n",
        ])
    func unexpectedResponse(text: String) async throws {
        let server = try ForeignServer(sending: text)
        let failure = await failure {
            try await RemoteBoardService(path: server.path, timeout: Patience.endless).state()
        }
        #expect(failure.kind == .unexpectedResponse)
    }

    /// The error of a call.
    private func failure<Value>(_ call: () async throws -> Value) async -> ServiceError {
        do {
            _ = try await call()
            return ServiceError(.failed, "it did not fail")
        } catch {
            return error as? ServiceError ?? ServiceError(.failed, "\(error)")
        }
    }
}
