import BoardControl
import BoardCore
import FoundationEssentials
import Glibc
import Testing
import Waiting

@Suite("The client of the commands", .endsHangs)
struct ControlClientTests {
    private let stop = StopID(feed: FeedName("tfl"), code: "490000173RF")

    @Test("gets the same values that the daemon gave")
    func values() async throws {
        let served = try await Served()
        let (client, board) = (served.client, served.board)
        #expect(try await client.state() == FakeBoard.state)
        #expect(try await client.directory() == board.directory())
        #expect(try await client.updateDirectory() == board.updateDirectory(nil))
        #expect(try await client.favourites() == board.favourites())
        #expect(try await client.lines() == board.lines(of: nil))
        #expect(try await client.route(of: "northern", feed: FeedName("tfl")).directions.first?.branches.count == 2)
        #expect(try await client.stop(stop) == board.stop(stop))
        #expect(try await client.stops(matching: "oxford", limit: 2) == board.stops(matching: "oxford", limit: 2))
        let new = NewFavourite(Favourite(stop: stop, label: "Home", lines: ["73"]))
        #expect(try await client.addFavourite(new).label == "Home")
        #expect(try await client.changeFavourite(stop, FavouriteChange(lines: ["N73"])).lines == ["N73"])
    }

    @Test("hands a favourite over with all that it has, there and back")
    func everyKey() async throws {
        let served = try await Served()
        let whole = FakeBoard.commuter
        #expect(Favourite(try await served.client.addFavourite(NewFavourite(whole))) == whole)
        let plain = Favourite(stop: stop)
        #expect(Favourite(try await served.client.addFavourite(NewFavourite(plain))) == plain)
        #expect(try await served.client.favourites().compactMap { Favourite($0) }.last == whole)
    }

    @Test("changes one thing of a favourite and nothing else, or everything; what is empty takes away")
    func changes() async throws {
        let served = try await Served()
        let whole = FakeBoard.commuter
        func changed(_ change: FavouriteChange) async throws -> Favourite? {
            Favourite(try await served.client.changeFavourite(whole.stop, change))
        }
        #expect(try await changed(FavouriteChange(position: 2)) == whole)
        var slower = whole
        slower.walk = .seconds(600)
        #expect(try await changed(FavouriteChange(walk: .seconds(600))) == slower)
        let nothing = FavouriteChange(
            label: "", lines: [], sort: .time, walk: .zero, uncatchable: .hide, towards: "", platforms: [],
            directions: [], when: [])
        #expect(try await changed(nothing) == Favourite(stop: whole.stop))
        let other = Favourite(
            stop: whole.stop, label: "Home", lines: ["XR"], sort: .destination, walk: .seconds(30), uncatchable: .mark,
            towards: "OXF", platforms: ["7"], directions: ["down"], when: [WeeklyWindow(from: 0, to: 0, days: [.sun])])
        let everything = FavouriteChange(
            label: other.label, lines: other.lines, sort: other.sort, walk: other.walk, uncatchable: other.uncatchable,
            towards: other.towards, platforms: other.platforms, directions: other.directions, when: other.when)
        #expect(try await changed(everything) == other)
    }

    @Test("takes no favourite from an answer that it cannot read")
    func unreadable() {
        var item = FavouriteItem(FakeBoard.commuter)
        item.walk = "soon"
        #expect(Favourite(item) == nil)
        item.walk = nil
        #expect(Favourite(item) != nil)
        item.when = ["weekend", "some day"]
        #expect(Favourite(item) == nil)
    }

