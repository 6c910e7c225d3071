internal import Synchronization

/// Wakes the viewers of the board after a change.
final class Viewers: Sendable {
    private struct State {
        var signals: [Int: AsyncStream<Void>.Continuation] = [:]
        var last = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// An element after each change; changes that come before it is read are merged.
    func changes() -> AsyncStream<Void> {
        let (stream, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.last += 1
            state.signals[state.last] = signal
            return state.last
        }
        guard let number else {
            signal.finish()
            return stream
        }
        signal.onTermination = { _ in
            self.state.withLock { $0.signals[number] = nil }
        }
        return stream
    }

    /// Wakes every viewer, from any thread.
    func send() {
        for signal in state.withLock({ Array($0.signals.values) }) { signal.yield() }
    }

    /// Ends every stream, now and later.
    func finish() {
        let signals = state.withLock { state in
            state.isFinished = true
            return Array(state.signals.values)
        }
        for signal in signals { signal.finish() }
    }
}
