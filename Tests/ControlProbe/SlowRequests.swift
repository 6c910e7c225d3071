import Synchronization

/// Requests that wait until the test resumes them, and ignore cancellation.
final class SlowRequests: Sendable {
    private let awaited: Int
    private let requests: AsyncStream<Void>
    private let requestSink: AsyncStream<Void>.Continuation
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    /// - Parameter awaited: the number of requests that ``areWaiting()`` waits for.
    init(awaited: Int) {
        self.awaited = awaited
        (requests, requestSink) = AsyncStream.makeStream(of: Void.self)
    }

    /// Waits until all have come.
    func areWaiting() async {
        var count = 0
        for await _ in requests {
            count += 1
            if count == awaited { return }
        }
    }

    /// Completes all pending requests.
    func resume() {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0.append(continuation) }
            requestSink.yield()
        }
    }
}
