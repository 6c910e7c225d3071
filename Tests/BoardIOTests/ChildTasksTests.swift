import BoardIO
import Synchronization
import Testing
import Waiting

@Suite("Work that a thread or an event loop starts", .endsHangs)
struct ChildTasksTests {
    /// What happened, in order.
    private final class Journal: Sendable {
        private let all = Mutex<[String]>([])
        var lines: [String] { all.withLock { $0 } }
        func add(_ line: String) { all.withLock { $0.append(line) } }
    }

    private let tasks = ChildTasks()
    private let journal = Journal()

    /// Waits until it is cancelled.
    private func sleeper(_ name: String) -> @Sendable (ChildTasks.Job) async -> Void {
        { [journal] _ in
            journal.add("\(name) begins")
            await untilCancelled()
            journal.add("\(name) ends, \(Task.isCancelled ? "cancelled" : "late")")
        }
    }

    @Test("runs before and after the start of its owner, and its owner waits for it")
    func owned() async {
        tasks.start { [journal] _ in journal.add("early") }
        let running = Task { await tasks.run() }
        #expect(await eventually { journal.lines == ["early"] })
        let (gate, opener) = AsyncStream<Never>.makeStream()
        tasks.start { [journal] _ in
            for await _ in gate {}
            journal.add("slow")
        }
        tasks.finish()
        opener.finish()
        await running.value
        #expect(journal.lines == ["early", "slow"])
    }

    @Test("is cancelled one by one, also before it begins")
    func one() async {
        tasks.start(sleeper("first")).cancel()
        let running = Task { await tasks.run() }
        let second = tasks.start(sleeper("second"))
        tasks.start(sleeper("third"))
        #expect(await eventually { journal.lines.count == 4 })
        second.cancel()
        #expect(await eventually { journal.lines.count == 5 })
        #expect(journal.lines.last == "second ends, cancelled")
        #expect(journal.lines.contains("first ends, cancelled"))
        running.cancel()
        await running.value
        #expect(journal.lines.last == "third ends, cancelled")
    }

    @Test("does not begin after the end of its owner")
    func late() async {
        tasks.finish()
        await tasks.run()
        tasks.start(sleeper("late"))
        #expect(journal.lines.isEmpty)
    }
}
