internal import Logging
internal import ServiceLifecycle

/// Restarts a service when it ends, for any reason, after 1, 2, 4 … 60 s: only the end of the board loop ends the program.
struct Supervisor<Base: Service>: Service {
    private static var longest: Duration { .seconds(60) }

    let name: String
    let base: Base
    let log: RateLimitedLog
    /// How long to wait before the second start.
    var firstWait = Duration.seconds(1)
    /// A service that runs this long after a restart has recovered.
    var stableAfter = Duration.seconds(60)

    func run() async throws {
        var wait = firstWait
        // Each reason is logged once until the service recovers: it may recur for days, and the log has few lines a day.
        var logged: Set<String> = []
        while !isEnding {
            let start = ContinuousClock.now
            let recovery = logged.isEmpty ? nil : logRecovery()
            defer { recovery?.cancel() }
            var reason = "ended"
            do {
                try await base.run()
            } catch {
                reason = "failed: \(error)"
            }
            recovery?.cancel()
            guard !isEnding else { return }
            // A service that ran well for a while starts again from a short delay.
            if ContinuousClock.now - start >= stableAfter { (wait, logged) = (firstWait, []) }
            if logged.count < RateLimitedLog.lines, logged.insert(reason).inserted {
                log.log(.warning, "\(name) \(reason). Restarting.")
            }
            try? await cancelWhenGracefulShutdown { [wait] in try await Task.sleep(for: wait) }
            wait = min(wait * 2, Self.longest)
        }
    }

    /// Logs the recovery once the service has run for a while.
    private func logRecovery() -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: stableAfter)
            log.log(.notice, "\(name) runs again")
        }
    }

    private var isEnding: Bool { Task.isShuttingDownGracefully || Task.isCancelled }
}
