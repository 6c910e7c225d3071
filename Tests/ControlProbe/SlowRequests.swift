import Synchronization

/// Requests that wait until the test resumes them, and ignore cancellation.
final class SlowRequests: Sendable {
    private let requests = AsyncStream.makeStream(of: Void.self)
    private let cancellations = AsyncStream.makeStream(of: Void.self)
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    /// Waits until a number of them have come.
    func areWaiting(_ count: Int) async { for await _ in requests.stream.prefix(count) {} }

    /// Waits until a number of them have been cancelled.
    func areCancelled(_ count: Int) async { for await _ in cancellations.stream.prefix(count) {} }

    /// Completes all pending requests.
    func resume() {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume() }
    }

    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0.append(continuation) }
                requests.continuation.yield()
            }
        } onCancel: {
            cancellations.continuation.yield()
        }
    }
}
