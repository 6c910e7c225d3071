import BoardCore
import BoardDisplays
import Testing

@Suite("The picture of a character LCD")
struct LCDDrawingTests {
    private func drawing(_ frame: Frame, rom: CharacterROM = .a00, title: String = "") -> LCDDrawing {
        let size = DisplaySize(columns: frame.columns, rows: frame.rows.count)
        return LCDDrawing(frame, on: Panel(size: size, rom: rom), colour: .green, title: title)
    }

    /// The pictures of the cells of a 16x2, read back from the runs of dots that are on; nil after a dot outside the cells.
    private func cells(_ drawing: LCDDrawing) -> [[Glyph]]? {
        var rows = [[[UInt8]]](repeating: [[UInt8]](repeating: [UInt8](repeating: 0, count: 8), count: 16), count: 2)
        let path = drawing.svg.split(separator: " d=\"").last?.prefix { $0 != "\"" } ?? ""
        for run in path.split(separator: "M") {
            let numbers = run.split { " h".contains($0) }.compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            let (row, dotRow) = numbers[1].quotientAndRemainder(dividingBy: 9)
            for x in numbers[0]..<numbers[0] + numbers[2] {
                let (column, dot) = x.quotientAndRemainder(dividingBy: 6)
                guard rows.indices.contains(row), dotRow < 8, column < 16, dot < 5 else { return nil }
                rows[row][column][dotRow] |= 0x10 >> UInt8(dot)
            }
        }
        return rows.map { $0.map { Glyph(rows: $0) } }
    }

    private func glyphs(_ rows: String...) -> [[Glyph]] {
        Frame(columns: 16, rows: rows).rows.map { $0.map { PixelFont.glyph(of: $0) } }
    }

    @Test("has the dots of every character in its cell, with custom glyphs for those that the ROM lacks")
    func characters() {
        let rows = ["73  Café Z. ⇨6m", "→ 25ÿ       ✓ ×"]
        let frame = Frame(columns: 16, rows: rows)
        #expect(cells(drawing(frame)) == glyphs(rows[0], rows[1]))
        #expect(cells(drawing(frame, rom: .a02)) == glyphs(rows[0], rows[1]))
        #expect(cells(drawing(Frame(columns: 16, rows: ["", ""]))) == glyphs("", ""))
    }

    @Test("has eight custom glyphs, and the ROM's look-alikes for the others")
    func glyphSlots() {
        let frame = Frame(columns: 16, rows: ["⇨~…✗⚠✓♪é", "é"])
        #expect(cells(drawing(frame)) == glyphs("⇨~…✗⚠✓♪é", "é"))
        let full = Frame(columns: 16, rows: ["⇨~…✗⚠✓♪♥é", "é"])
        #expect(cells(drawing(full)) == glyphs("⇨~…✗⚠✓♪♥e", "e"))
        // This ROM has some of them itself.
        #expect(cells(drawing(full, rom: .a02)) == glyphs("⇨~…✗⚠✓♪♥é", "é"))
    }

    @Test("is dim without backlight, with the same dots")
    func light() {
        let rows = ["73  Oxford C due", "390 Archway   4m"]
        let (on, off) = (drawing(Frame(columns: 16, rows: rows)), drawing(Frame(columns: 16, rows: rows, isLit: false)))
        #expect(cells(off) == cells(on))
        #expect(off.svg.contains("<g opacity="))
        #expect(!on.svg.contains("opacity"))
    }

    @Test("has the title and the rows as text, escaped")
    func text() {
        let text = drawing(Frame(columns: 16, rows: ["A&B <1>", "Züri\u{FFFF}\u{1B}"]), title: "R&D > 16x2").svg
        #expect(text.contains("<title>R&amp;D &gt; 16x2</title>"))
        #expect(text.contains("<desc>A&amp;B &lt;1&gt;         \nZüri            </desc>"))
    }

    @Test("has the colours of the panel", arguments: LCDDrawing.Colour.allCases)
    func colours(colour: LCDDrawing.Colour) {
        let frame = Frame(columns: 16, rows: ["a", "b"])
        let panel = Panel(size: DisplaySize(columns: 16, rows: 2))
        let texts = LCDDrawing.Colour.allCases.map { LCDDrawing(frame, on: panel, colour: $0, title: "").svg }
        let text = LCDDrawing(frame, on: panel, colour: colour, title: "").svg
        #expect(texts.filter { $0 == text }.count == 1)
    }
}
