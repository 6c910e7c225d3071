internal import BoardCore
internal import BoardThreads
internal import Logging
internal import ServiceLifecycle

/// The thread that owns the board: it takes events in, hands commands and frames out, and sleeps until the next frame
/// can be another one.
final class BoardLoop: Service {
    /// What the loop is told.
    enum Message: Sendable {
        case event(Board.Event)
        /// Somebody asks how the board stands; told on the loop's thread, which must not be held up. Nil: the loop has
        /// ended, and nobody can tell any more.
        case report(@Sendable (Board.Report?) -> Void)
        /// End with a last picture.
        case stop
    }

    private let mailbox: Mailbox<Message>
    private let clock: any MachineClock
    private let manager: SystemdNotifier
    private let watchdog: Watchdog
    private let display: DisplayService
    private let poll: @Sendable (FeedRequest) -> Void
    private let fetchDetails: @Sendable (Departure) -> Void
    private let save: @Sendable (Board.Snapshot) -> Void
    private let start: @Sendable () -> Board

    /// - Parameters:
    ///   - mailbox: what the loop is told comes in here.
    ///   - clock: the machine's clocks.
    ///   - manager: systemd.
    ///   - watchdog: is told of every turn.
    ///   - display: where frames go.
    ///   - poll: hands a request to the poll service; returns at once.
    ///   - fetchDetails: hands a request for the details of a trip to the poll service; returns at once.
    ///   - save: takes what outlives a restart of the program; returns at once.
    ///   - start: makes the board, on the loop's own thread.
    init(
        _ mailbox: Mailbox<Message>, clock: any MachineClock, manager: SystemdNotifier, watchdog: Watchdog,
        display: DisplayService, poll: @escaping @Sendable (FeedRequest) -> Void,
        fetchDetails: @escaping @Sendable (Departure) -> Void = { _ in },
        save: @escaping @Sendable (Board.Snapshot) -> Void = { _ in }, start: @escaping @Sendable () -> Board
    ) {
        self.mailbox = mailbox
        self.clock = clock
        self.manager = manager
        self.watchdog = watchdog
        self.display = display
        self.poll = poll
        self.fetchDetails = fetchDetails
        self.save = save
        self.start = start
    }

    func run() async throws {
        // Whoever asks after the end must not wait for an answer.
        defer { mailbox.close { if case .report(let tell) = $0 { tell(nil) } } }
        try await withGracefulShutdownHandler {
            try await withTaskCancellationHandler {
                try await DedicatedThread.run("board") { self.turn() }
            } onCancel: {
                self.mailbox.post(.stop)
            }
        } onGracefulShutdown: {
            self.mailbox.post(.stop)
        }
    }

    /// Turns until told to stop.
    private func turn() {
        var board = start()
        var status = ""
        var timing = SnapshotTiming()
        var messages: [Message] = [.event(.woke)]
        while true {
            let now = clock.now()
            turn(&board, messages, &timing, at: now)
            let picture = board.render(at: now)
            display.show(picture.frame)
            let demand = watchdog.turned(at: now)
            if demand.wantsAttempt { display.check() }
            let summary = board.summary
            if summary != status, manager.status(summary) { status = summary }
            let wake = board.nextWake(showing: picture, after: now)
            let deadline = [wake, demand.turnBy, timing.deadline].compactMap { $0 }.min()
            messages = mailbox.take(until: deadline, clock: clock)
            if messages.contains(where: \.isStop) {
                let now = clock.now()
                turn(&board, messages, &timing, at: now)
                manager.stopping()
                save(board.snapshot(at: now))
                display.close(last: board.shutdownFrame(at: now))
                return
            }
            if messages.isEmpty { messages = [.event(.woke)] }
        }
    }

    /// Takes a batch of messages in, and does what the board wants done.
    ///
    /// - Parameter timing: says when the board is kept.
    private func turn(_ board: inout Board, _ messages: [Message], _ timing: inout SnapshotTiming, at now: Instant) {
        var commands = board.handle(.clock(clock.reading()), at: now)
        for case .event(let event) in messages { commands += board.handle(event, at: now) }
        for command in commands {
            switch command {
            case .poll(let question): poll(question)
            case .fetchDetails(let departure): fetchDetails(departure)
            case .saveSnapshot: break
            }
        }
        if timing.isDue(
            hasChanged: commands.contains(.saveSnapshot), hasOnlyResponses: messages.allSatisfy(\.isResponse), at: now)
        {
            save(board.snapshot(at: now))
        }
        for case .report(let tell) in messages { tell(board.report(at: now)) }
    }
}

extension BoardLoop.Message {
    fileprivate var isStop: Bool {
        if case .stop = self { true } else { false }
    }

    fileprivate var isResponse: Bool {
        if case .event(.polled) = self { true } else { false }
    }
}