    @Test("asks for what it was told to")
    func requests() async throws {
        let served = try await Served()
        let client = served.client
        try await client.press(.longHold, button: 1)
        try await client.refresh()
        try await client.reload()
        let place = try #require(Coordinates(latitude: 51.47789, longitude: -0.00001))
        _ = try await client.stops(near: place, within: Metres(249.6), modes: ["bus", "tube"], limit: 3)
        _ = try await client.stops(matching: "St Mary's & Café?")
        try await client.removeFavourite(StopID(feed: FeedName("rail"), code: "a/b c"))
        #expect(
            served.board.calls == [
                "press longHold 1", "refresh", "reload", "stops near 51.47789,-0.00001, 250 m, [\"bus\", \"tube\"], 3",
                "stops matching St Mary's & Café?, 20", "remove rail:a/b c",
            ])
    }

    @Test("hands a refusal on with everything that helps")
    func refusals() async throws {
        let served = try await Served()
        let missing = await failure { try await served.client.stop(StopID(feed: FeedName("tfl"), code: "missing")) }
        #expect(
            missing
                == .refused(
                    ControlError(
                        .notFound, "there is no tfl:missing",
                        candidates: [
                            Candidate(id: "tfl:490000173RF", name: "Oxford Circus Station"), Candidate(id: "tfl:2"),
                        ])))
        served.board.setFaulty(true)
        guard case .refused(let refusal) = await failure({ try await served.client.reload() }) else {
            Issue.record("a faulty configuration is refused")
            return
        }
        #expect(refusal.kind == .invalid)
        #expect(refusal.faults.map(\.file) == ["/etc/boardd/boardd.toml", "/etc/boardd/favourites.toml"])
    }

    @Test("says that no daemon runs, where there is no socket and where nobody listens on it")
    func noDaemon() async throws {
        let folder = "/tmp/boardd-client-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/control.sock"
        let failure = await failure { try await ControlClient(path: path).state() }
        #expect(failure == .noDaemon(path: path))
        #expect("\(failure)".contains("sudo systemctl start boardd"))
        try Data().write(to: URL(filePath: path))
        #expect(await self.failure { try await ControlClient(path: path).state() } == .noDaemon(path: path))
    }

    @Test(
        "says how to get the permission where there is none", .enabled(if: geteuid() != 0, "root may use every socket"))
    func noPermission() async throws {
        let served = try await Served()
        #expect(unsafe chmod(served.path, 0) == 0)
        let failure = await failure { try await served.client.state() }
        #expect(failure == .notPermitted(path: served.path))
    }

    @Test("has words for a missing permission that can be typed as they are")
    func permissionWords() {
        #expect(
            "\(ControlClientError.notPermitted(path: "/run/boardd/control.sock"))"
                == "/run/boardd/control.sock: permission denied. Join group boardd-control: "
                + "sudo usermod -aG boardd-control $USER, then log in again; or use sudo")
    }

    @Test("gives up a daemon that does not answer")
    func timeOut() async throws {
        let served = try await Served(FakeBoard(isSlow: true))
        let client = ControlClient(path: served.path, timeout: .milliseconds(100))
        #expect(await failure { try await client.refresh() } == .timedOut(.milliseconds(100)))
    }

    @Test("says that the connection broke when the daemon ends in the middle")
    func broken() async throws {
        let served = try await Served(FakeBoard(isSlow: true)) { $0.shutdown = .zero }
        async let failure = failure { try await served.client.refresh() }
        try await until { served.board.calls.contains("refresh") }
        try await served.stop()
        guard case .broken = await failure else {
            Issue.record("\(await failure)")
            return
        }
    }

    @Test(
        "does not understand what is no boardd",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 502 Bad\r\nContent-Length: 4\r\n\r\nsad!",
            "SSH-2.0-OpenSSH_9.2\r\n",
        ])
    func unexpectedResponse(text: String) async throws {
        let stranger = try Stranger(saying: text)
        guard
            case .unexpectedResponse = await failure({
                try await ControlClient(path: stranger.path, timeout: Patience.endless).state()
            })
        else {
            Issue.record("\(text) is not understood")
            return
        }
    }

    /// What a call fails with.
    private func failure<Value>(_ call: () async throws -> Value) async -> ControlClientError {
        do {
            _ = try await call()
            return .unexpectedResponse("it did not fail")
        } catch {
            return error as? ControlClientError ?? .unexpectedResponse("\(error)")
        }
    }
}
