internal import BoardCore
internal import Synchronization

/// What other threads tell one thread, in order; the thread sleeps in ``take(until:clock:)`` and nowhere else.
///
/// A thread of its own that waits with a time limit wakes once per event. The same loop on Swift's cooperative pool
/// wakes three threads for each (docs/decisions), and a blocked pool could hold the glass up.
final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        /// Takes what is posted when nobody reads any more; nil: somebody does, or will.
        var reject: (@Sendable (Message) -> Void)?
    }

    /// How the reader sleeps: until the bell rings, or for this long at most; nil: until it rings.
    typealias Sleep = @Sendable (ConditionFlag, Duration?) -> Void

    private let state = Mutex(State())
    private let flag = ConditionFlag()
    private let sleep: Sleep

    /// - Parameter sleep: another way to sleep, for tests in virtual time.
    init(sleep: @escaping Sleep = { $0.wait(atMost: $1) }) {
        self.sleep = sleep
    }

    /// Tells the thread something, from any thread.
    func post(_ message: Message) {
        let (wasEmpty, reject) = state.withLock { state in
            guard state.reject == nil else { return (false, state.reject) }
            state.messages.append(message)
            return (state.messages.count == 1, nil)
        }
        reject?(message)
        // One ring a batch: the reader takes everything at once. Whoever finds letters there knows that the first one's
        // ring is still to come, or not heard yet.
        if wasEmpty { flag.set() }
    }

    /// Everything that was posted, waiting for it until `deadline`.
    ///
    /// - Returns: the letters; none when the deadline came first, and sometimes sooner: a ring that came with the last
    ///   deadline ends the next wait.
    func take(until deadline: Instant?, clock: some MachineClock) -> [Message] {
        sleep(flag, deadline.map { $0 - clock.now() })
        return state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Ends the reading for good: what is left, and whatever is posted from now on, is refused.
    ///
    /// - Parameter reject: is called on the thread of whoever posts.
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
        while clock.now() < deadline { sleep(flag, deadline - clock.now()) }
    }
}
