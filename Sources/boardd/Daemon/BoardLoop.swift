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
        /// End with a last picture.
        case stop
    }

    private let mailbox: Mailbox<Letter>
    private let clock: any MachineClock
    private let manager: ServiceManager
    private let watchdog: Watchdog
    private let display: DisplayService
    private let ask: @Sendable (FeedQuestion) -> Void
    private let start: @Sendable () -> Board

    /// - Parameters:
    ///   - mailbox: what the loop is told comes in here.
    ///   - clock: the machine's clocks.
    ///   - manager: systemd.
    ///   - watchdog: is told of every turn.
    ///   - display: where frames go.
    ///   - ask: hands a question to the poll service; returns at once.
    ///   - start: makes the board, on the loop's own thread.
    init(
        _ mailbox: Mailbox<Letter>, clock: any MachineClock, manager: ServiceManager, watchdog: Watchdog,
        display: DisplayService, ask: @escaping @Sendable (FeedQuestion) -> Void, start: @escaping @Sendable () -> Board
    ) {
        self.mailbox = mailbox
        self.clock = clock
        self.manager = manager
        self.watchdog = watchdog
        self.display = display
        self.ask = ask
        self.start = start
    }

    func run() async throws {
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
        var events: [Board.Event] = [.woke]
        while true {
            let now = clock.now()
            for event in [.clock(clock.reading())] + events {
                for case .poll(let question) in board.handle(event, at: now) { ask(question) }
            }
            let picture = board.picture(at: now)
            display.show(picture.frame)
            let demand = watchdog.turned(at: now)
            if demand.wantsAttempt { display.check() }
            let summary = board.summary
            if summary != status, manager.status(summary) { status = summary }
            let wake = board.nextWake(showing: picture, after: now)
            let deadline = [wake, demand.turnBy].compactMap { $0 }.min()
            events = []
            for letter in mailbox.take(until: deadline, clock: clock) {
                switch letter {
                case .event(let event): events.append(event)
                case .stop:
                    manager.stopping()
                    display.close(last: board.farewell(at: clock.now()))
                    return
                }
            }
            if events.isEmpty { events = [.woke] }
        }
    }
}
