internal import Synchronization

/// What others tell one service, kept while it does not listen.
///
/// An `AsyncStream` ends for good with the task that reads it; a service that is started again takes a new one here, and
/// misses nothing that was told in between.
final class BufferedStream<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var listener: AsyncStream<Element>.Continuation?
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: how many elements are kept at most; the oldest are forgotten first.
    init(keeping limit: Int = .max) {
        self.limit = limit
    }

    /// Tells the service something, from any thread.
    func send(_ element: Element) {
        state.withLock { state in
            if let listener = state.listener {
                if case .terminated = listener.yield(element) { state.listener = nil } else { return }
            }
            state.waiting = (state.waiting + [element]).suffix(limit)
        }
    }

    /// What was told and not taken yet, then everything as it is told. Ends the stream that was given before.
    func elements() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(
            bufferingPolicy: limit == .max ? .unbounded : .bufferingNewest(limit))
        state.withLock { state in
            state.listener?.finish()
            state.listener = continuation
            for element in state.waiting { continuation.yield(element) }
            state.waiting = []
        }
        return stream
    }
}
