import BoardCore
import BoardDisplays
import Logging
import PanelModel
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("The services together, read from the screen of a modelled panel", .serialized, .endsHangs)
struct ServiceGroupTests {
    private static func responding() -> ScriptedFeed {
        ScriptedFeed { request throws(FeedError) in
            request.stop.code == "1"
                ? ScriptedFeed.response(request.stop, [("73", "Victoria", 4), ("390", "Archway", 9)])
                : ScriptedFeed.response(request.stop, [("N20", "Barnet", 12)])
        }
    }

    @Test("departures of an operator are on the display, and a press shows the next stop")
    func departuresAndPress() async throws {
        let testBoard = try TestBoard(Self.responding(), codes: ["1", "2"])
        try await testBoard.live {
            #expect(await testBoard.shows("73  Victoria"))
            #expect(testBoard.bus.screen.contains { $0.hasPrefix("390 Archway") && $0.hasSuffix("m") })
            // The first press dismisses the start screen.
            testBoard.press()
            #expect(await testBoard.shows("N20 Barnet"))
        }
        #expect(testBoard.bus.violations.isEmpty)
        #expect(testBoard.log.lines.isEmpty)
    }

    @Test("on shutdown the last frame is on the display, E low and in phase")
    func lastFrame() async throws {
        let testBoard = try TestBoard(Self.responding())
        try await testBoard.live { #expect(await testBoard.shows("73  Victoria")) }
        #expect(testBoard.bus.screen.contains { $0.contains("boardd stopped at") }, "\(testBoard.bus.screen)")
        #expect(testBoard.bus.isAtRest)
    }

    @Test("a shutdown before the first frame ends in the same way")
    func atOnce() async throws {
        for _ in 0..<20 {
            let testBoard = try TestBoard(Self.responding())
            try await testBoard.live {}
            #expect(testBoard.bus.screen.contains { $0.contains("boardd stopped at") })
            #expect(testBoard.bus.isAtRest)
        }
    }

    @Test("a read requested after the end gets no board")
    func lateReport() async throws {
        let testBoard = try TestBoard(Self.responding())
        let reports = Mutex<[Board.Report?]>([])
        let poll: @Sendable () -> Void = {
            testBoard.mailbox.post(
                .read { read in reports.withLock { $0.append(read.map { $0.board.report(at: $0.now) }) } })
        }
        try await testBoard.live {
            poll()
            #expect(await eventually { reports.withLock { $0.count } == 1 })
        }
        poll()
        let received = reports.withLock { $0 }
        #expect(received.count == 2)
        #expect(received.first != .some(nil) && received.last == .some(nil))
    }

    @Test("a byte that is lost in the last frame is repaired")
    func lostByteOfLastFrame() async throws {
        let testBoard = try TestBoard(Self.responding())
        try await testBoard.live {
            #expect(await testBoard.shows("73  Victoria"))
            testBoard.bus.nackByte(after: 0)
        }
        #expect(testBoard.bus.screen.contains { $0.contains("boardd stopped at") })
        #expect(testBoard.bus.isAtRest)
    }

    @Test("a panel that is unplugged and plugged in again shows the newest frame, and both are logged once")
    func replugged() async throws {
        let testBoard = try TestBoard(Self.responding(), codes: ["1", "2"])
        try await testBoard.live {
            #expect(await testBoard.shows("73  Victoria"))
            testBoard.bus.unplug()
            testBoard.press()
            #expect(await eventually { testBoard.log.lines.count == 1 })
            testBoard.bus.replug()
            #expect(await testBoard.shows("N20 Barnet"))
        }
        #expect(testBoard.log.lines.count == 2)
        #expect(testBoard.log.lines.first?.hasPrefix("warning: display: no device acknowledges") == true)
        #expect(testBoard.log.lines.last == "notice: display: responding again")
    }

    @Test("a panel that is missing at the start is used when it appears")
    func late() async throws {
        let testBoard = try TestBoard(Self.responding())
        testBoard.bus.unplug()
        try await testBoard.live {
            #expect(await eventually { testBoard.log.lines.count == 1 })
            testBoard.bus.replug()
            #expect(await testBoard.shows("73  Victoria"))
        }
    }

    @Test("an unresponsive operator delays neither the display, nor the other stops, nor the shutdown")
    func unresponsive() async throws {
        let feed = ScriptedFeed { request throws(FeedError) in
            if request.stop.code == "1" { return try await ScriptedFeed.unresponsive().departures(request) }
            return ScriptedFeed.response(request.stop, [("N20", "Barnet", 12)])
        }
        let testBoard = try TestBoard(feed, codes: ["1", "2"])
        try await testBoard.live {
            #expect(await testBoard.shows("Loading"))
            testBoard.press()
            #expect(await testBoard.shows("N20 Barnet"))
        }
        #expect(testBoard.bus.screen.contains { $0.contains("boardd stopped at") })
    }

    @Test("a display that hangs is abandoned")
    func hungDisplay() async throws {
        let (reached, gate) = (Latch(), Latch())
        let testBoard = try TestBoard(
            Self.responding(), makeDisplay: { HungDisplay(reached: reached, gate: gate) }, graceful: .seconds(1))
        // The group cancels it, and it counts as ended, although its thread has not.
        try await testBoard.live { await reached.pass() }
        gate.open()
    }

    @Test("an operator that ignores cancellation is abandoned at the deadline, with the last frame on the display")
    func deafOperator() async throws {
        let gate = Latch()
        let feed = ScriptedFeed { _ throws(FeedError) in
            await gate.passUncancelled()
            throw FeedError(.cancelled, detail: "")
        }
        let testBoard = try TestBoard(
            feed, graceful: .milliseconds(500), deadline: ShutdownDeadline(limit: .seconds(1)) { gate.open() })
        // The gate's opening stands for the end of the program: without it, this waits for the operator.
        try await testBoard.live { #expect(await eventually { feed.requests.count == 1 }) }
        #expect(await testBoard.shows("boardd stopped at"))
    }

    @Test("another display gets the newest frame, after the old one has released the bus")
    func replaced() async throws {
        let testBoard = try TestBoard(Self.responding())
        let panel = Panel(size: DisplaySize(columns: 16, rows: 2))
        let small = SimulatedExpander(panel: panel)
        let order = Mutex<[String]>([])
        try await testBoard.live {
            #expect(await testBoard.shows("73  Victoria"))
            let old = testBoard.bus
            testBoard.display.replace {
                order.withLock { $0.append(old.isAtRest ? "at rest" : "in use") }
                return HD44780Display(panel: panel, resync: nil, bus: small)
            }
            #expect(await eventually { small.screen.contains { $0.contains("73") } })
        }
        #expect(order.withLock { $0 } == ["at rest"])
        #expect(small.isAtRest)
    }
}

@Suite("The poll service", .endsHangs)
struct PollServiceTests {
    private let stop = StopID(feed: ScriptedFeed.name, code: "1")

    /// Runs the service with a feed during `body`.
    private func running(_ feed: ScriptedFeed, _ body: (PollService, Events) async throws -> Void) async throws {
        let events = Events()
        let polls = PollService(feeds: [ScriptedFeed.name: feed], log: CapturedLog().rateLimited()) { events.add($0) }
        let running = Task { try await polls.run() }
        defer { running.cancel() }
        try await body(polls, events)
        running.cancel()
        try await running.value
    }

    @Test("requests of old feeds are repeated with new ones as soon as they are set")
    func replaced() async throws {
        let feed = ScriptedFeed.unresponsive()
        try await running(feed) { polls, events in
            polls.poll(FeedRequest(stop: stop))
            #expect(await eventually { !feed.requests.isEmpty })
            polls.replace([ScriptedFeed.name: ScriptedFeed { ScriptedFeed.response($0.stop, []) }])
            #expect(await eventually { events.responses == [stop] })
            #expect(events.failures.isEmpty)
        }
    }

    @Test("requests do not pile up on a feed that hangs: a stop is polled again when its request has ended")
    func piling() async throws {
        let gate = Latch()
        let feed = ScriptedFeed { request throws(FeedError) in
            await gate.passUncancelled()
            return ScriptedFeed.response(request.stop, [])
        }
        try await running(feed) { polls, events in
            let other = StopID(feed: ScriptedFeed.name, code: "2")
            for _ in 0..<10 {
                polls.poll(FeedRequest(stop: stop))
                polls.poll(FeedRequest(stop: other))
            }
            gate.open()
            #expect(await eventually { events.responses.count == 2 })
            #expect(Set(feed.requests.map(\.stop)) == [stop, other] && feed.requests.count == 2)
            polls.poll(FeedRequest(stop: stop))
            #expect(await eventually { events.responses.count == 3 })
        }
    }

    @Test("new feeds are polled at once, also while an old one ignores its cancellation; its failure is ignored")
    func deafOldFeed() async throws {
        let gate = Latch()
        let feed = ScriptedFeed { request throws(FeedError) in
            await gate.passUncancelled()
            throw FeedError(.keyRejected, detail: "the old key")
        }
        var received: Events?
        try await running(feed) { polls, events in
            received = events
            polls.poll(FeedRequest(stop: stop))
            #expect(await eventually { !feed.requests.isEmpty })
            polls.replace([ScriptedFeed.name: ScriptedFeed { ScriptedFeed.response($0.stop, []) }])
            #expect(await eventually { events.responses == [stop] })
            gate.open()
            polls.poll(FeedRequest(stop: stop))
            #expect(await eventually { events.responses == [stop, stop] })
        }
        #expect(received?.failures.isEmpty == true)
    }

    @Test("when it ends, requests in flight are cancelled and no new ones are sent")
    func ended() async throws {
        let feed = ScriptedFeed.unresponsive()
        var ended: (polls: PollService, events: Events)?
        try await running(feed) { polls, events in
            ended = (polls, events)
            polls.poll(FeedRequest(stop: stop))
            #expect(await eventually { !feed.requests.isEmpty })
        }
        #expect(await eventually { ended?.events.failures == [.cancelled] })
        ended?.polls.poll(FeedRequest(stop: stop))
        #expect(feed.requests.count == 1)
    }
}

/// The events reported to the board.
private final class Events: Sendable {
    private let all = Mutex<[Board.Event]>([])

    func add(_ event: Board.Event) { all.withLock { $0.append(event) } }

    var responses: [StopID] {
        all.withLock { $0.compactMap { if case .polled(let response) = $0 { response.stop.id } else { nil } } }
    }
    var failures: [FeedError.Kind] {
        all.withLock { $0.compactMap { if case .failed(_, let failure) = $0 { failure.kind } else { nil } } }
    }
}

/// A display whose bus does not come back until its gate opens.
private struct HungDisplay: Display {
    let reached: Latch
    let gate: Latch

    func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        reached.open()
        gate.block()
        return DisplayReport(.shown)
    }

    func close(last frame: Frame, at now: Instant) {}
}
