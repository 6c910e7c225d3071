internal import Synchronization

/// Wakes the task of a service. A signal that comes while the service does not run waits for it; several count as one.
///
/// An `AsyncStream` ends for good with the task that reads it; a restarted service takes a new one here.
final class BufferedSignal: Sendable {
    private struct State {
        var isPending = false
        var listener: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    /// Sends the signal, from any thread.
    func send() {
        state.withLock { state in
            guard let listener = state.listener else { return state.isPending = true }
            guard case .terminated = listener.yield() else { return }
            (state.listener, state.isPending) = (nil, true)
        }
    }

    /// The signal, if it is pending, and each one that is sent. Ends the stream that was returned before.
    func signals() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.listener?.finish()
            if state.isPending { continuation.yield() }
            (state.listener, state.isPending) = (continuation, false)
        }
        return stream
    }
}
