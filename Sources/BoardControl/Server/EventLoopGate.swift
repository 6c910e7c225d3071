internal import BoardIO
internal import NIOCore
internal import Synchronization

/// Access to the event loop from other threads, closed before the loop ends: a loop that has ended logs a complaint
/// about every task that it is given.
final class EventLoopGate: Sendable {
    private let eventLoop: Mutex<(any EventLoop)?>

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = Mutex(eventLoop)
    }

    /// Runs a closure on the event loop; does nothing once the gate is closed.
    func execute(_ body: @escaping @Sendable () -> Void) {
        // Within the lock, so that the loop has every accepted closure before it is shut down.
        eventLoop.withLock { $0?.execute(body) }
    }

    func close() {
        eventLoop.withLock { $0 = nil }
    }
}

/// Runs the actions of requests outside of the event loop.
struct ActionRunner: Sendable {
    let router: Router
    let tasks: ChildTasks
    let gate: EventLoopGate

    /// Starts an action; `respond` runs on the event loop, unless that has ended.
    func start(_ request: ControlRequest, respond: @escaping @Sendable (ControlResponse) -> Void) -> ChildTasks.Job {
        tasks.start { _ in
            let response = await router.response(request)
            gate.execute { respond(response) }
        }
    }
}
