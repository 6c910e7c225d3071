internal import BoardCore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Watches the buttons, and takes them anew while they cannot be had: a line may be taken by another program that ends.
final class ButtonService: Service {
    private static let firstWait = Duration.seconds(1)
    private static let longestWait = Duration.seconds(60)
    /// Buttons that were watched this long after a fault are called well again.
    private static let stableAfter = Duration.seconds(2)

    private let buttons: Mutex<any Buttons>
    private let changes = BufferedStream<Void>(keeping: 1)
    private let log: RateLimitedLog
    private let report: @Sendable (ButtonChange) -> Void

    init(_ buttons: any Buttons, log: RateLimitedLog, report: @escaping @Sendable (ButtonChange) -> Void) {
        self.buttons = Mutex(buttons)
        self.log = log
        self.report = report
    }

    /// Lets the old buttons go and takes others.
    func replace(_ buttons: any Buttons) {
        self.buttons.withLock { $0 = buttons }
        changes.send(())
    }

    func run() async throws {
        var watching = watchNewest()
        for await _ in changes.elements().cancelOnGracefulShutdown() {
            watching.cancel()
            // The lines must be free before they are asked for again.
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
        var said: ButtonFault?
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let isBack = said.map { _ in
                Task {
                    try await Task.sleep(for: Self.stableAfter)
                    log.log(.notice, "button: watched again")
                }
            }
            defer { isBack?.cancel() }
            do throws(ButtonFault) {
                try await buttons.watch(report)
                return
            } catch {
                if ContinuousClock.now - start > Self.stableAfter { (wait, said) = (Self.firstWait, nil) }
                if said != error {
                    log.log(.warning, "button: \(error). It is tried again for as long as it takes.")
                }
                said = error
            }
            isBack?.cancel()
            try? await Task.sleep(for: wait)
            wait = min(wait * 2, Self.longestWait)
        }
    }
}
