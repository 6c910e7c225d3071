internal import Dispatch
internal import ServiceLifecycle

/// Bounds the end: whatever hangs, the program is gone soon after it was told to end. It belongs at the end of a group,
/// which shuts its services down from the last to the first.
final class ShutdownDeadline: Service {
    /// How long services may take to end by themselves; then they are cancelled.
    static let graceful = Duration.seconds(4)
    /// How long they may take after that; then they are left behind, with their threads.
    static let cancelled = Duration.seconds(1)

    /// When what still runs is left behind.
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
    /// - Returns: whether all services have ended; false when some were left behind.
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
