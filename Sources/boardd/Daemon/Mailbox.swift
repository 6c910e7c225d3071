internal import BoardCore
internal import Dispatch
internal import Synchronization

/// What other threads tell one thread, in order; the thread sleeps in ``take(until:clock:)`` and nowhere else.
///
/// A thread of its own that waits with a time limit wakes once per event. The same loop on Swift's cooperative pool
/// wakes three threads for each (docs/decisions), and a blocked pool could hold the glass up.
final class Mailbox<Letter: Sendable>: Sendable {
    private let letters = Mutex<[Letter]>([])
    private let signal = DispatchSemaphore(value: 0)

    /// Tells the thread something, from any thread.
    func post(_ letter: Letter) {
        let wasEmpty = letters.withLock { letters in
            letters.append(letter)
            return letters.count == 1
        }
        // One signal a batch: the reader takes everything at once.
        if wasEmpty { signal.signal() }
    }

    /// Everything that was posted, waiting for it until `deadline`; empty when the deadline came first.
    func take(until deadline: Instant?, clock: some MachineClock) -> [Letter] {
        let limit: DispatchTime
        if let deadline {
            // A hundred years are as good as for ever and cannot overflow.
            let wait = min(max(deadline - clock.now(), .zero), .seconds(3_155_760_000))
            limit = .now() + .microseconds(Int(wait.wholeMicroseconds))
        } else {
            limit = .distantFuture
        }
        _ = signal.wait(timeout: limit)
        return letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }
}
