internal import NIOCore
internal import Synchronization

/// The way onto the event loop from other threads, closed before the loop ends: what comes later has nobody to go to, and
/// a loop that is over complains of every task that it is given.
final class EventLoopGate: Sendable {
    private let eventLoop: Mutex<(any EventLoop)?>

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = Mutex(eventLoop)
    }

    /// Does something on the event loop; nothing once the door is closed.
    func execute(_ body: @escaping @Sendable () -> Void) {
        // Within the lock, so that whatever came in is with the loop before it is asked to end.
        eventLoop.withLock { $0?.execute(body) }
    }

    /// Lets nothing in any more.
    func close() {
        eventLoop.withLock { $0 = nil }
    }
}
