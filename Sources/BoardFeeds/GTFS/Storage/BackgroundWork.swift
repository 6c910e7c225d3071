import Synchronization

/// Work that may outlast the request that started it, one piece at a time. Each request waits only as long as it can
/// use the result; the work then finishes for the next one.
///
/// It starts the only unstructured task of the feeds; docs/decisions/threads.md has the reason.
final class BackgroundWork: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var waiters: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    var isRunning: Bool { state.withLock { $0.task != nil } }

    func start(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard state.task == nil else { return }
            state.task = Task {
                await work()
                for waiter in self.takeWaiters() { waiter.yield() }
            }
        }
    }

    /// Yields once the running work has ended; at once if none is running.
    func ended() -> AsyncStream<Void> {
        let (end, waiter) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            if state.task == nil { waiter.yield() } else { state.waiters.append(waiter) }
        }
        return end
    }

    /// Waits for the end of the running work, if any; false: the waiting task was cancelled.
    func waitForEnd() async -> Bool { await ended().first { _ in true } != nil }

    private func takeWaiters() -> [AsyncStream<Void>.Continuation] {
        state.withLock { state in
            defer { state = State() }
            return state.waiters
        }
    }
}
