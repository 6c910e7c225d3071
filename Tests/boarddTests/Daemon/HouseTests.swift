import BoardCore
import BoardHardware
import BoardSimulation
import Glibc
import Logging
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("The services together, read from the glass of a modelled panel", .serialized, .endsHangs)
struct HouseTests {
    private static func answering() -> ScriptedFeed {
        ScriptedFeed { question throws(FeedFailure) in
            question.stop.code == "1"
                ? ScriptedFeed.answer(question.stop, [("73", "Victoria", 4), ("390", "Archway", 9)])
                : ScriptedFeed.answer(question.stop, [("N20", "Barnet", 12)])
        }
    }

    @Test("what an operator tells is on the glass, and a press shows the next stop")
    func departuresAndPress() async throws {
        let house = House(Self.answering(), codes: ["1", "2"])
        try await house.live {
            #expect(await house.shows("73  Victoria"))
            #expect(house.bus.screen.contains { $0.hasPrefix("390 Archway") && $0.hasSuffix("9m") })
            // The first press ends what is said at start.
            house.press()
            #expect(await house.shows("N20 Barnet"))
        }
        #expect(house.bus.violations.isEmpty)
        #expect(house.log.lines.isEmpty)
    }

    @Test("told to end, it leaves its last words on the glass, E low and in phase")
    func farewell() async throws {
        let house = House(Self.answering())
        let isWhole = try await house.live { #expect(await house.shows("73  Victoria")) }
        #expect(isWhole)
        #expect(house.bus.screen.contains { $0.contains("boardd stopped at") }, "\(house.bus.screen)")
        #expect(house.bus.isAtRest)
    }

    @Test("told to end before anything was shown, it ends in the same way")
    func atOnce() async throws {
        for _ in 0..<20 {
            let house = House(Self.answering())
            #expect(try await house.live {})
            #expect(house.bus.screen.contains { $0.contains("boardd stopped at") })
            #expect(house.bus.isAtRest)
        }
    }

    @Test("who asks how the board stands after its end is told that nobody can tell")
    func askedLate() async throws {
        let house = House(Self.answering())
        let reports = Mutex<[Board.Report?]>([])
        let poll: @Sendable () -> Void = {
            house.mailbox.post(.report { report in reports.withLock { $0.append(report) } })
        }
        try await house.live {
            poll()
            #expect(await eventually { reports.withLock { $0.count } == 1 })
        }
        poll()
        let told = reports.withLock { $0 }
        #expect(told.count == 2)
        #expect(told.first != .some(nil) && told.last == .some(nil))
    }

    @Test("a byte that is lost in the last words does not cost them")
    func lostFarewell() async throws {
        let house = House(Self.answering())
        try await house.live {
            #expect(await house.shows("73  Victoria"))
            house.bus.nackByte(after: 0)
        }
        #expect(house.bus.screen.contains { $0.contains("boardd stopped at") })
        #expect(house.bus.isAtRest)
    }

    @Test("a panel that is pulled off and put back shows the newest picture again, and the log says both once")
    func replugged() async throws {
        let house = House(Self.answering(), codes: ["1", "2"])
        try await house.live {
            #expect(await house.shows("73  Victoria"))
            house.bus.unplug()
            house.press()
            #expect(await eventually { house.log.lines.count == 1 })
            house.bus.replug()
            #expect(await house.shows("N20 Barnet"))
        }
        #expect(house.log.lines.count == 2)
        #expect(house.log.lines.first?.hasPrefix("warning: display: nothing answers") == true)
        #expect(house.log.lines.last == "notice: display: back, and drawn anew")
    }

    @Test("a panel that was never there is taken when it appears")
    func late() async throws {
        let house = House(Self.answering())
        house.bus.unplug()
        try await house.live {
            #expect(await eventually { house.log.lines.count == 1 })
            house.bus.replug()
            #expect(await house.shows("73  Victoria"))
        }
    }

    @Test("an operator that never answers holds up neither the glass, nor the other stops, nor the end")
    func silent() async throws {
        let feed = ScriptedFeed { question throws(FeedFailure) in
            if question.stop.code == "1" { return try await ScriptedFeed.silent().departures(question) }
            return ScriptedFeed.answer(question.stop, [("N20", "Barnet", 12)])
        }
        let house = House(feed, codes: ["1", "2"])
        let isWhole = try await house.live {
            #expect(await house.shows("Loading"))
            house.press()
            #expect(await house.shows("N20 Barnet"))
        }
        #expect(isWhole)
        #expect(house.bus.screen.contains { $0.contains("boardd stopped at") })
    }

    @Test("a display that hangs is left behind")
    func hungDisplay() async throws {
        let gate = Gate()
        let house = House(Self.answering(), glass: { HungDisplay(gate: gate) }, graceful: .seconds(1))
        let isWhole = try await house.live { #expect(await eventually { gate.isReached }) }
        // The group has cancelled it: it counts as ended, although its thread is not.
        #expect(isWhole)
        gate.open()
    }

    @Test("an operator that does not even heed cancellation is not waited for")
    func deafOperator() async throws {
        let gate = Gate()
        let feed = ScriptedFeed { _ throws(FeedFailure) in
            await gate.pass()
            throw FeedFailure(.cancelled, detail: "")
        }
        let house = House(feed, graceful: .seconds(1))
        let isWhole = try await house.live { #expect(await eventually { feed.asked.count == 1 }) }
        #expect(isWhole)
        gate.open()
    }

    @Test("another display gets the newest picture, after the old one has let go of the bus")
    func replaced() async throws {
        let house = House(Self.answering())
        let panel = Panel(size: Panel.Size(columns: 16, rows: 2))
        let small = SimulatedExpander(panel: panel)
        let order = Mutex<[String]>([])
        try await house.live {
            #expect(await house.shows("73  Victoria"))
            let old = house.bus
            house.display.replace {
                order.withLock { $0.append(old.isAtRest ? "at rest" : "in use") }
                return HD44780Display(panel: panel, resync: nil, bus: small)
            }
            #expect(await eventually { small.screen.contains { $0.contains("73") } })
        }
        #expect(order.withLock { $0 } == ["at rest"])
        #expect(small.isAtRest)
    }

    @Test("systemd hears READY after the first attempt, a sentence, signs of life, and STOPPING")
    func notify() async throws {
        let folder = try TemporaryFolder()
        let socket = try NotifySocket("\(folder.path)/notify")
        let environment = ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "400000"]
        let messages = Mutex<[String]>([])
        let house = House(Self.answering(), environment: environment)
        try await house.live {
            #expect(
                await eventually {
                    let new = socket.messages()
                    messages.withLock { $0 += new }
                    return messages.withLock { $0.count { $0 == "WATCHDOG=1" } } >= 3
                })
        }
        let all = messages.withLock { $0 } + socket.messages()
        #expect(all.count { $0 == "READY=1" } == 1)
        #expect(all.contains("STATUS=demo:1 is live"))
        #expect(all.last == "STOPPING=1")
        let ready = try #require(all.firstIndex(of: "READY=1"))
        #expect(!all[..<ready].contains("WATCHDOG=1"))
    }
}

@Suite("The poll service", .endsHangs)
struct PollServiceTests {
    private let stop = StopID(feed: ScriptedFeed.name, code: "1")

