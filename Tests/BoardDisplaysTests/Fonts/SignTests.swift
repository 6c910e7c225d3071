import Testing

@testable import BoardDisplays

@Suite("The five signs of a row")
struct SignTests {
    @Test("on 14 segments and on narrow matrices: an arrow, about, a point, a cross and an exclamation mark")
    func leds() {
        let signs = Array("⇨~…✗⚠")
        #expect(signs.map { SegmentFont.character(of: SegmentFont.segments(of: $0)) } == Array("→~.X!"))
        #expect(signs.map { NarrowFont.character(of: NarrowFont.glyph(of: $0)) } == Array("→~.X!"))
        // The middle and the lowest bar.
        #expect(SegmentFont.segments(of: "~") == 0b1100_1000)
        let waves = NarrowFont.glyph(of: "~").rows.map { row in
            String((0..<3).map { row >> UInt8(2 - $0) & 1 == 1 ? "#" : "." })
        }
        #expect(waves == ["...", "##.", ".##", "...", "##.", ".##", "...", "..."])
    }

    @Test("have a circa for about on a display of LCDd, whose usual ROM draws an arrow for a tilde")
    func lcdd() {
        let text = LCDdCommand.quoted(Array("⇨~…✗⚠")).map { Character(Unicode.Scalar($0)) }
        #expect(String(text) == "\">c.×!\"")
    }
}
