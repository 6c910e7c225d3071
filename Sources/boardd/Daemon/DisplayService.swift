import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import Logging
import ServiceLifecycle
import Synchronization

/// The thread that owns the display. It draws the newest frame, and calls the display again when the display asks for
/// it, so that it recovers by itself.
final class DisplayService: Service {
    /// Makes a display, on the thread that will use it.
    typealias Factory = @Sendable () -> any Display

    /// How long the last frame waits for a display that recovers.
    private static let lastFrameTimeout = Duration.seconds(1)

    private let health = Mutex<DisplayReport.Health?>(nil)

    private struct PendingWork {
        var frame: Frame?
        var factory: Factory?
        var last: Frame?
        var isEnding = false
    }

    private let pending: Mutex<PendingWork>
    private let mailbox: Mailbox<Void>
    private let clock: any MachineClock
    private let log: DisplayLog
    private let tried: @Sendable (Instant) -> Void

    /// - Parameters:
    ///   - advice: what a person may do without a display; logged once, after the first fault.
    ///   - tried: is called after every attempt, failed or not, on the display's thread.
    init(
        _ factory: @escaping Factory, clock: any MachineClock, log: RateLimitedLog, advice: String? = nil,
        tried: @escaping @Sendable (Instant) -> Void = { _ in }
    ) throws(ThreadError) {
        mailbox = try Mailbox()
        pending = Mutex(PendingWork(factory: factory))
        self.clock = clock
        self.log = DisplayLog(log, advice: advice)
        self.tried = tried
    }

    /// Hands over the newest frame, from any thread; an older one that was not drawn yet is dropped.
    func show(_ frame: Frame) {
        let isNew = pending.withLock { pending in
            defer { pending.frame = frame }
            return pending.frame != frame
        }
        if isNew { mailbox.post(()) }
    }

    /// The result of the last attempt to draw; nil before the first one has ended.
    var lastHealth: DisplayReport.Health? { health.withLock { $0 } }

    /// Requests an attempt even though nothing changed.
    func check() { mailbox.post(()) }

    func replace(_ factory: @escaping Factory) {
        pending.withLock { $0.factory = factory }
        mailbox.post(())
    }

    func close(last frame: Frame) {
        pending.withLock { $0.last = frame }
        mailbox.post(())
    }

    /// Draws until the group shuts down, and ends with the frame of ``close(last:)``, or with the newest one. It may
    /// run again after a failure: it fails only when no thread could start, and then all pending work remains.
    func run() async throws {
        // A cancelled task does not wait for the thread, which may hang on the bus and must not delay the end.
        let (end, continuation) = AsyncStream<Never>.makeStream()
        try DedicatedThread.start("display") {
            self.draw()
            continuation.finish()
        }
        await withGracefulShutdownHandler {
            for await _ in end {}
        } onGracefulShutdown: {
            self.pending.withLock { $0.isEnding = true }
            self.mailbox.post(())
        }
        // The loop's last frame may be drawn before this service is shut down, and a group treats a service that ends
        // early as failed.
        try? await gracefulShutdown()
    }

    private func draw() {
        var display: (any Display)?
        var log = log
        while true {
            let pending = pending.withLock { pending in
                defer { pending.factory = nil }
                return pending
            }
            if let factory = pending.factory {
                // The bus must be free before another display opens it.
                if let frame = pending.frame { display?.close(last: frame, at: clock.now()) }
                display = factory()
                log.replaced()
            }
            if pending.last != nil || pending.isEnding {
                if var display, let last = pending.last ?? pending.frame { end(&display, with: last) }
                return
            }
            var callAgainAt: Instant?
            if let frame = pending.frame, let report = display?.show(frame, at: clock.now()) {
                callAgainAt = report.callAgainAt
                let now = clock.now()
                health.withLock { $0 = report.health }
                log.observe(report.health)
                tried(now)
            }
            _ = mailbox.take(until: callAgainAt, clock: clock)
        }
    }

    /// Draws the last frame, even on a display that was never drawn on, or that lost a byte a moment ago.
    private func end(_ display: inout any Display, with last: Frame) {
        let report = display.show(last, at: clock.now())
        if report.health != .shown, let callAgainAt = report.callAgainAt,
            callAgainAt - clock.now() < Self.lastFrameTimeout
        {
            mailbox.sleep(until: callAgainAt, clock: clock)
            _ = display.show(last, at: clock.now())
        }
        display.close(last: last, at: clock.now())
    }
}