    private func service(_ feed: ScriptedFeed, events: Events) -> PollService {
        PollService(feeds: [ScriptedFeed.name: feed], clock: SystemClock(), log: CapturedLog().rateLimited()) {
            events.add($0)
        }
    }

    @Test("what old feeds were asked is asked of new ones as soon as they come")
    func replaced() async throws {
        let events = Events()
        let feed = ScriptedFeed.silent()
        let polls = service(feed, events: events)
        let running = Task { try await polls.run() }
        polls.poll(FeedRequest(stop: stop))
        #expect(await eventually { !feed.asked.isEmpty })
        polls.replace([ScriptedFeed.name: ScriptedFeed { ScriptedFeed.answer($0.stop, []) }])
        #expect(await eventually { events.answers == [stop] })
        #expect(events.failures.isEmpty)
        running.cancel()
        try await running.value
    }

    @Test("a refusal of the old feeds that comes after new ones were taken over is not believed")
    func late() async throws {
        let gate = Gate()
        let events = Events()
        let feed = ScriptedFeed { _ throws(FeedFailure) in
            await gate.pass()
            throw FeedFailure(.keyRejected, detail: "the old key")
        }
        let polls = service(feed, events: events)
        let running = Task { try await polls.run() }
        polls.poll(FeedRequest(stop: stop))
        #expect(await eventually { !feed.asked.isEmpty })
        polls.replace([ScriptedFeed.name: ScriptedFeed { ScriptedFeed.answer($0.stop, []) }])
        gate.open()
        #expect(await eventually { events.answers == [stop] })
        #expect(events.failures.isEmpty)
        running.cancel()
        try await running.value
    }

