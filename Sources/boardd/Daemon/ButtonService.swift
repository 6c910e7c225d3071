internal import BoardCore
internal import ServiceLifecycle
internal import Synchronization

/// Watches the buttons, and retries while their lines are not available: another program that ends may hold one.
final class ButtonService: Service {
    private let buttons: Mutex<any Buttons>
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
        let watch = ClosureService { [buttons = buttons.withLock { $0 }, report] in
            self.fault.withLock { $0 = nil }
            do {
                try await buttons.watch(report)
            } catch {
                self.fault.withLock { $0 = "\(error)" }
                throw error
            }
            // The buttons of a display as plain text end at once.
            try await gracefulShutdown()
        }
        let supervisor = Supervisor(
            name: "button", base: watch, log: log, clock: clock, stableAfter: .seconds(2),
            failed: { ": \($0). Retrying." },
            recovered: ": working again")
        try? await supervisor.run()
    }
}
