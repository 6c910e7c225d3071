internal import BoardIO
internal import BoardService
internal import NIOCore
internal import Synchronization

/// Access to the event loop from other threads, closed before the loop ends: a loop that has ended logs a complaint
/// about every task that it is given.
final class EventLoopGate: Sendable {
    private let eventLoop: Mutex<(any EventLoop)?>

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = Mutex(eventLoop)
    }

    /// Runs a closure on the event loop; does nothing once the gate is closed, and returns false then.
    @discardableResult
    func execute(_ body: @escaping @Sendable () -> Void) -> Bool {
        // Within the lock, so that the loop has every accepted closure before it is shut down.
        eventLoop.withLock { eventLoop in
            eventLoop?.execute(body)
            return eventLoop != nil
        }
    }

    func close() {
        eventLoop.withLock { $0 = nil }
    }
}

/// Runs the actions of requests outside of the event loop.
struct ActionRunner: Sendable {
    let respond: @Sendable (ControlRequest) async -> ControlResponse
    let tasks: ChildTasks
    let gate: EventLoopGate

    /// Starts an action; `receive` runs on the event loop, unless that has ended. One that was cancelled before its begin does nothing.
    func start(_ request: ControlRequest, receive: @escaping @Sendable (ControlResponse) -> Void) -> ChildTasks.Job {
        tasks.start { _ in
            let response = Task.isCancelled ? .failure(.cancelled) : await respond(request)
            gate.execute { receive(response) }
        }
    }

    /// Starts a stream.
    ///
    /// - Parameters:
    ///   - send: sends events on the event loop, and then calls its second parameter: with false where the client is gone.
    ///   - finished: runs on the event loop when there are no more events.
    func start(
        _ events: EventStream, send: @escaping @Sendable ([UInt8], @escaping @Sendable (Bool) -> Void) -> Void,
        finished: @escaping @Sendable () -> Void
    ) -> ChildTasks.Job {
        tasks.start { _ in
            while let bytes = await events.next() {
                let isSent = await withCheckedContinuation { continuation in
                    let isAccepted = gate.execute { send(bytes) { continuation.resume(returning: $0) } }
                    if !isAccepted { continuation.resume(returning: false) }
                }
                guard isSent else { break }
            }
            gate.execute { finished() }
        }
    }
}
