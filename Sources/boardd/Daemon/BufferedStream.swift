internal import Synchronization

/// Elements for one service, buffered while it does not run.
///
/// An `AsyncStream` ends for good with the task that reads it. A restarted service takes a new stream here, and misses no
/// element that was sent in between.
final class BufferedStream<Element: Sendable>: Sendable {
    private struct State {
        var buffered: [Element] = []
        var listener: AsyncStream<Element>.Continuation?
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: how many elements are buffered; the oldest are dropped first.
    init(limit: Int = .max) {
        self.limit = limit
    }

    /// Sends an element, from any thread.
    func send(_ element: Element) {
        state.withLock { state in
            if let listener = state.listener {
                if case .terminated = listener.yield(element) { state.listener = nil } else { return }
            }
            state.buffered = (state.buffered + [element]).suffix(limit)
        }
    }

    /// The buffered elements, then each one as it is sent. Ends the stream that was returned before.
    func elements() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(
            bufferingPolicy: limit == .max ? .unbounded : .bufferingNewest(limit))
        state.withLock { state in
            state.listener?.finish()
            state.listener = continuation
            for element in state.buffered { continuation.yield(element) }
            state.buffered = []
        }
        return stream
    }
}
