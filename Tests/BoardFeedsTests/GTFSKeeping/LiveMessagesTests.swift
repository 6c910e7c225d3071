import BoardCore
import LoopbackServer
import Synchronization
import Testing
import TransitRealtime
import Waiting

@testable import BoardFeeds

@Suite("A city's messages, kept", .endsHangs)
struct LiveMessagesTests {
    private func message(_ time: String, made: String) throws -> [UInt8] {
        try Town.bytes([try Town.update("a", [Town.call("P", departs: time)])], made: try Town.time(made))
    }

    private func hall(_ message: [UInt8]) throws -> TownHall {
        let hall = try TownHall(at: "07:55")
        hall.files.withLock { $0.messages["/trips"] = message }
        return hall
    }

    private func count(_ hall: TownHall, _ path: String = "/trips") -> Int { hall.asked.count { $0 == path } }

    /// Lets time go by.
    private func pass(_ seconds: Int, _ hall: TownHall) {
        hall.clock.go(to: hall.clock.now() - Instant(microseconds: 0) + .seconds(seconds))
    }

    @Test("one message serves all stops, and none is asked for again within half the interval")
    func shared() async throws {
        let hall = try hall(try message("08:13", made: "07:55"))
        let feed = try hall.feed(realtime: ["/trips"], stops: ["P", "Q", "C", "R", "C1"])
        let costs = try await withThrowingTaskGroup(of: Int.self) { group in
            for code in ["P", "Q", "C", "R", "C1"] {
                group.addTask { try await feed.departures(FeedQuestion(stop: Town.stop(code))).requests }
            }
            return try await group.reduce(0, +)
        }
        #expect(count(hall) == 1 && costs == 1)
        pass(14, hall)
        #expect(try await hall.rows(feed) == ["1 Quay 08:13"])
        #expect(count(hall) == 1)
        hall.files.withLock { $0.messages["/trips"] = (try? self.message("08:17", made: "07:55:10")) ?? [] }
        pass(2, hall)
        #expect(try await hall.rows(feed) == ["1 Quay 08:17"])
        #expect(count(hall) == 2)
    }

