internal import Logging
internal import ServiceLifecycle

/// A service that is started again when it ends, for whatever reason, after 1, 2, 4 … 60 s: only the board loop's end
/// ends the program.
struct Supervisor<Base: Service>: Service {
    private static var longest: Duration { .seconds(60) }

    let name: String
    let base: Base
    let log: RateLimitedLog
    /// How long to wait before the second start.
    var firstWait = Duration.seconds(1)
    /// What ran this long after it had ended is called well again.
    var stableAfter = Duration.seconds(60)

    func run() async throws {
        var wait = firstWait
        // Each reason is said once until it runs well again: it may go on for days, and the day has few lines.
        var said: Set<String> = []
        while !isEnding {
            let start = ContinuousClock.now
            let isBack = said.isEmpty ? nil : logRecovery()
            defer { isBack?.cancel() }
            var reason = "ended"
            do {
                try await base.run()
            } catch {
                reason = "failed: \(error)"
            }
            isBack?.cancel()
            guard !isEnding else { return }
            // What ran well for a while and then fell over starts from a short wait again.
            if ContinuousClock.now - start >= stableAfter { (wait, said) = (firstWait, []) }
            if said.count < RateLimitedLog.lines, said.insert(reason).inserted {
                log.log(.warning, "\(name) \(reason). It is started again for as long as it takes.")
            }
            try? await cancelWhenGracefulShutdown { [wait] in try await Task.sleep(for: wait) }
            wait = min(wait * 2, Self.longest)
        }
    }

    /// Says that it runs again once it has done so for a while.
    private func logRecovery() -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: stableAfter)
            log.log(.notice, "\(name) runs again")
        }
    }

    private var isEnding: Bool { Task.isShuttingDownGracefully || Task.isCancelled }
}
