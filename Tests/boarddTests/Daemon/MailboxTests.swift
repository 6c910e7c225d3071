import BoardCore
import BoardIO
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("A mailbox", .endsHangs)
struct MailboxTests {
    private let clock = SystemClock()

    @Test("returns everything that was posted, in order, at once")
    func order() throws {
        let mailbox = try Mailbox<Int>()
        for number in 0..<100 { mailbox.post(number) }
        #expect(mailbox.take(until: nil, clock: clock) == Array(0..<100))
    }

    @Test("returns nothing when the deadline comes first, also one in the past")
    func deadline() throws {
        let mailbox = try Mailbox<Int>()
        #expect(mailbox.take(until: clock.now() + .milliseconds(20), clock: clock).isEmpty)
        #expect(mailbox.take(until: Instant(microseconds: .min), clock: clock).isEmpty)
    }

    @Test("does not wake before its deadline")
    func notEarly() throws {
        let mailbox = try Mailbox<Int>()
        for _ in 0..<20 {
            let deadline = clock.now() + .microseconds(1_500)
            _ = mailbox.take(until: deadline, clock: clock)
            #expect(clock.now() >= deadline)
        }
    }

    @Test("a deadline beyond all time is waited for without trapping, and a message ends the wait")
    func farDeadline() async throws {
        let mailbox = try Mailbox<Int>()
        async let messages = onThread { mailbox.take(until: Instant(microseconds: .max), clock: SystemClock()) }
        mailbox.post(1)
        #expect(try await messages == [1])
    }

    @Test("rejects unread messages and those posted after its end, each once")
    func end() throws {
        let mailbox = try Mailbox<Int>()
        let rejected = Mutex<[Int]>([])
        mailbox.post(1)
        mailbox.post(2)
        mailbox.close { message in rejected.withLock { $0.append(message) } }
        mailbox.post(3)
        #expect(rejected.withLock { $0 } == [1, 2, 3])
        #expect(mailbox.take(until: clock.now(), clock: clock).isEmpty)
    }

    @Test("loses no message and no wake-up, however posts and deadlines coincide")
    func storm() async throws {
        let writers = 4
        let each = 20_000
        let mailbox = try Mailbox<Int>()
        let reader = Task {
            try await onThread {
                var sum = 0
                var count = 0
                var last = Array(repeating: -1, count: writers)
                var isOrdered = true
                while count < writers * each {
                    // Every other wait is so long that only a lost wake-up reaches its end.
                    let wait = count % 2 == 0 ? Patience.endless : .microseconds(50)
                    let deadline = SystemClock().now() + wait
                    let messages = mailbox.take(until: deadline, clock: SystemClock())
                    if wait > .seconds(1), SystemClock().now() >= deadline { return (-1, false) }
                    for message in messages {
                        isOrdered = isOrdered && message / writers > last[message % writers]
                        last[message % writers] = message / writers
                    }
                    count += messages.count
                    sum += messages.reduce(0, +)
                }
                return (sum, isOrdered)
            }
        }
        try await withThrowingTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    try await onThread { for number in 0..<each { mailbox.post(number * writers + writer) } }
                }
            }
            try await group.waitForAll()
        }
        let (sum, isOrdered) = try await reader.value
        #expect(sum == (0..<writers * each).reduce(0, +))
        #expect(isOrdered)
    }
}

/// Runs blocking work on a thread of its own.
private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
    try await DedicatedThread.run("test", work)
}
