import BoardCore
import BoardDisplays
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("The board loop of a dark board without changes", .endsHangs)
struct DarkBoardTests {
    @Test("notifies the watchdog as often as systemd requires, although nothing else wakes it for a minute")
    func signs() async throws {
        let folder = try TemporaryFolder()
        let socket = try NotifySocket("\(folder.path)/notify")
        let machine = VirtualMachine(socket, limit: .seconds(10), hours: .seconds(3 * 3_600))
        let manager = SystemdNotifier(environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "10000000"])
        let watchdog = Watchdog(manager: manager)
        let display = try DisplayService(
            { InstantDisplay(machine: machine) }, clock: machine.clock, log: CapturedLog().rateLimited(),
            tried: { watchdog.tried(at: $0) })
        let mailbox = try Mailbox<BoardLoop.Message> { _, limit in machine.sleep(atMost: limit) }
        machine.atEnd { mailbox.post(.stop) }

        var options = BoardOptions()
        options.quiet = [WeeklyWindow(from: 0, to: 0)]
        let setup = Board.Setup(
            options: options, favourites: [Favourite(stop: StopID(feed: ScriptedFeed.name, code: "1"))],
            profiles: [ScriptedFeed.name: ScriptedFeed.profile], size: DisplaySize(columns: 20, rows: 4), zone: .utc)
        let loop = BoardLoop(
            mailbox, clock: machine.clock, manager: manager, watchdog: watchdog, display: display,
            // The operator responds at once without departures.
            handlers: .init(
                poll: { mailbox.post(.event(.polled(FeedResponse(stop: Stop(id: $0.stop), departures: [])))) })
        ) {
            Board(setup, reading: machine.clock.reading(), seed: 1, at: machine.clock.now())
        }
        let drawing = Task { try await display.run() }
        try await loop.run()
        drawing.cancel()
        _ = try? await drawing.value

        let signs = machine.signs
        #expect(!signs.wasLit, "the board was dark")
        #expect(!signs.areMissing, "an attempt of the display was due and did not end")
        #expect(signs.longestPause <= .seconds(10))
        #expect(signs.count >= 3 * 3_600 / 10)
    }
}

/// A machine whose clocks advance only while the board loop sleeps, with systemd's end of the socket.
private final class VirtualMachine: Sendable {
    /// The notifications that arrived.
    struct Signs {
        var last: Instant?
        var count = 0
        var longestPause = Duration.zero
        /// Whether a due notification did not arrive, however long the test waited.
        var areMissing = false
        /// Whether a lit frame was drawn after the first one.
        var wasLit = false
    }

    private struct State {
        var signs = Signs()
        var stop: @Sendable () -> Void = {}
    }

    let clock = VirtualClock()
    private let socket: NotifySocket
    private let limit: Duration
    private let hours: Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - socket: systemd's end.
    ///   - limit: the longest pause between two notifications.
    ///   - hours: how long the machine runs.
    init(_ socket: NotifySocket, limit: Duration, hours: Duration) {
        self.socket = socket
        self.limit = limit
        self.hours = hours
    }

    var signs: Signs { state.withLock { $0.signs } }

    /// Sets what happens when its hours are over.
    func atEnd(_ stop: @escaping @Sendable () -> Void) { state.withLock { $0.stop = stop } }

    /// Records a frame of the display.
    func draw(isLit: Bool) { state.withLock { if isLit, $0.signs.count > 1 { $0.signs.wasLit = true } } }

    /// The board loop sleeps. An attempt that it has just requested runs on the display's thread, and takes no virtual time.
    func sleep(atMost duration: Duration?) {
        for _ in 0..<Patience.turns(of: Patience.usual, each: NotifySocket.turn) {
            listen()
            if !isSignDue { break }
            socket.waitForMessage()
        }
        if isSignDue { state.withLock { $0.signs.areMissing = true } }
        // A moment passes even where there is no time to sleep.
        clock.advance(by: max(duration ?? hours, .microseconds(1)))
        if clock.elapsed >= hours { state.withLock { $0.stop }() }
    }

    /// Whether half of the limit is over, when the watchdog needs an iteration of the loop and an attempt.
    private var isSignDue: Bool {
        let (now, signs) = (clock.now(), signs)
        return !signs.areMissing && signs.last.map { now - $0 >= limit / 2 } ?? true
    }

    private func listen() {
        let now = clock.now()
        for message in socket.messages() where message == "READY=1" || message == "WATCHDOG=1" {
            state.withLock { state in
                let pause = state.signs.last.map { now - $0 } ?? .zero
                state.signs.longestPause = max(state.signs.longestPause, pause)
                state.signs.last = now
                state.signs.count += 1
            }
        }
    }
}

/// A display on which every attempt succeeds at once.
private struct InstantDisplay: Display {
    let machine: VirtualMachine

    func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        machine.draw(isLit: frame.isLit)
        return DisplayReport(.shown)
    }

    func close(last frame: Frame, at now: Instant) {}
}
