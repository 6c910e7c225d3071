import Testing
import Waiting

@testable import boardd

@Suite("A buffered signal", .endsHangs)
struct BufferedSignalTests {
    @Test("waits for its reader")
    func early() async {
        let signal = BufferedSignal()
        signal.send()
        var signals = signal.signals().makeAsyncIterator()
        #expect(await signals.next() != nil)
        signal.send()
        #expect(await signals.next() != nil)
    }

    @Test("reaches a second reader after the first was cancelled")
    func again() async {
        let signal = BufferedSignal()
        let first = Task { for await _ in signal.signals() {} }
        first.cancel()
        await first.value
        signal.send()
        var signals = signal.signals().makeAsyncIterator()
        #expect(await signals.next() != nil)
    }

    @Test("that is sent several times counts once, and a new reader ends the stream of the one before")
    func merged() async {
        let signal = BufferedSignal()
        for _ in 0..<3 { signal.send() }
        let first = signal.signals()
        for _ in 0..<3 { signal.send() }
        _ = signal.signals()
        #expect(await first.reduce(0) { count, _ in count + 1 } == 1)
    }
}
