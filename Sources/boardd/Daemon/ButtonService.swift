internal import BoardCore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Watches the buttons, and retries while their lines are not available: another program that ends may hold one.
final class ButtonService: Service {
    private static let firstWait = Duration.seconds(1)
    private static let longestWait = Duration.seconds(60)
    /// Buttons that work for this long after a fault have recovered.
    private static let stableAfter = Duration.seconds(2)

    private let buttons: Mutex<any Buttons>
    private let changes = BufferedStream<Void>(limit: 1)
    private let log: RateLimitedLog
    private let report: @Sendable (ButtonChange) -> Void

    init(_ buttons: any Buttons, log: RateLimitedLog, report: @escaping @Sendable (ButtonChange) -> Void) {
        self.buttons = Mutex(buttons)
        self.log = log
        self.report = report
    }

    /// Releases the old buttons and watches new ones.
    func replace(_ buttons: any Buttons) {
        self.buttons.withLock { $0 = buttons }
        changes.send(())
    }

    func run() async throws {
        var watching = watchNewest()
        for await _ in changes.elements().cancelOnGracefulShutdown() {
            watching.cancel()
            // The lines must be free before they are requested again.
            await watching.value
            watching = watchNewest()
        }
        watching.cancel()
        await watching.value
    }

    private func watchNewest() -> Task<Void, Never> {
        let buttons = buttons.withLock { $0 }
        return Task { await self.watch(buttons) }
    }

    private func watch(_ buttons: any Buttons) async {
        var wait = Self.firstWait
        var logged: ButtonFault?
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let recovery = logged.map { _ in
                Task {
                    try await Task.sleep(for: Self.stableAfter)
                    log.log(.notice, "button: working again")
                }
            }
            defer { recovery?.cancel() }
            do throws(ButtonFault) {
                try await buttons.watch(report)
                return
            } catch {
                if ContinuousClock.now - start > Self.stableAfter { (wait, logged) = (Self.firstWait, nil) }
                if logged != error {
                    log.log(.warning, "button: \(error). Retrying.")
                }
                logged = error
            }
            recovery?.cancel()
            try? await Task.sleep(for: wait)
            wait = min(wait * 2, Self.longestWait)
        }
    }
}
