internal import Synchronization

/// Work that may outlast the request that started it, one piece at a time. Each request waits only as long as it can
/// use the result; the work ends for the next one.
///
/// It starts the only unstructured task of the feeds; docs/decisions/threads.md has the reason.
final class BackgroundWork: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var waiters: [AsyncStream<Never>.Continuation] = []
    }

    private let state = Mutex(State())

    var isRunning: Bool { state.withLock { $0.task != nil } }

    func start(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard state.task == nil else { return }
            state.task = Task {
                await work()
                for waiter in self.takeWaiters() { waiter.finish() }
            }
        }
    }

    /// Waits for the end of the running work, if any.
    ///
    /// - Returns: whether it ended in time; nil as soon as the waiting task is cancelled.
    func end(within timeout: Duration? = nil) async -> Bool? {
        let (end, waiter) = AsyncStream.makeStream(of: Never.self)
        let isRunning = state.withLock { state in
            if state.task != nil { state.waiters.append(waiter) }
            return state.task != nil
        }
        guard isRunning else { return true }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in end {}
                return true
            }
            if let timeout {
                group.addTask {
                    try? await Task.sleep(for: timeout)
                    return false
                }
            }
            let hasEnded = await group.next()
            group.cancelAll()
            return Task.isCancelled ? nil : hasEnded
        }
    }

    private func takeWaiters() -> [AsyncStream<Never>.Continuation] {
        state.withLock { state in
            defer { state = State() }
            return state.waiters
        }
    }
}
