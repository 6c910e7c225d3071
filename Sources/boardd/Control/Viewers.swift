import BoardControl
import BoardCore
import Logging
import ServiceLifecycle
import Synchronization

/// Wakes the viewers of the board after a change.
final class Viewers: Sendable {
    private struct State {
        var signals: [Int: AsyncStream<UInt64>.Continuation] = [:]
        var last = 0
        var changes: UInt64 = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// The number of each change; of those that come before it is read, the newest.
    func changes() -> AsyncStream<UInt64> {
        let (stream, signal) = AsyncStream.makeStream(of: UInt64.self, bufferingPolicy: .bufferingNewest(1))
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
        // In the lock, so that no viewer gets an older number after a newer one.
        state.withLock { state in
            state.changes += 1
            for signal in state.signals.values { signal.yield(state.changes) }
        }
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

/// The limit on requests that viewers cause: one per feed in a period.
final class LookLimit: Sendable {
    private let limits = Mutex<[FeedName: RateLimiter]>([:])

    /// Counts a request, if one is allowed now.
    ///
    /// - Returns: the wait until it is; nil: it is allowed.
    func wait(for feed: FeedName, at now: Instant) -> Duration? {
        limits.withLock { $0[feed, default: RateLimiter(1, per: .seconds(10))].take(at: now) }
    }
}

/// The control socket and the page as a service of the daemon.
struct ControlService: Service {
    private let server: ControlServer

    init(_ endpoints: [HTTPEndpoint], log: RateLimitedLog) {
        server = ControlServer(endpoints) { notice in
            switch notice {
            case .listening: log.debug("\(notice)")
            case .acceptingAgain: log.log(.notice, "\(notice)")
            case .withoutGroup, .cannotAccept, .disconnected: log.log(.warning, "\(notice)")
            }
        }
    }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await server.run()
        } onGracefulShutdown: {
            server.shutDown()
        }
    }
}
