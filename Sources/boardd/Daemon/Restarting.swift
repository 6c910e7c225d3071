internal import Logging
internal import ServiceLifecycle

/// A service that is started again when it ends, for whatever reason, after 1, 2, 4 … 60 s: only the board loop's end
/// ends the program.
struct Restarting<Base: Service>: Service {
    private static var shortest: Duration { .seconds(1) }
    private static var longest: Duration { .seconds(60) }

    let name: String
    let base: Base
    let voice: FaultVoice

    func run() async throws {
        var wait = Self.shortest
        while !isEnding {
            let start = ContinuousClock.now
            var reason = "ended"
            do {
                try await base.run()
            } catch {
                reason = "failed: \(error)"
            }
            guard !isEnding else { return }
            // What ran well for a while and then fell over starts from a short wait again.
            if ContinuousClock.now - start > Self.longest { wait = Self.shortest }
            voice.say(.warning, "\(name) \(reason); it is started again in \(wait)")
            try? await cancelWhenGracefulShutdown { [wait] in try await Task.sleep(for: wait) }
            wait = min(wait * 2, Self.longest)
        }
    }

    private var isEnding: Bool { Task.isShuttingDownGracefully || Task.isCancelled }
}
