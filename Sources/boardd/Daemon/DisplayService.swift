internal import BoardCore
internal import BoardThreads
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// The thread that owns the glass: it always draws the newest frame, and calls on the display again when the display
/// asks for it, so that it heals without anybody's help.
final class DisplayService: Service {
    /// Makes a display, on the thread that will use it.
    typealias Factory = @Sendable () -> any Display

    private struct Orders {
        var frame: Frame?
        var factory: Factory?
        var last: Frame?
        var attempts = 0
    }

    private let orders: Mutex<Orders>
    private let mailbox = Mailbox<Void>()
    private let clock: any MachineClock
    private let logger: Logger

    init(_ factory: @escaping Factory, clock: any MachineClock, logger: Logger) {
        orders = Mutex(Orders(factory: factory))
        self.clock = clock
        self.logger = logger
    }

    /// Hands over the newest frame, from any thread; an older one that was not drawn yet is forgotten.
    func show(_ frame: Frame) {
        let isNew = orders.withLock { orders in
            defer { orders.frame = frame }
            return orders.frame != frame
        }
        if isNew { mailbox.post(()) }
    }

    /// Asks for an attempt although nothing changed.
    func check() { mailbox.post(()) }

    /// Lets the old display go and takes another one.
    func replace(_ factory: @escaping Factory) {
        orders.withLock { $0.factory = factory }
        mailbox.post(())
    }

    /// Draws a last frame and ends.
    func close(last frame: Frame) {
        orders.withLock { $0.last = frame }
        mailbox.post(())
    }

    /// Attempts that have ended, good or bad.
    var attempts: Int { orders.withLock { $0.attempts } }

    func run() async throws {
        try await DedicatedThread.run("display") { self.draw() }
        // The last frame is drawn when the board loop ends, before it is this service's turn to end: a service that is
        // gone before its turn counts as a failure, and the program would end with an error's status.
        try? await gracefulShutdown()
    }

    private func draw() {
        var display: (any Display)?
        var health: DisplayReport.Health?
        while true {
            let (factory, frame, last) = orders.withLock { orders in
                defer { orders.factory = nil }
                return (orders.factory, orders.frame, orders.last)
            }
            if let factory {
                if let frame { display?.close(last: frame, at: clock.now()) }
                display = factory()
                health = nil
            }
            if let last {
                display?.close(last: last, at: clock.now())
                return
            }
            var attention: Instant?
            if let frame, let report = display?.show(frame, at: clock.now()) {
                attention = report.attention
                say(report.health, after: health)
                health = report.health
                orders.withLock { $0.attempts += 1 }
            }
            _ = mailbox.take(until: attention, clock: clock)
        }
    }

    /// A fault speaks when it begins and when it ends.
    private func say(_ health: DisplayReport.Health, after before: DisplayReport.Health?) {
        switch (before, health) {
        case (.shown, .shown), (.absent, .absent): return
        case (_, .absent(let fault)): logger.warning("display: \(fault). It is tried again for as long as it takes.")
        case (nil, .shown): logger.debug("display: shown")
        case (.absent, .shown): logger.notice("display: back, and drawn anew")
        }
    }
}
