internal import BoardCore
internal import BoardThreads
internal import Logging
internal import ServiceLifecycle

/// The thread that owns the board: it takes events in, hands commands and frames out, and sleeps until the next frame
/// can be another one.
final class BoardLoop: Service {
    /// What the loop is told.
    enum Letter: Sendable {
        case event(Board.Event)
        /// Somebody asks how the board stands; told on the loop's thread, which must not be held up. Nil: the loop has
        /// ended, and nobody can tell any more.
        case report(@Sendable (Board.Report?) -> Void)
        /// End with a last picture.
        case stop
    }

    private let mailbox: Mailbox<Letter>
    private let clock: any MachineClock
    private let manager: ServiceManager
    private let watchdog: Watchdog
    private let display: DisplayService
    private let ask: @Sendable (FeedQuestion) -> Void
    private let follow: @Sendable (Departure) -> Void
    private let keep: @Sendable (Board.Snapshot) -> Void
    private let start: @Sendable () -> Board

    /// - Parameters:
    ///   - mailbox: what the loop is told comes in here.
    ///   - clock: the machine's clocks.
    ///   - manager: systemd.
    ///   - watchdog: is told of every turn.
    ///   - display: where frames go.
    ///   - ask: hands a question to the poll service; returns at once.
    ///   - follow: hands a question about a run to the poll service; returns at once.
    ///   - keep: takes what outlives a restart of the program; returns at once.
    ///   - start: makes the board, on the loop's own thread.
    init(
        _ mailbox: Mailbox<Letter>, clock: any MachineClock, manager: ServiceManager, watchdog: Watchdog,
        display: DisplayService, ask: @escaping @Sendable (FeedQuestion) -> Void,
        follow: @escaping @Sendable (Departure) -> Void = { _ in },
        keep: @escaping @Sendable (Board.Snapshot) -> Void = { _ in }, start: @escaping @Sendable () -> Board
    ) {
        self.mailbox = mailbox
        self.clock = clock
        self.manager = manager
        self.watchdog = watchdog
        self.display = display
        self.ask = ask
        self.follow = follow
        self.keep = keep
        self.start = start
    }

    func run() async throws {
        // Whoever asks after the end must not wait for an answer.
        defer { mailbox.end { if case .report(let tell) = $0 { tell(nil) } } }
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
        var letters: [Letter] = [.event(.woke)]
        while true {
            let now = clock.now()
            turn(&board, letters, &timing, at: now)
            let picture = board.picture(at: now)
            display.show(picture.frame)
            let demand = watchdog.turned(at: now)
            if demand.wantsAttempt { display.check() }
            let summary = board.summary
            if summary != status, manager.status(summary) { status = summary }
            let wake = board.nextWake(showing: picture, after: now)
            let deadline = [wake, demand.turnBy, timing.deadline].compactMap { $0 }.min()
            letters = mailbox.take(until: deadline, clock: clock)
            if letters.contains(where: \.isStop) {
                let now = clock.now()
                turn(&board, letters, &timing, at: now)
                manager.stopping()
                keep(board.snapshot(at: now))
                display.close(last: board.farewell(at: now))
                return
            }
            if letters.isEmpty { letters = [.event(.woke)] }
        }
    }

    /// Takes a batch of letters in, and does what the board wants done.
    ///
    /// - Parameter timing: says when the board is kept.
    private func turn(_ board: inout Board, _ letters: [Letter], _ timing: inout SnapshotTiming, at now: Instant) {
        var commands = board.handle(.clock(clock.reading()), at: now)
        for case .event(let event) in letters { commands += board.handle(event, at: now) }
        for command in commands {
            switch command {
            case .poll(let question): ask(question)
            case .follow(let departure): follow(departure)
            case .keep: break
            }
        }
        if timing.isDue(
            hasChanged: commands.contains(.keep), areAnswersAlone: letters.allSatisfy(\.isAnswer), at: now)
        {
            keep(board.snapshot(at: now))
        }
        for case .report(let tell) in letters { tell(board.report(at: now)) }
    }
}

extension BoardLoop.Letter {
    fileprivate var isStop: Bool {
        if case .stop = self { true } else { false }
    }

    fileprivate var isAnswer: Bool {
        if case .event(.answered) = self { true } else { false }
    }
}
