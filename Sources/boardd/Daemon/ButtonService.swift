internal import BoardCore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Watches the buttons, and takes them anew while they cannot be had: a line may be taken by another program that ends.
final class ButtonService: Service {
    private static let firstWait = Duration.seconds(1)
    private static let longestWait = Duration.seconds(60)

    private let generations: AsyncStream<any Buttons>
    private let continuation: AsyncStream<any Buttons>.Continuation
    private let logger: Logger
    private let report: @Sendable (ButtonChange) -> Void

    init(_ buttons: any Buttons, logger: Logger, report: @escaping @Sendable (ButtonChange) -> Void) {
        (generations, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield(buttons)
        self.logger = logger
        self.report = report
    }

    /// Lets the old buttons go and takes others.
    func replace(_ buttons: any Buttons) {
        continuation.yield(buttons)
    }

    func run() async throws {
        var watching: Task<Void, Never>?
        for await buttons in generations.cancelOnGracefulShutdown() {
            watching?.cancel()
            // The lines must be free before they are asked for again.
            await watching?.value
            watching = Task { await self.watch(buttons) }
        }
        watching?.cancel()
        await watching?.value
    }

    private func watch(_ buttons: any Buttons) async {
        var wait = Self.firstWait
        var said: ButtonFault?
        while !Task.isCancelled {
            do throws(ButtonFault) {
                try await buttons.watch(report)
                return
            } catch {
                if said != error { logger.warning("button: \(error). It is tried again for as long as it takes.") }
                said = error
            }
            try? await Task.sleep(for: wait)
            wait = min(wait * 2, Self.longestWait)
        }
    }
}
