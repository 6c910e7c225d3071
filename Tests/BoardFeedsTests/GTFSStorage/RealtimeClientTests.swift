import BoardCore
import LoopbackServer
import Synchronization
import TestOperators
import Testing
import TransitRealtime
import Waiting

@testable import BoardFeeds

@Suite("Cached GTFS-Realtime messages", .endsHangs)
struct RealtimeClientTests {
    private func message(_ time: String, madeAt: String) throws -> [UInt8] {
        try Town.bytes([Town.update("a", [Town.call("P", departs: time)])], madeAt: Town.time(madeAt))
    }

    private func testServer(_ message: [UInt8]) throws -> GTFSTestServer {
        let testServer = try GTFSTestServer(at: "07:55")
        testServer.send(message)
        return testServer
    }

    private func count(_ testServer: GTFSTestServer, _ path: String = "/trips") -> Int {
        testServer.requestedPaths.count { $0 == path }
    }

    /// Advances the clock.
    private func pass(_ seconds: Int, _ testServer: GTFSTestServer) {
        testServer.clock.go(to: testServer.clock.now() - Instant(microseconds: 0) + .seconds(seconds))
    }

    @Test("one message serves all stops, and none is fetched again within half the interval")
    func shared() async throws {
        let testServer = try testServer(message("08:13", madeAt: "07:55"))
        let feed = try testServer.feed(realtime: ["/trips"], stops: ["P", "Q", "C", "R", "C1"])
        let costs = try await withThrowingTaskGroup(of: Int.self) { group in
            for code in ["P", "Q", "C", "R", "C1"] {
                group.addTask { try await feed.counted(FeedRequest(stop: Town.stop(code))).requests }
            }
            return try await group.reduce(0, +)
        }
        #expect(count(testServer) == 1 && costs == 1)
        pass(14, testServer)
        #expect(try await testServer.rows(feed) == ["1 Quay 08:13"])
        #expect(count(testServer) == 1)
        testServer.send(try message("08:17", madeAt: "07:55:10"))
        pass(2, testServer)
        #expect(try await testServer.rows(feed) == ["1 Quay 08:17"])
        #expect(count(testServer) == 2)
    }