    @Test("an address that fails keeps its last message ten minutes long; then the timetable is told, as such")
    func failing() async throws {
        let hall = try hall(try message("08:20", made: "07:55"))
        let feed = try hall.feed(realtime: ["/trips"])
        #expect(try await hall.rows(feed) == ["1 Quay 08:20"])
        hall.files.withLock { $0.messageSteps = [.reply(500, text: "")] }
        for _ in 0..<19 {
            pass(30, hall)
            #expect(try await hall.rows(feed) == ["1 Quay 08:20"])
        }
        pass(29, hall)
        #expect(try await hall.rows(feed) == ["1 Quay 08:20"])
        pass(2, hall)
        let answer = try await feed.departures(FeedQuestion(stop: Town.stop("P")))
        #expect(TownHall.rows(answer) == ["1 Quay *08:11"])
        #expect(answer.departures.map(\.made) == [hall.clock.reading().wall], "the timetable does not stand still")
        #expect(
            answer.trouble?.detail
                == "Town, \(hall.server.url("/trips")): status 500: the operator answers with status 500. Until that is over "
                + "the timetable is told, marked with *")
        hall.files.withLock {
            $0.messageSteps = nil
            $0.messages["/trips"] = (try? self.message("08:13", made: "08:05")) ?? []
        }
        pass(16, hall)
        #expect(try await hall.rows(feed) == ["1 Quay 08:13"])
        #expect(try await hall.trouble(feed) == nil)
    }

    @Test("an address that says when it wants to be asked again is left alone until then, and no longer than an hour")
    func pauses() async throws {
        let hall = try hall(try message("08:20", made: "07:55"))
        let feed = try hall.feed(realtime: ["/trips"])
        hall.files.withLock { $0.messageSteps = [.reply(503, ["Retry-After: 86400"], text: "")] }
        _ = try await hall.rows(feed)
        #expect(count(hall) == 1)
        hall.files.withLock { $0.messageSteps = nil }
        pass(600, hall)
        let answer = try await feed.departures(FeedQuestion(stop: Town.stop("Q")))
        #expect(count(hall) == 1 && answer.trouble?.kind == .status(503) && answer.requests == 0)
        pass(3_001, hall)
        _ = try await hall.rows(feed)
        #expect(count(hall) == 2)
    }

    @Test("a lost answer and a page instead of a message lose nothing, and are trouble")
    func hiccup() async throws {
        let hall = try hall(try message("08:13", made: "07:55"))
        let feed = try hall.feed(realtime: ["/trips"])
        _ = try await hall.rows(feed)
        #expect(try await hall.trouble(feed) == nil)
        for step in [LoopbackServer.Step.close, .reply(200, text: "<html>")] {
            hall.files.withLock { $0.messageSteps = [step] }
            pass(16, hall)
            #expect(try await hall.rows(feed) == ["1 Quay 08:13"])
            #expect(try await hall.trouble(feed)?.hasPrefix("Town, \(hall.server.url("/trips")): ") == true)
        }
    }

    @Test("where nothing live comes that is trouble, and the timetable is told")
    func neverCame() async throws {
        let hall = try TownHall(at: "07:55")
        let feed = try hall.feed(realtime: ["/nowhere.pb"].map { hall.server.url($0) })
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        #expect(
            try await hall.trouble(feed)?.contains("there is nothing at this address: check it in boardd.toml") == true)
    }

    @Test("a header alone is nothing known: rows of the timetable, and no trouble")
    func headerOnly() async throws {
        let hall = try hall(try Town.bytes([], made: try Town.time("07:55")))
        let feed = try hall.feed(realtime: ["/trips"])
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        #expect(try await hall.trouble(feed) == nil)
    }

    @Test("a message that is more than ten minutes old is not believed; what is told of it stands still and is said")
    func frozen() async throws {
        let hall = try hall(try message("08:13", made: "07:50"))
        let feed = try hall.feed(realtime: ["/trips"])
        let question = FeedQuestion(stop: Town.stop("P"))
        var made: Set<Timestamp> = []
        for _ in 0..<10 {
            let answer = try await feed.departures(question)
            #expect(TownHall.rows(answer) == ["1 Quay 08:13"])
            made.formUnion(answer.departures.map(\.made))
            pass(30, hall)
        }
        pass(2, hall)
        for minutes in ["10", "10", "11", "11"] {
            let answer = try await feed.departures(question)
            #expect(TownHall.rows(answer) == ["1 Quay *08:11"])
            #expect(
                answer.trouble?.detail
                    == "Town, \(hall.server.url("/trips")): the newest message is \(minutes) minutes old: the operator has "
                    + "stopped making them. Until that is over the timetable is told, marked with *")
            made.formUnion(answer.departures.map(\.made))
            pass(30, hall)
        }
        // The board says that the data is frozen since it stands still: it never moved.
        #expect(made == [try Town.time("07:50")])
        hall.files.withLock { $0.messages["/trips"] = (try? self.message("08:15", made: "08:02")) ?? [] }
        let answer = try await feed.departures(question)
        #expect(TownHall.rows(answer) == ["1 Quay 08:15"])
        #expect(answer.departures.map(\.made) == [try Town.time("08:02")])
        #expect(answer.trouble == nil)
    }

    @Test("new alerts do not hide that the trips are frozen")
    func frozenBesideAlerts() async throws {
        let hall = try hall(try message("08:13", made: "07:30"))
        hall.files.withLock {
            $0.messages["/alerts"] =
                (try? Town.bytes([Self.alert("Lift out", stop: "P")], made: Town.time("07:55"))) ?? []
        }
        let answer = try await hall.feed(realtime: ["/trips", "/alerts"]).departures(FeedQuestion(stop: Town.stop("P")))
        #expect(TownHall.rows(answer) == ["1 Quay *08:11"])
        #expect(answer.departures.map(\.made) == [try Town.time("07:30")])
        #expect(answer.alerts.map(\.text) == ["Lift out"])
    }

    @Test("one address that fails costs what it tells, and nothing of the others")
    func oneOfTwo() async throws {
        let hall = try hall(try message("08:13", made: "07:55"))
        let feed = try hall.feed(realtime: ["/alerts", "/trips"])
        for _ in 0..<3 {
            let answer = try await feed.departures(FeedQuestion(stop: Town.stop("P")))
            #expect(TownHall.rows(answer) == ["1 Quay 08:13"] && answer.requests == 2)
            #expect(answer.trouble?.kind == .status(404))
            pass(16, hall)
        }
    }

    @Test("where this machine's clock is unsure the operator's counts, also for the timetable")
    func unsureClock() async throws {
        let hall = try hall(try message("08:13", made: "07:55"))
        hall.files.withLock { $0.date = "Mon, 02 Mar 2026 12:55:00 GMT" }
        let now = try Town.time("07:55")
        let clock = UnsureClock(wall: now - .seconds(400 * 86_400))
        let feed = try hall.feed(realtime: ["/trips"], clock: clock)
        let answer = try await feed.departures(FeedQuestion(stop: Town.stop("P")))
        #expect(TownHall.rows(answer) == ["1 Quay 08:13"])
        clock.manual.go(to: .seconds(10))
        let later = try await feed.departures(FeedQuestion(stop: Town.stop("P")))
        #expect(TownHall.rows(later) == ["1 Quay 08:13"] && later.requests == 0)
    }

    @Test("another stop is looked for in a message that is asked for anew")
    func newStop() async throws {
        let hall = try hall(
            try Town.bytes(
                [
                    try Town.update("a", [Town.call("C1", departs: "08:03")]),
                    try Town.update("b", [Town.call("Q", departs: "09:04")]),
                ],
                made: try Town.time("07:55")))
        let feed = try hall.feed(realtime: ["/trips"], stops: ["C1"])
        #expect(try await hall.rows(feed, "C1") == ["1 Quay via Park 08:03"])
        #expect(try await hall.rows(feed, "Q") == ["Second Ridge 09:04"])
    }

    @Test("towards leaves only what calls there later on")
    func towards() async throws {
        let hall = try hall(try message("08:13", made: "07:55"))
        let feed = try hall.feed(realtime: ["/trips"], settings: [:])
        #expect(try await hall.rows(feed, "C", towards: "Q") == ["1 Quay via Park *08:00"])
        #expect(try await hall.rows(feed, "C", towards: "R") == ["Second Ridge *09:20"])
        #expect(try await hall.rows(feed, "P", towards: "C").isEmpty)
        #expect(try await hall.rows(feed, "Q", towards: "C") == ["Second Ridge *09:00"])
    }

    @Test("alerts of other lines than the question's are left out, those of the stop never")
    func alerts() async throws {
        let hall = try hall(
            try Town.bytes(
                [
                    Self.alert("First is late", route: "1"), Self.alert("Second is late", route: "2"),
                    Self.alert("Lift out", stop: "P"), Self.alert("Elsewhere", stop: "Z"),
                ], made: try Town.time("07:55")))
        let feed = try hall.feed(realtime: ["/trips"])
        for (lines, texts) in [
            ([], ["First is late", "Lift out", "Second is late"]), (["1"], ["First is late", "Lift out"]),
            // By its name as well as by its identifier.
            (["second"], ["Lift out", "Second is late"]), (["9"], ["Lift out"]),
        ] as [([String], [String])] {
            // The second line's trip does not take people up at the park: ask at the quay.
            let code = "P"
            let answer = try await feed.departures(FeedQuestion(stop: Town.stop(code), lines: lines))
            #expect(answer.alerts.map(\.text).sorted() == texts, "\(lines)")
        }
    }

    @Test("a question that nobody waits for any more ends at once")
    func abandoned() async throws {
        let hall = try hall(try message("08:13", made: "07:55"))
        hall.files.withLock { $0.messageSteps = [.wait, .close] }
        let feed = try hall.feed(realtime: ["/trips"])
        let question = Task { try await hall.failure(feed).kind }
        #expect(await eventually { count(hall) > 0 })
        question.cancel()
        #expect(try await question.value == .cancelled)
        hall.server.goOn()
    }

    @Test("a silent address keeps back neither the timetable nor what the others tell, and what it tells later counts")
    func silent() async throws {
        let hall = try TownHall(at: "07:55")
        let body = try message("08:13", made: "07:55")
        let steps: LoopbackServer.Step = .reply(200, body: body)
        let slow = try LoopbackServer { _ in [.wait, steps] }
        defer { slow.stop() }
        hall.files.withLock {
            $0.messages["/alerts"] =
                (try? Town.bytes([Self.alert("Lift out", stop: "P")], made: Town.time("07:55"))) ?? []
        }
        let sources = try [slow.url("/trips"), hall.server.url("/alerts")].map {
            GTFSSource.address(try #require(HTTPURL($0)))
        }
        let declaration = try #require(GTFSFeed.family.member(TownHall.feed))
        let live = LiveMessages(
            sources, key: PlacedKey(FeedSettings(defaultsOf: declaration), of: TownHall.feed), title: "Town",
            transport: CurlTransport(userAgent: "boardd-test/1", clock: hall.clock), clock: hall.clock,
            interval: .seconds(30))
        let (timetable, report) = try City().read(["P"])
        let loaded = LoadedTimetable(
            report: report, covered: ["P"], reading: 1, index: RealtimeIndex(timetable, stops: ["P"]), edition: nil)
        func rows(_ state: LiveMessages.State) -> [String] {
            TownHall.rows(
                FeedAnswer(
                    stop: Stop(id: Town.stop("P")),
                    departures: state.board.departures(at: Town.stop("P"), now: state.now, ahead: .seconds(3_600))))
        }
        var state = try await live.state(about: loaded, patience: .milliseconds(500))
        #expect(rows(state) == ["1 Quay *08:11"])
        // The other address may need longer than the first half second, on a busy machine.
        let hasAlert = await eventually {
            let state = try? await live.state(about: loaded, patience: .milliseconds(500))
            return state?.board.alerts(at: Town.stop("P"), language: "en", now: state?.now ?? hall.clock.reading().wall)
                .map(\.text) == ["Lift out"]
        }
        #expect(hasAlert)
        // The asking goes on, and nobody asks again meanwhile.
        state = try await live.state(about: loaded, patience: .milliseconds(100))
        #expect(rows(state) == ["1 Quay *08:11"] && slow.record.requests.count == 1)
        slow.goOn()
        state = try await live.state(about: loaded, patience: Patience.endless)
        #expect(rows(state) == ["1 Quay 08:13"] && slow.record.requests.count == 1)
        #expect(count(hall, "/alerts") == 1)
    }

    @Test("that the first messages are too old to be believed is trouble")
    func frozenAtFirst() async throws {
        let hall = try hall(try message("08:13", made: "07:30"))
        let feed = try hall.feed(realtime: ["/trips"])
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        #expect(try await hall.trouble(feed)?.contains("the newest message is 25 minutes old") == true)
    }

    @Test("what is said of an address names the city")
    func named() async throws {
        let hall = try TownHall(at: "07:55")
        let feed = try hall.feed(realtime: ["https://127.0.0.1:1/trips"])
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        #expect(try await hall.trouble(feed)?.hasPrefix("Town, ") == true)
    }

    @Test("messages may be files of this machine")
    func file() async throws {
        let hall = try TownHall(at: "07:55")
        let path = hall.folder + "/trips.pb"
        try RecordingFiles.write(try message("08:13", made: "07:55"), to: path)
        let feed = try hall.feed(realtime: [path])
        #expect(try await hall.rows(feed) == ["1 Quay 08:13"])
        #expect(hall.asked == ["/gtfs.zip"])
    }

    private static func alert(_ text: String, route: String? = nil, stop: String? = nil) -> TransitRealtime_FeedEntity {
        var entity = TransitRealtime_FeedEntity()
        entity.id = text
        var selector = TransitRealtime_EntitySelector()
        if let route { selector.routeID = route }
        if let stop { selector.stopID = stop }
        entity.alert.informedEntity = [selector]
        var words = TransitRealtime_TranslatedString.Translation()
        words.text = text
        entity.alert.headerText.translation = [words]
        return entity
    }
}

/// A machine without a clock of its own that has not heard the time yet.
final class UnsureClock: MachineClock {
    let manual: ManualClock

    init(wall: Timestamp) { manual = ManualClock(wall: wall) }

    func now() -> Instant { manual.now() }
    func reading() -> CorrectedClock.Reading {
        CorrectedClock.Reading(wall: manual.reading().wall, isSynchronised: false)
    }
}
