import Dispatch
import Synchronization

/// A one-time event that tasks and threads wait for.
package final class Latch: Sendable {
    /// The tasks that wait; nil: it is open.
    private let waiters = Mutex<[AsyncStream<Never>.Continuation]?>([])
    private let threads = DispatchSemaphore(value: 0)

    package init() {}

    package func open() {
        let waiting = waiters.withLock { waiters in
            defer { waiters = nil }
            return waiters ?? []
        }
        for waiter in waiting { waiter.finish() }
        threads.signal()
    }

    /// Waits until it is open, or the task is cancelled.
    package func pass() async {
        let (opening, waiter) = AsyncStream<Never>.makeStream()
        let isOpen = waiters.withLock { waiters in
            waiters?.append(waiter)
            return waiters == nil
        }
        guard !isOpen else { return }
        for await _ in opening {}
    }

    /// Waits until it is open, and ignores cancellation.
    package func passUncancelled() async { await Task.detached { await self.pass() }.value }

    /// Blocks a thread until it is open.
    package func block() {
        threads.wait()
        // Each thread wakes the next one.
        threads.signal()
    }
}

/// Waits until the task is cancelled: an operator that does not respond, or work that hangs.
package func untilCancelled() async {
    for await _ in AsyncStream<Never>.makeStream().stream {}
}
