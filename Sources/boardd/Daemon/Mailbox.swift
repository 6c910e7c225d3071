internal import BoardCore
internal import BoardIO
internal import Synchronization

/// Messages from other threads to one thread, in order; the thread sleeps in ``take(until:clock:)`` and nowhere else.
///
/// A thread of its own that waits with a time limit wakes once per event. The same loop on Swift's cooperative pool
/// wakes three threads for each (docs/decisions), and a blocked pool could delay the display.
final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        /// Receives what is posted after ``close(_:)``; nil: the mailbox is open.
        var reject: (@Sendable (Message) -> Void)?
    }

    /// How the reader sleeps: until the event, or for at most this long; nil: without a limit.
    typealias Sleep = @Sendable (WakeEvent, Duration?) -> Void

    private let state = Mutex(State())
    private let event: WakeEvent
    private let sleep: Sleep

    /// - Parameter sleep: another way to sleep, for tests in virtual time.
    /// - Throws: ``ThreadFailure`` when the process may open no more files.
    init(sleep: @escaping Sleep = { $0.wait(atMost: $1) }) throws(ThreadFailure) {
        event = try WakeEvent()
        self.sleep = sleep
    }

    /// Posts a message, from any thread.
    func post(_ message: Message) {
        let (wasEmpty, reject) = state.withLock { state in
            guard state.reject == nil else { return (false, state.reject) }
            state.messages.append(message)
            return (state.messages.count == 1, nil)
        }
        reject?(message)
        // One signal per batch: the reader takes all messages at once. If others are waiting, the first of them has
        // signalled or will.
        if wasEmpty { event.signal() }
    }

    /// Everything that was posted, waiting for it until `deadline`.
    ///
    /// - Returns: the messages; none after the deadline, and sometimes earlier: a signal at the last deadline ends the
    ///   next wait.
    func take(until deadline: Instant?, clock: some MachineClock) -> [Message] {
        sleep(event, deadline.map { $0 - clock.now() })
        return state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Closes the mailbox for good: rejects what is left and all later messages.
    ///
    /// - Parameter reject: is called on the thread that posts.
    func close(_ reject: @escaping @Sendable (Message) -> Void) {
        let left = state.withLock { state in
            state.reject = reject
            defer { state.messages = [] }
            return state.messages
        }
        for message in left { reject(message) }
    }

    /// Sleeps until `deadline`, whatever is posted.
    func sleep(until deadline: Instant, clock: some MachineClock) {
        while clock.now() < deadline { sleep(event, deadline - clock.now()) }
    }
}
