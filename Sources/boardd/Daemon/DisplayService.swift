internal import BoardCore
internal import BoardThreads
internal import ServiceLifecycle
internal import Synchronization

/// The thread that owns the glass: it always draws the newest frame, and calls on the display again when the display
/// asks for it, so that it heals without anybody's help.
final class DisplayService: Service {
    /// Makes a display, on the thread that will use it.
    typealias Factory = @Sendable () -> any Display

    /// How long the last words may wait for a display that heals.
    private static let lastPatience = Duration.seconds(1)

    /// What became of the last attempt; nil before the first one has ended.
    private let health = Mutex<DisplayReport.Health?>(nil)

    private struct PendingWork {
        var frame: Frame?
        var factory: Factory?
        var last: Frame?
        var isEnding = false
    }

    private let orders: Mutex<PendingWork>
    private let mailbox = Mailbox<Void>()
    private let clock: any MachineClock
    private let log: RateLimitedLog
    private let tried: @Sendable (Instant) -> Void

    /// - Parameters:
    ///   - factory: makes the first display.
    ///   - clock: the machine's clocks.
    ///   - voice: is told when the display goes and comes.
    ///   - tried: is told of every attempt that has ended, good or bad, on the display's thread.
    init(
        _ factory: @escaping Factory, clock: any MachineClock, log: RateLimitedLog,
        tried: @escaping @Sendable (Instant) -> Void = { _ in }
    ) {
        orders = Mutex(PendingWork(factory: factory))
        self.clock = clock
        self.log = log
        self.tried = tried
    }

    /// Hands over the newest frame, from any thread; an older one that was not drawn yet is forgotten.
    func show(_ frame: Frame) {
        let isNew = orders.withLock { orders in
            defer { orders.frame = frame }
            return orders.frame != frame
        }
        if isNew { mailbox.post(()) }
    }

    /// What became of the last attempt to draw; nil before the first one has ended.
    var lastHealth: DisplayReport.Health? { health.withLock { $0 } }

    /// Asks for an attempt although nothing changed.
    func check() { mailbox.post(()) }

    /// Lets the old display go and takes another one.
    func replace(_ factory: @escaping Factory) {
        orders.withLock { $0.factory = factory }
        mailbox.post(())
    }

    /// Draws a last frame and lets the display go.
    func close(last frame: Frame) {
        orders.withLock { $0.last = frame }
        mailbox.post(())
    }

    /// Draws until the group shuts down, and is ended with the frame of ``close(last:)``, or with the newest one. It may be
    /// run again when it failed: it fails only when there was no thread, and then all orders still stand.
    func run() async throws {
        // The thread is not waited for when the task is cancelled: it may hang in the bus, and must not hold up the end.
        let (end, continuation) = AsyncStream<Result<Void, any Error>>.makeStream()
        Task {
            do {
                try await DedicatedThread.run("display") { self.draw() }
                continuation.yield(.success(()))
            } catch {
                continuation.yield(.failure(error))
            }
            continuation.finish()
        }
        try await withGracefulShutdownHandler {
            for await result in end { try result.get() }
        } onGracefulShutdown: {
            self.orders.withLock { $0.isEnding = true }
            self.mailbox.post(())
        }
        // The loop's last frame may be drawn before it is this service's turn to end, and a group takes a service that
        // ends before its turn for a fault.
        try? await gracefulShutdown()
    }

    private func draw() {
        var display: (any Display)?
        var log = DisplayLog(log)
        while true {
            let orders = orders.withLock { orders in
                defer { orders.factory = nil }
                return orders
            }
            if let factory = orders.factory {
                // The bus is free again before another display looks for it.
                if let frame = orders.frame { display?.close(last: frame, at: clock.now()) }
                display = factory()
                log.replaced()
            }
            if orders.last != nil || orders.isEnding {
                if var display, let last = orders.last ?? orders.frame { end(&display, with: last) }
                return
            }
            var callAgainAt: Instant?
            if let frame = orders.frame, let report = display?.show(frame, at: clock.now()) {
                callAgainAt = report.callAgainAt
                let now = clock.now()
                health.withLock { $0 = report.health }
                log.observe(report.health, at: now)
                tried(now)
            }
            _ = mailbox.take(until: callAgainAt, clock: clock)
        }
    }

    /// Leaves the last words on the glass, also of a display that was never drawn on, or that lost a byte a moment ago.
    private func end(_ display: inout any Display, with last: Frame) {
        let report = display.show(last, at: clock.now())
        if report.health != .shown, let callAgainAt = report.callAgainAt, callAgainAt - clock.now() < Self.lastPatience
        {
            mailbox.sleep(until: callAgainAt, clock: clock)
            _ = display.show(last, at: clock.now())
        }
        display.close(last: last, at: clock.now())
    }
}