    @Test("questions do not pile up on a feed that hangs: a stop is asked of again when its question has ended")
    func piling() async throws {
        let gate = Gate()
        let events = Events()
        let feed = ScriptedFeed { question throws(FeedFailure) in
            await gate.pass()
            return ScriptedFeed.answer(question.stop, [])
        }
        let polls = service(feed, events: events)
        let other = StopID(feed: ScriptedFeed.name, code: "2")
        for _ in 0..<10 {
            polls.poll(FeedRequest(stop: stop))
            polls.poll(FeedRequest(stop: other))
        }
        gate.open()
        #expect(await eventually { events.answers.count == 2 })
        #expect(Set(feed.asked.map(\.stop)) == [stop, other] && feed.asked.count == 2)
        polls.poll(FeedRequest(stop: stop))
        #expect(await eventually { events.answers.count == 3 })
    }

    @Test("new feeds are asked at once, also while an old one does not even heed that it was abandoned")
    func deafOldFeed() async throws {
        let gate = Gate()
        let events = Events()
        let feed = ScriptedFeed { question throws(FeedFailure) in
            await gate.pass()
            throw FeedFailure(.keyRejected, detail: "the old key")
        }
        let polls = service(feed, events: events)
        polls.poll(FeedRequest(stop: stop))
        #expect(await eventually { !feed.asked.isEmpty })
        polls.replace([ScriptedFeed.name: ScriptedFeed { ScriptedFeed.answer($0.stop, []) }])
        #expect(await eventually { events.answers == [stop] })
        gate.open()
        polls.poll(FeedRequest(stop: stop))
        #expect(await eventually { events.answers == [stop, stop] })
        #expect(events.failures.isEmpty)
    }

    @Test("when it ends, what hangs is abandoned and nothing more is asked")
    func ended() async throws {
        let events = Events()
        let feed = ScriptedFeed.silent()
        let polls = service(feed, events: events)
        let running = Task { try await polls.run() }
        polls.poll(FeedRequest(stop: stop))
        #expect(await eventually { !feed.asked.isEmpty })
        running.cancel()
        try await running.value
        #expect(await eventually { events.failures == [.cancelled] })
        polls.poll(FeedRequest(stop: stop))
        #expect(feed.asked.count == 1)
    }
}

/// What was reported to the board.
private final class Events: Sendable {
    private let all = Mutex<[Board.Event]>([])

    func add(_ event: Board.Event) { all.withLock { $0.append(event) } }

    var answers: [StopID] {
        all.withLock { $0.compactMap { if case .polled(let answer) = $0 { answer.stop.id } else { nil } } }
    }
    var failures: [FeedFailure.Kind] {
        all.withLock { $0.compactMap { if case .failed(_, let failure) = $0 { failure.kind } else { nil } } }
    }
}

/// Something that hangs until a test lets it go on.
private final class Gate: Sendable {
    private let state = Mutex((isReached: false, isOpen: false))
    var isReached: Bool { state.withLock { $0.isReached } }
    var isOpen: Bool { state.withLock { $0.isOpen } }
    func reach() { state.withLock { $0.isReached = true } }
    func open() { state.withLock { $0.isOpen = true } }

    /// Returns when it is open, and not a moment sooner: cancellation is not heeded.
    func pass() async {
        while !isOpen { await Task.detached { try? await Task.sleep(for: .milliseconds(10)) }.value }
    }
}

/// A display whose bus does not come back.
private struct HungDisplay: Display {
    let gate: Gate

    func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        gate.reach()
        while !gate.isOpen { usleep(5_000) }
        return DisplayReport(.shown)
    }

    func close(last frame: Frame, at now: Instant) {}
}
