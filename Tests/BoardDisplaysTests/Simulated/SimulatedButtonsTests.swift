import BoardCore
import BoardDisplays
import Glibc
import Testing
import Waiting

@Suite("Buttons on a terminal", .endsHangs)
struct SimulatedButtonsTests {
    /// Types keys once the program has set raw mode: before that they would wait for Enter, and Ctrl-C would be a signal.
    private func type(_ text: String, on terminal: PseudoTerminal) async {
        #expect(await eventually { terminal.takesKeys })
        terminal.type(text)
    }

    @Test("keys become presses and releases of their buttons, with a finger's timing")
    func presses() async throws {
        let terminal = try PseudoTerminal()
        let (changes, continuation) = AsyncStream<ButtonChange>.makeStream()
        let buttons = SimulatedButtons(descriptor: terminal.slave) {}
        let task = Task { try await buttons.watch { continuation.yield($0) } }
        await type("h2", on: terminal)
        var seen: [ButtonChange] = []
        for await change in changes {
            seen.append(change)
            if seen.count == 4 { break }
        }
        task.cancel()
        try await task.value
        #expect(seen.map(\.button.index) == [0, 0, 1, 1])
        #expect(seen.map(\.isDown) == [true, false, true, false])
        #expect(seen[1].at - seen[0].at == .milliseconds(800))
        #expect(seen[3].at - seen[2].at == .milliseconds(80))
    }

    @Test("q and Ctrl-C call onQuit, and watching continues until it is cancelled")
    func quit() async throws {
        let terminal = try PseudoTerminal()
        let (quits, continuation) = AsyncStream<Void>.makeStream()
        let buttons = SimulatedButtons(descriptor: terminal.slave) { continuation.yield() }
        let task = Task { try await buttons.watch { _ in } }
        await type("q", on: terminal)
        var iterator = quits.makeAsyncIterator()
        await iterator.next()
        await type("\u{3}", on: terminal)
        await iterator.next()
        task.cancel()
        try await task.value
    }

    @Test("the terminal's settings are restored when watching is cancelled, also during a hold")
    func restored() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.mode
        let (changes, continuation) = AsyncStream<ButtonChange>.makeStream()
        let buttons = SimulatedButtons(descriptor: terminal.slave) {}
        let task = Task { try await buttons.watch { continuation.yield($0) } }
        await type("o", on: terminal)
        var iterator = changes.makeAsyncIterator()
        let change = await iterator.next()
        #expect(change?.isDown == true)
        #expect(terminal.mode & tcflag_t(ICANON | ECHO | ISIG) == 0)
        task.cancel()
        try await task.value
        #expect(terminal.mode == before)
    }

    @Test("a task that is cancelled before it watches ends at once")
    func cancelledBefore() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.mode
        let buttons = SimulatedButtons(descriptor: terminal.slave) {}
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await buttons.watch { _ in }
        }
        try await task.value
        #expect(terminal.mode == before)
    }

    @Test("a descriptor that is not a terminal is a fault, and a closed terminal ends the watch with one")
    func faults() async throws {
        let capture = try Capture()
        await #expect(throws: DeviceError("descriptor \(capture.reader) is not a terminal: no keys")) {
            try await SimulatedButtons(descriptor: capture.reader) {}.watch { _ in }
        }
        let terminal = try PseudoTerminal()
        let (changes, continuation) = AsyncStream<ButtonChange>.makeStream()
        let buttons = SimulatedButtons(descriptor: terminal.slave) {}
        let task = Task { try await buttons.watch { continuation.yield($0) } }
        await type(" ", on: terminal)
        var iterator = changes.makeAsyncIterator()
        _ = await iterator.next()
        terminal.hangUp()
        await #expect(throws: DeviceError("the terminal was closed: no more keys")) { try await task.value }
    }
}
