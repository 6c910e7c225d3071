import BoardCore
import Logging
import ServiceLifecycle
import Synchronization

/// A part of the daemon with a life cycle, not a vehicle's service.
typealias Service = ServiceLifecycle.Service

/// Restarts a service when it ends for any reason, after 1, 2, 4 … 60 s: only the board loop's end ends the program.
struct Supervisor<Base: Service>: Service {
    let name: String
    let base: Base
    let log: RateLimitedLog
    let clock: any MachineClock
    var backoff = Backoff(from: .seconds(1), upTo: .seconds(60))
    /// A service that runs this long after a restart has recovered.
    var stableAfter = Duration.seconds(60)
    /// What is logged after the name.
    var failed: @Sendable (any Error) -> String = { " failed: \($0). Restarting." }
    var recovered = " runs again"

    func run() async throws {
        var failures = 0
        // Each reason is logged once until the service recovers: it may recur for days; the log has few lines a day.
        var logged: Set<String> = []
        while !isEnding {
            let start = clock.now()
            let reason = await runOnce(isRetry: !logged.isEmpty)
            guard !isEnding else { return }
            // A service that ran well for a while starts again with a short delay.
            if clock.now() - start >= stableAfter { (failures, logged) = (0, []) }
            if logged.count < RateLimitedLog.lines, logged.insert(reason).inserted { log.log(.warning, name + reason) }
            failures += 1
            let wait = backoff.wait(afterFailures: failures)
            await cancelWhenGracefulShutdown { await clock.sleep(for: wait) }
        }
    }

    /// Runs the service to its end; logs the recovery if a retry runs for a while.
    ///
    /// - Returns: why it ended.
    private func runOnce(isRetry: Bool) async -> String {
        await withDiscardingTaskGroup { group in
            if isRetry {
                group.addTask {
                    await clock.sleep(for: stableAfter)
                    if !Task.isCancelled { log.log(.notice, name + recovered) }
                }
            }
            defer { group.cancelAll() }
            do {
                try await base.run()
                return " ended. Restarting."
            } catch {
                return failed(error)
            }
        }
    }

    private var isEnding: Bool { Task.isShuttingDownGracefully || Task.isCancelled }
}

/// Wakes the task of a service. A signal that comes while the service does not run waits for it; several count as one.
///
/// An `AsyncStream` ends for good with the task that reads it; a restarted service gets a new one here.
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
            state.listener = nil
            state.isPending = true
        }
    }

    /// The signal, if it is pending, and each one that is sent. Ends the stream that was returned before.
    func signals() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.listener?.finish()
            if state.isPending { continuation.yield() }
            state.listener = continuation
            state.isPending = false
        }
        return stream
    }
}

/// A value that threads share.
final class Locked<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    var value: Value {
        get { mutex.withLock { $0 } }
        set { mutex.withLock { $0 = newValue } }
    }

    /// Sets another value, and returns the one before.
    func exchange(_ new: Value) -> Value {
        mutex.withLock { value in
            defer { value = new }
            return value
        }
    }
}
