internal import Logging
internal import ServiceLifecycle

/// A service that is started again when it ends, for whatever reason, after 1, 2, 4 … 60 s: only the board loop's end
/// ends the program.
struct Restarting<Base: Service>: Service {
    private static var longest: Duration { .seconds(60) }

    let name: String
    let base: Base
    let logger: Logger

    func run() async throws {
        var wait = Duration.seconds(1)
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do {
                try await base.run()
                guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
                logger.warning("\(name) ended; it is started again in \(wait)")
            } catch {
                guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
                logger.warning("\(name): \(error). It is started again in \(wait)")
            }
            try? await cancelWhenGracefulShutdown { [wait] in try await Task.sleep(for: wait) }
            wait = min(wait * 2, Self.longest)
        }
    }
}
