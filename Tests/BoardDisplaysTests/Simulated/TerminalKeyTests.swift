import BoardCore
import Testing

@testable import BoardDisplays

@Suite("Keys as buttons")
struct TerminalKeyTests {
    private func keys(_ text: String) -> [TerminalKey] {
        var parser = TerminalKeyParser()
        return text.utf8.compactMap { parser.key($0) }
    }

    @Test("each key has its meaning, and other keys have none")
    func meanings() {
        #expect(
            keys(" n\r\nhod2q\u{3}") == [
                .press, .press, .press, .press, .hold, .longHold, .double, .second, .quit, .quit,
            ])
        #expect(keys("NHOD13xyz\té").isEmpty)
    }

    @Test("cursor and function keys press nothing, although their sequences contain digits and letters")
    func sequences() {
        #expect(keys("\u{1B}[A\u{1B}[2~\u{1B}OP\u{1B}[1;2D\u{1B}d\u{1B}\u{1B}[2~n") == [.press])
    }

    @Test("the Escape key alone does not swallow the next key")
    func escapeAlone() {
        var parser = TerminalKeyParser()
        #expect(parser.key(0x1B) == nil)
        parser.pause()
        #expect(parser.key(UInt8(ascii: "h")) == .hold)
    }

    @Test("presses last as long as their gestures need")
    func durations() {
        func changes(_ key: TerminalKey) -> [String] {
            var queue = PressQueue()
            queue.add(key, at: Instant(microseconds: 1_000_000))
            return queue.pending.map { "\($0.button.index)\($0.isDown ? "v" : "^")\($0.at.microseconds / 1000 - 1000)" }
        }
        #expect(changes(.press) == ["0v0", "0^80"])
        #expect(changes(.hold) == ["0v0", "0^800"])
        #expect(changes(.longHold) == ["0v0", "0^1800"])
        #expect(changes(.double) == ["0v0", "0^80", "0v160", "0^240"])
        #expect(changes(.second) == ["1v0", "1^80"])
        #expect(changes(.quit).isEmpty)
    }

    @Test("a press begins after the previous one, and a key held down does not queue up presses")
    func queue() {
        var queue = PressQueue()
        let start = Instant(microseconds: 0)
        for _ in 1...20 { queue.add(.press, at: start) }
        #expect(queue.pending.map(\.at.microseconds) == [0, 80_000, 160_000, 240_000])
        #expect(queue.take(due: start).map(\.isDown) == [true])
        #expect(queue.take(due: start).isEmpty)
        #expect(queue.take(due: start + .milliseconds(160)).map(\.isDown) == [false, true])
        #expect(queue.pending.count == 1)
    }
}