/// Logs when the display fails and when it responds again.
struct DisplayLog {
    private let log: RateLimitedLog
    private var advice: String?
    private var before: DisplayReport.Health?
    private var isFaultLogged = false

    /// - Parameter advice: is logged once, after the first fault.
    init(_ log: RateLimitedLog, advice: String? = nil) {
        self.log = log
        self.advice = advice
    }

    /// Another display replaces the old one: any fault is a new one.
    mutating func replaced() {
        before = nil
        isFaultLogged = false
    }

    mutating func observe(_ health: DisplayReport.Health) {
        defer { before = health }
        switch health {
        case .absent(let fault):
            // A single lost byte is not logged: the next attempt repairs it. A display that never responded is logged.
            guard before != .shown, !isFaultLogged else { return log.debug("display: \(fault)") }
            isFaultLogged = true
            log.log(.warning, "display: \(fault). Retrying.")
            if let advice { log.log(.notice, "\(advice)") }
            advice = nil
        case .shown where isFaultLogged:
            isFaultLogged = false
            log.log(.notice, "display: responding again")
        case .shown:
            if before == nil { log.debug("display: shown") }
        }
    }
}

/// Watches the buttons, and retries while their lines are not available: another program may hold one until it ends.
final class ButtonService: Service {
    /// Buttons, and who gets their presses.
    private struct Watch {
        let buttons: any Buttons
        let report: @Sendable (ButtonChange) -> Void
        var failed: @Sendable (any Error) -> Void = { _ in }
    }

    private let buttons: Mutex<any Buttons>
    /// The newest search for a button, the end of its presses, and how many there were; nil: nobody searches.
    private let search = Mutex<
        (watch: Watch?, end: AsyncStream<Result<ButtonID, ServiceError>>.Continuation?, number: Int)
    >(
        (nil, nil, 0))
    private let changes = BufferedSignal()
    private let fault = Mutex<String?>(nil)
    private let log: RateLimitedLog
    private let clock: any MachineClock
    private let report: @Sendable (ButtonChange) -> Void

    init(
        _ buttons: any Buttons, log: RateLimitedLog, clock: any MachineClock,
        report: @escaping @Sendable (ButtonChange) -> Void
    ) {
        self.buttons = Mutex(buttons)
        self.log = log
        self.clock = clock
        self.report = report
    }

    /// Why presses cannot be read; nil: they can.
    var lastFault: String? { fault.withLock { $0 } }

    /// Releases the old buttons and watches new ones.
    func replace(_ buttons: any Buttons) {
        self.buttons.withLock { $0 = buttons }
        changes.send()
    }

    /// The first of these buttons that is pressed within a time; nil: none was. Meanwhile no press reaches the board.
    ///
    /// - Throws: ``ServiceError`` where presses cannot be read, or another search began.
    func firstPress(of searched: any Buttons, within limit: Duration) async throws(ServiceError) -> ButtonID? {
        let (ends, report) = AsyncStream.makeStream(of: Result<ButtonID, ServiceError>.self)
        let watch = Watch(buttons: searched) { change in
            if change.isDown { report.yield(.success(change.button)) }
        } failed: { error in
            report.yield(.failure(ServiceError(.unavailable, "\(error)")))
        }
        let number = search.withLock { search in
            search.end?.yield(.failure(ServiceError(.conflict, "another device waits for the press now")))
            search = (watch, report, search.number + 1)
            return search.number
        }
        changes.send()
        let end = await clock.first(of: ends, within: limit)
        search.withLock { if $0.number == number { $0 = (nil, nil, number) } }
        changes.send()
        return try end?.get()
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var changes = self.changes.signals().makeAsyncIterator()
            while !Task.isCancelled {
                // Ends when the old lines are free, before they are requested again.
                await withDiscardingTaskGroup { group in
                    group.addTask { await self.watch() }
                    await changes.next()
                    group.cancelAll()
                }
            }
        }
    }

    private func watch() async {
        let watch = search.withLock { $0.watch } ?? Watch(buttons: buttons.withLock { $0 }, report: report)
        let service = ClosureService {
            self.fault.withLock { $0 = nil }
            do {
                try await watch.buttons.watch(watch.report)
            } catch {
                self.fault.withLock { $0 = "\(error)" }
                watch.failed(error)
                throw error
            }
            // A display as plain text has no buttons, so watching them ends at once.
            try await gracefulShutdown()
        }
        let supervisor = Supervisor(
            name: "button", base: service, log: log, clock: clock, stableAfter: .seconds(2),
            failed: { ": \($0). Retrying." },
            recovered: ": working again")
        try? await supervisor.run()
    }
}
