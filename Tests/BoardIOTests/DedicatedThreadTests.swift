import Glibc
import Testing
import Waiting

@testable import BoardIO

@Suite("Threads for blocking calls", .endsHangs)
struct DedicatedThreadTests {
    @Test("the body runs on its own thread, and its result is returned")
    func value() async throws {
        let thread = pthread_self()
        #expect(try await DedicatedThread.run("one") { pthread_equal(thread, pthread_self()) } == 0)
        #expect(try await DedicatedThread.run("value") { [1, 2] } == [1, 2])
    }

    @Test("many threads block, and the cooperative pool continues")
    func blocking() async throws {
        let gate = try WakeEvent()
        try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    try await DedicatedThread.run("blocked") {
                        var entry = pollfd(fd: gate.descriptor, events: Int16(POLLIN), revents: 0)
                        return unsafe poll(&entry, 1, 3_600_000)
                    }
                }
            }
            // If one of them used the pool, this task might never run.
            group.addTask {
                gate.signal()
                return 1
            }
            for try await ready in group { #expect(ready == 1) }
        }
    }

    @Test("the kernel shows the thread's name")
    func names() async throws {
        #expect(try await DedicatedThread.run("display", threadName) == "display")
    }

    @Test("the program's signals are blocked, those of the thread's own errors are not; the creator's mask stays")
    func signals() async throws {
        let blocked = try await DedicatedThread.run("signals", blockedSignals)
        #expect([SIGTERM, SIGHUP, SIGINT, SIGPIPE, SIGUSR1].allSatisfy(blocked.contains))
        #expect([SIGSEGV, SIGABRT, SIGILL].allSatisfy { !blocked.contains($0) })
        let before = blockedSignals()
        try DedicatedThread.start("nothing") {}
        #expect(blockedSignals() == before)
    }

    @Test("a signalled event wakes every waiter repeatedly, and its end closes the descriptor")
    func wake() throws {
        var descriptor: Int32 = -1
        do {
            let event = try WakeEvent()
            descriptor = event.descriptor
            #expect(isReadable(descriptor) == false)
            for _ in 0..<100_000 { event.signal() }
            #expect(isReadable(descriptor))
            #expect(isReadable(descriptor))
            #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
        }
        #expect(descriptor >= 0)
    }

    @Test("a failure reports what is missing, why, and what to check")
    func messages() {
        let thread = ThreadError(.noThread, code: EAGAIN).description
        #expect(thread.contains("cannot start a thread") && thread.contains("TasksMax"))
        #expect(ThreadError(.noWakeEvent, code: EMFILE).description.contains("LimitNOFILE"))
    }
}

private func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) == 1
}

/// The calling thread's name in the kernel.
@Sendable private func threadName() -> String {
    status("Name:")
}

/// The signals that the calling thread blocks.
@Sendable private func blockedSignals() -> Set<Int32> {
    let bits = UInt64(status("SigBlk:"), radix: 16) ?? 0
    return Set((1...31).filter { bits >> (UInt64($0) - 1) & 1 == 1 })
}

/// A line of the calling thread's /proc/thread-self/status.
private func status(_ key: String) -> String {
    let descriptor = unsafe open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    let lines = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix(key) }
    return line.map { String($0.dropFirst(key.count)).filter { !$0.isWhitespace } } ?? ""
}
