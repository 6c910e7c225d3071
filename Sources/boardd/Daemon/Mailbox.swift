internal import BoardCore
internal import Synchronization

/// What other threads tell one thread, in order; the thread sleeps in ``take(until:clock:)`` and nowhere else.
///
/// A thread of its own that waits with a time limit wakes once per event. The same loop on Swift's cooperative pool
/// wakes three threads for each (docs/decisions), and a blocked pool could hold the glass up.
final class Mailbox<Letter: Sendable>: Sendable {
    private struct State {
        var letters: [Letter] = []
        /// Takes what is posted when nobody reads any more; nil: somebody does, or will.
        var refuse: (@Sendable (Letter) -> Void)?
    }

    /// How the reader sleeps: until the bell rings, or for this long at most; nil: until it rings.
    typealias Sleep = @Sendable (Bell, Duration?) -> Void

    private let state = Mutex(State())
    private let bell = Bell()
    private let sleep: Sleep

    /// - Parameter sleep: another way to sleep, for tests in virtual time.
    init(sleep: @escaping Sleep = { $0.wait(atMost: $1) }) {
        self.sleep = sleep
    }

    /// Tells the thread something, from any thread.
    func post(_ letter: Letter) {
        let (wasEmpty, refuse) = state.withLock { state in
            guard state.refuse == nil else { return (false, state.refuse) }
            state.letters.append(letter)
            return (state.letters.count == 1, nil)
        }
        refuse?(letter)
        // One ring a batch: the reader takes everything at once. Whoever finds letters there knows that the first one's
        // ring is still to come, or not heard yet.
        if wasEmpty { bell.ring() }
    }

    /// Everything that was posted, waiting for it until `deadline`.
    ///
    /// - Returns: the letters; none when the deadline came first, and sometimes sooner: a ring that came with the last
    ///   deadline ends the next wait.
    func take(until deadline: Instant?, clock: some MachineClock) -> [Letter] {
        sleep(bell, deadline.map { $0 - clock.now() })
        return state.withLock { state in
            defer { state.letters = [] }
            return state.letters
        }
    }

    /// Ends the reading for good: what is left, and whatever is posted from now on, is refused.
    ///
    /// - Parameter refuse: is called on the thread of whoever posts.
    func end(_ refuse: @escaping @Sendable (Letter) -> Void) {
        let left = state.withLock { state in
            state.refuse = refuse
            defer { state.letters = [] }
            return state.letters
        }
        for letter in left { refuse(letter) }
    }

    /// Sleeps until `deadline`, whatever is posted.
    func sleep(until deadline: Instant, clock: some MachineClock) {
        while clock.now() < deadline { sleep(bell, deadline - clock.now()) }
    }
}
