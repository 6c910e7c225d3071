import BoardCore
import BoardIO
import Logging
import ServiceLifecycle
import Synchronization

/// The thread that owns the board: it handles events, sends out commands and frames, and sleeps until the next frame
/// can differ.
final class BoardLoop: Service {
    enum Message: Sendable {
        case event(Board.Event)
        /// Reads the board. The closure runs on the loop's thread and must not block; nil: the loop has ended.
        case read(@Sendable ((board: Board, now: Instant)?) -> Void)
        /// Ends with a last frame.
        case stop

        fileprivate var isStop: Bool {
            if case .stop = self { true } else { false }
        }

        fileprivate var isRead: Bool {
            if case .read = self { true } else { false }
        }

        /// Whether the message is an event other than the passing of time.
        fileprivate var isChange: Bool {
            switch self {
            case .event(.woke), .event(.date), .read, .stop: false
            case .event: true
            }
        }

        fileprivate var isResponse: Bool {
            if case .event(.polled) = self { true } else { false }
        }
    }

    private let mailbox: Mailbox<Message>
    private let clock: any MachineClock
    private let manager: SystemdNotifier
    private let watchdog: Watchdog
    private let display: DisplayService
    private let handlers: Handlers
    private let start: @Sendable () -> Board

    /// What the loop calls; all of it returns at once.
    struct Handlers: Sendable {
        var poll: @Sendable (FeedRequest) -> Void
        var pollForOthers: @Sendable (FeedRequest) -> Void = { _ in }
        var fetchDetails: @Sendable (Departure) -> Void = { _ in }
        /// Receives the snapshots for the next start of the program.
        var save: @Sendable (Board.Snapshot) -> Void = { _ in }
        /// Receives the board in each iteration, and whether an event has changed it.
        var observe: @Sendable (_ board: Board, _ hasChanged: Bool) -> Void = { _, _ in }
        /// The board, or what it shows, may have changed.
        var changed: @Sendable () -> Void = {}
        var declinePairing: @Sendable () -> Void = {}
        var openSetup: @Sendable () -> Void = {}
        /// Receives each gesture at a button of this machine.
        var recognised: @Sendable (Gesture, ButtonID) -> Void = { _, _ in }
    }

    /// - Parameter start: makes the board, on the loop's own thread.
    init(
        _ mailbox: Mailbox<Message>, clock: any MachineClock, manager: SystemdNotifier, watchdog: Watchdog,
        display: DisplayService, handlers: Handlers, start: @escaping @Sendable () -> Board
    ) {
        self.mailbox = mailbox
        self.clock = clock
        self.manager = manager
        self.watchdog = watchdog
        self.display = display
        self.handlers = handlers
        self.start = start
    }

    func run() async throws {
        // A read requested after the end must not wait for a response.
        defer { mailbox.close { if case .read(let body) = $0 { body(nil) } } }
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await DedicatedThread.run("board") { self.iterate() }
        } onCancelOrGracefulShutdown: {
            self.mailbox.post(.stop)
        }
    }

    private func iterate() {
        var board = start()
        var status = ""
        var timing = SnapshotTiming()
        var messages: [Message] = [.event(.woke)]
        while true {
            let now = clock.now()
            iterate(&board, messages, &timing, at: now)
            handlers.observe(board, messages.contains(where: \.isChange))
            let picture = board.render(at: now)
            display.show(picture.frame)
            if !messages.allSatisfy(\.isRead) { handlers.changed() }
            let demand = watchdog.iterated(at: now)
            if demand.needsAttempt { display.check() }
            let summary = board.summary
            if summary != status, manager.status(summary) { status = summary }
            let wake = board.nextWake(showing: picture, after: now)
            let deadline = [wake, demand.iterateBy, timing.deadline].compactMap { $0 }.min()
            messages = mailbox.take(until: deadline, clock: clock)
            if messages.contains(where: \.isStop) {
                let now = clock.now()
                iterate(&board, messages, &timing, at: now)
                manager.stopping()
                handlers.save(board.snapshot(at: now))
                display.close(last: board.shutdownFrame(at: now))
                return
            }
            if messages.isEmpty { messages = [.event(.woke)] }
        }
    }

    /// Handles a batch of messages, and sends out the board's commands.
    private func iterate(_ board: inout Board, _ messages: [Message], _ timing: inout SnapshotTiming, at now: Instant) {
        var commands = board.handle(.clock(clock.reading()), at: now)
        for case .event(let event) in messages { commands += board.handle(event, at: now) }
        for command in commands {
            switch command {
            case .poll(let request): handlers.poll(request)
            case .pollForOthers(let request): handlers.pollForOthers(request)
            case .fetchDetails(let departure): handlers.fetchDetails(departure)
            case .saveSnapshot: break
            case .declinePairing: handlers.declinePairing()
            case .openSetup: handlers.openSetup()
            case .gestureRecognised(let gesture, let button): handlers.recognised(gesture, button)
            }
        }
        if timing.isDue(
            hasChanged: commands.contains(.saveSnapshot), hasOnlyResponses: messages.allSatisfy(\.isResponse), at: now)
        {
            handlers.save(board.snapshot(at: now))
        }
        for case .read(let body) in messages { body((board: board, now: now)) }
    }
}

/// Messages from other threads to one thread, in order; the thread sleeps only in the methods of the mailbox.
///
/// A thread of its own that waits with a time limit wakes once per event. The same loop on Swift's cooperative pool
/// wakes three threads for each (docs/decisions), and a blocked pool could delay the display.
final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        /// Receives what is posted after ``close(_:)``; nil: the mailbox is open.
        var reject: (@Sendable (Message) -> Void)?
    }

    /// How the reader sleeps: until the event, or for at most this long; nil: without a limit.
    typealias Sleep = @Sendable (WakeEvent, Duration?) -> Void

    private let state = Mutex(State())
    private let event: WakeEvent
    private let sleep: Sleep

    /// - Parameter sleep: another way to sleep, for tests in virtual time.
    /// - Throws: ``ThreadError`` when the process may open no more files.
    init(sleep: @escaping Sleep = { $0.wait(atMost: $1) }) throws(ThreadError) {
        event = try WakeEvent()
        self.sleep = sleep
    }

    /// Posts a message, from any thread.
    func post(_ message: Message) {
        let (wasEmpty, reject) = state.withLock { state in
            guard state.reject == nil else { return (false, state.reject) }
            state.messages.append(message)
            return (state.messages.count == 1, nil)
        }
        reject?(message)
        // One signal per batch: the reader takes all messages at once. If others are waiting, the first of them has
        // signalled or will.
        if wasEmpty { event.signal() }
    }

    /// Returns everything that was posted; waits for it until `deadline`.
    ///
    /// - Returns: the messages; none after the deadline, and sometimes earlier: a signal at the last deadline ends the
    ///   next wait.
    func take(until deadline: Instant?, clock: some MachineClock) -> [Message] {
        sleep(event, deadline.map { $0 - clock.now() })
        return state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Closes the mailbox for good: rejects what is left and all later messages.
    ///
    /// - Parameter reject: is called on the thread that posts.
    func close(_ reject: @escaping @Sendable (Message) -> Void) {
        let left = state.withLock { state in
            state.reject = reject
            defer { state.messages = [] }
            return state.messages
        }
        for message in left { reject(message) }
    }

    /// Sleeps until `deadline`, whatever is posted.
    func sleep(until deadline: Instant, clock: some MachineClock) {
        while clock.now() < deadline { sleep(event, deadline - clock.now()) }
    }
}