    @Test("the last message of a failing URL is used for ten minutes; then departures are scheduled")
    func failing() async throws {
        let testServer = try testServer(message("08:20", madeAt: "07:55"))
        let feed = try testServer.feed(realtime: ["/trips"])
        #expect(try await testServer.rows(feed) == ["1 Quay 08:20"])
        testServer.files.withLock { $0.messageSteps = [.reply(500, text: "")] }
        for _ in 0..<19 {
            pass(30, testServer)
            #expect(try await testServer.rows(feed) == ["1 Quay 08:20"])
        }
        pass(29, testServer)
        #expect(try await testServer.rows(feed) == ["1 Quay 08:20"])
        pass(2, testServer)
        let response = try await feed.counted(FeedRequest(stop: Town.stop("P")))
        #expect(GTFSTestServer.rows(response) == ["1 Quay *08:11"])
        #expect(
            response.departures.map(\.madeAt) == [testServer.clock.reading().wall],
            "scheduled departures are not frozen")
        #expect(
            response.partialFailure?.detail.hasPrefix("Town, \(testServer.server.url("/trips")): status 500, ") == true)
        #expect(response.partialFailure?.detail.hasSuffix("Showing scheduled times") == true)
        testServer.files.withLock { $0.messageSteps = nil }
        testServer.send(try message("08:13", madeAt: "08:05"))
        pass(16, testServer)
        #expect(try await testServer.rows(feed) == ["1 Quay 08:13"])
        #expect(try await testServer.partialFailure(feed) == nil)
    }

    @Test("Retry-After is obeyed, up to an hour")
    func retryAfter() async throws {
        let testServer = try testServer(message("08:20", madeAt: "07:55"))
        let feed = try testServer.feed(realtime: ["/trips"])
        testServer.files.withLock { $0.messageSteps = [.reply(503, ["Retry-After: 86400"], text: "")] }
        _ = try await testServer.rows(feed)
        #expect(count(testServer) == 1)
        testServer.files.withLock { $0.messageSteps = nil }
        pass(600, testServer)
        let response = try await feed.counted(FeedRequest(stop: Town.stop("Q")))
        #expect(count(testServer) == 1 && response.partialFailure?.kind == .status(503) && response.requests == 0)
        pass(3_001, testServer)
        _ = try await testServer.rows(feed)
        #expect(count(testServer) == 2)
    }

    @Test("after a lost response or an HTML page the cached message is used, with a partial failure")
    func hiccup() async throws {
        let testServer = try testServer(message("08:13", madeAt: "07:55"))
        let feed = try testServer.feed(realtime: ["/trips"])
        _ = try await testServer.rows(feed)
        #expect(try await testServer.partialFailure(feed) == nil)
        for step in [LoopbackServer.Step.close, .reply(200, text: "<html>")] {
            testServer.files.withLock { $0.messageSteps = [step] }
            pass(16, testServer)
            #expect(try await testServer.rows(feed) == ["1 Quay 08:13"])
            // On a busy machine the feed may return before the message does.
            let prefix = "Town, \(testServer.server.url("/trips")): "
            #expect(await eventually { (try? await testServer.partialFailure(feed))??.hasPrefix(prefix) == true })
        }
    }

    @Test("without any message departures are scheduled, with a partial failure")
    func noMessage() async throws {
        let testServer = try GTFSTestServer(at: "07:55")
        let feed = try testServer.feed(realtime: ["/nowhere.pb"].map { testServer.server.url($0) })
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        #expect(try await testServer.partialFailure(feed)?.contains("status 404") == true)
    }

    @Test("a header alone has no data: departures are scheduled, without a failure")
    func headerOnly() async throws {
        let testServer = try testServer(Town.bytes([], madeAt: Town.time("07:55")))
        let feed = try testServer.feed(realtime: ["/trips"])
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        #expect(try await testServer.partialFailure(feed) == nil)
    }

    @Test("a message more than ten minutes old is frozen: not used, and reported")
    func frozen() async throws {
        let testServer = try testServer(message("08:13", madeAt: "07:50"))
        let feed = try testServer.feed(realtime: ["/trips"])
        let request = FeedRequest(stop: Town.stop("P"))
        var madeAt: Set<Timestamp> = []
        for _ in 0..<10 {
            let response = try await feed.counted(request)
            #expect(GTFSTestServer.rows(response) == ["1 Quay 08:13"])
            madeAt.formUnion(response.departures.map(\.madeAt))
            pass(30, testServer)
        }
        pass(2, testServer)
        for minutes in ["10", "10", "11", "11"] {
            let response = try await feed.counted(request)
            #expect(GTFSTestServer.rows(response) == ["1 Quay *08:11"])
            #expect(
                response.partialFailure?.detail
                    == "Town, \(testServer.server.url("/trips")): the newest message is \(minutes) minutes old: the feed is frozen. "
                    + "Showing scheduled times")
            madeAt.formUnion(response.departures.map(\.madeAt))
            pass(30, testServer)
        }
        // madeAt never changed, so the board shows the feed as frozen.
        #expect(madeAt == [try Town.time("07:50")])
        testServer.send(try message("08:15", madeAt: "08:02"))
        let response = try await feed.counted(request)
        #expect(GTFSTestServer.rows(response) == ["1 Quay 08:15"])
        #expect(response.departures.map(\.madeAt) == [try Town.time("08:02")])
        #expect(response.partialFailure == nil)
    }

    @Test("new alerts do not hide that the trips are frozen")
    func frozenBesideAlerts() async throws {
        let testServer = try testServer(message("08:13", madeAt: "07:30"))
        testServer.send(try Town.bytes([Town.alert("Lift out", stop: "P")], madeAt: Town.time("07:55")), at: "/alerts")
        let response = try await testServer.feed(realtime: ["/trips", "/alerts"]).counted(
            FeedRequest(stop: Town.stop("P")))
        #expect(GTFSTestServer.rows(response) == ["1 Quay *08:11"])
        #expect(response.departures.map(\.madeAt) == [try Town.time("07:30")])
        #expect(response.partialFailure?.detail.contains("the newest message is 25 minutes old") == true)
        #expect(response.alerts.map(\.text) == ["Lift out"])
    }

    @Test("a failing URL does not affect the others")
    func oneOfTwo() async throws {
        let testServer = try testServer(message("08:13", madeAt: "07:55"))
        let feed = try testServer.feed(realtime: ["/alerts", "/trips"])
        for _ in 0..<3 {
            let response = try await feed.counted(FeedRequest(stop: Town.stop("P")))
            #expect(GTFSTestServer.rows(response) == ["1 Quay 08:13"] && response.requests == 2)
            #expect(response.partialFailure?.kind == .status(404))
            pass(16, testServer)
        }
    }

    @Test("if this machine's clock is not synchronised, the operator's counts, also for the timetable")
    func unsureClock() async throws {
        let testServer = try testServer(message("08:13", madeAt: "07:55"))
        testServer.files.withLock { $0.date = "Mon, 02 Mar 2026 12:55:00 GMT" }
        let now = try Town.time("07:55")
        let clock = VirtualClock(wall: now - .seconds(400 * 86_400), isSynchronised: false)
        let feed = try testServer.feed(realtime: ["/trips"], clock: clock)
        let response = try await feed.counted(FeedRequest(stop: Town.stop("P")))
        #expect(GTFSTestServer.rows(response) == ["1 Quay 08:13"])
        clock.go(to: .seconds(10))
        let later = try await feed.counted(FeedRequest(stop: Town.stop("P")))
        #expect(GTFSTestServer.rows(later) == ["1 Quay 08:13"] && later.requests == 0)
    }

    @Test("another stop needs a new message")
    func newStop() async throws {
        let testServer = try testServer(
            Town.bytes(
                [
                    Town.update("a", [Town.call("C1", departs: "08:03")]),
                    Town.update("b", [Town.call("Q", departs: "09:04")]),
                ],
                madeAt: Town.time("07:55")))
        let feed = try testServer.feed(realtime: ["/trips"], stops: ["C1"])
        #expect(try await testServer.rows(feed, "C1") == ["1 Quay via Park 08:03"])
        #expect(try await testServer.rows(feed, "Q") == ["Second Ridge 09:04"])
    }

    @Test("towards selects trips that call there later")
    func towards() async throws {
        let testServer = try testServer(message("08:13", madeAt: "07:55"))
        let feed = try testServer.feed(realtime: ["/trips"], settings: [:])
        #expect(try await testServer.rows(feed, "C", towards: "Q") == ["1 Quay via Park *08:00"])
        #expect(try await testServer.rows(feed, "C", towards: "R") == ["Second Ridge *09:20"])
        #expect(try await testServer.rows(feed, "P", towards: "C").isEmpty)
        #expect(try await testServer.rows(feed, "Q", towards: "C") == ["Second Ridge *09:00"])
    }

    @Test("alerts of other lines than the requested ones are left out, those of the stop never")
    func alerts() async throws {
        let testServer = try testServer(
            Town.bytes(
                [
                    Town.alert("First is late", route: "1"), Town.alert("Second is late", route: "2"),
                    Town.alert("Lift out", stop: "P"), Town.alert("Elsewhere", stop: "Z"),
                ], madeAt: Town.time("07:55")))
        let feed = try testServer.feed(realtime: ["/trips"])
        for (lines, texts) in [
            ([], ["First is late", "Lift out", "Second is late"]), (["1"], ["First is late", "Lift out"]),
            // By name as well as by ID.
            (["second"], ["Lift out", "Second is late"]), (["9"], ["Lift out"]),
        ] as [([String], [String])] {
            let code = "P"
            let response = try await feed.counted(FeedRequest(stop: Town.stop(code), lines: lines))
            #expect(response.alerts.map(\.text).sorted() == texts, "\(lines)")
        }
    }

    @Test("a cancelled request ends at once")
    func cancelled() async throws {
        let testServer = try testServer(message("08:13", madeAt: "07:55"))
        testServer.files.withLock { $0.messageSteps = [.wait, .close] }
        let feed = try testServer.feed(realtime: ["/trips"])
        let request = Task { try await testServer.failure(feed).kind }
        #expect(await eventually { count(testServer) > 0 })
        request.cancel()
        #expect(try await request.value == .cancelled)
        testServer.server.resume()
    }

    @Test("a URL that does not respond delays neither the timetable nor the others, and its later message counts")
    func noResponse() async throws {
        let testServer = try GTFSTestServer(at: "07:55")
        let body = try message("08:13", madeAt: "07:55")
        let steps: LoopbackServer.Step = .reply(200, body: body)
        let slow = try LoopbackServer { _ in [.wait, steps] }
        defer { slow.stop() }
        testServer.send(try Town.bytes([Town.alert("Lift out", stop: "P")], madeAt: Town.time("07:55")), at: "/alerts")
        let sources = try [slow.url("/trips"), testServer.server.url("/alerts")].map {
            GTFSSource.address(try #require(HTTPURL($0)))
        }
        let declaration = try #require(GTFSFeed.family.member(GTFSTestServer.feed))
        let client = RealtimeClient(
            sources, key: APIKeyPlacement(FeedSettings(defaultsOf: declaration), of: GTFSTestServer.feed),
            title: "Town",
            transport: PatientTransport(inner: CurlTransport(userAgent: "boardd-test/1", clock: testServer.clock)),
            clock: testServer.clock, interval: .seconds(30))
        let (timetable, report) = try GTFSFixture().read(["P"])
        let loaded = LoadedTimetable(
            report: report, stops: ["P"], generation: 1, index: RealtimeIndex(timetable, stops: ["P"]), identity: nil)
        func rows(_ state: RealtimeClient.State) -> [String] {
            GTFSTestServer.rows(
                FeedResponse(
                    stop: Stop(id: Town.stop("P")),
                    departures: state.overlay.departures(at: Town.stop("P"), now: state.now, ahead: .seconds(3_600))))
        }
        /// What there is when the client waits no longer.
        func stateAfterTimeout() async throws -> RealtimeClient.State {
            let timeout = Duration.milliseconds(1)
            async let state = client.state(for: loaded, timeout: timeout)
            #expect(await testServer.clock.passSleep(of: timeout))
            return try await state
        }
        var state = try await stateAfterTimeout()
        #expect(rows(state) == ["1 Quay *08:11"])
        let hasAlert = await eventually {
            guard let state = try? await stateAfterTimeout() else { return false }
            return state.overlay.alerts(at: Town.stop("P"), language: "en", now: state.now).map(\.text) == ["Lift out"]
        }
        #expect(hasAlert)
        #expect(await eventually { slow.record.requests.count == 1 })
        // The fetch continues, and is not repeated.
        state = try await stateAfterTimeout()
        #expect(rows(state) == ["1 Quay *08:11"] && slow.record.requests.count == 1)
        slow.resume()
        state = try await client.state(for: loaded, timeout: Patience.endless)
        #expect(rows(state) == ["1 Quay 08:13"] && slow.record.requests.count == 1)
        #expect(count(testServer, "/alerts") == 1)
    }

    @Test("messages may be local files")
    func file() async throws {
        let testServer = try GTFSTestServer(at: "07:55")
        let path = testServer.folder + "/trips.pb"
        try RecordingFiles.write(message("08:13", madeAt: "07:55"), to: path)
        let feed = try testServer.feed(realtime: [path])
        #expect(try await testServer.rows(feed) == ["1 Quay 08:13"])
        #expect(testServer.requestedPaths == ["/gtfs.zip"])
    }
}

/// A transport without time-outs: on a busy machine the test continues a response only minutes after the request.
private struct PatientTransport: HTTPTransport {
    let inner: CurlTransport

    func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPError) -> HTTPResponse {
        try await inner.get(
            HTTPRequest(
                request.url, headers: request.headers, limit: request.limit, connectTimeout: Patience.endless,
                timeout: Patience.endless, stalledAfter: Patience.endless), body: body)
    }
}
