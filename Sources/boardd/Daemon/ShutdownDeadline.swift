internal import Dispatch
internal import ServiceLifecycle

/// Bounds the shutdown: the program ends soon after a signal even when a service hangs. It is the last service of its group,
/// which shuts its services down from the last to the first.
final class ShutdownDeadline: Service {
    /// How long services may take to end by themselves before they are cancelled.
    static let graceful = Duration.seconds(4)
    /// How long they may take after that before they are abandoned with their threads.
    static let cancelled = Duration.seconds(1)

    /// When the services that still run are abandoned.
    private let limit: Duration
    private let results: AsyncStream<Result<Bool, any Error>>
    private let continuation: AsyncStream<Result<Bool, any Error>>.Continuation

    init(graceful: Duration = ShutdownDeadline.graceful, cancelled: Duration = ShutdownDeadline.cancelled) {
        limit = graceful + cancelled
        (results, continuation) = AsyncStream.makeStream()
    }

    func run() async throws {
        try? await gracefulShutdown()
        let milliseconds = Int(limit / .milliseconds(1))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [continuation] in
            continuation.yield(.success(false))
        }
    }

    /// Runs a group that this service belongs to.
    ///
    /// - Returns: whether all services have ended; false when some were abandoned.
    func run(_ group: ServiceGroup) async throws -> Bool {
        Task { [continuation] in
            do {
                try await group.run()
                continuation.yield(.success(true))
            } catch {
                continuation.yield(.failure(error))
            }
        }
        for await result in results { return try result.get() }
        return false
    }
}
