import Testing

@testable import BoardCore

@Suite("Texts of twice the size")
struct DoubleSizeTests {
    @Test(
        "cover no other text on any page in any language, and a blank, the sign of about or the word of a count is beside them",
        arguments: GallerySample.all, [64, 32])
    func apart(sample: GallerySample, dotRows: Int) {
        var count = 0
        for state in GalleryState.all(in: sample, onOLEDOf: dotRows) {
            for beat in 0..<6 {
                let frame = state.board.render(at: state.now + .seconds(3 * beat)).frame
                var covered: Set<[Int]> = []
                for text in frame.doubled {
                    count += 1
                    let area = text.rows.flatMap { row in text.columns.map { [row, $0] } }
                    #expect(covered.isDisjoint(with: area), "\(state.name)")
                    covered.formUnion(area)
                    #expect(area.allSatisfy { $0[0] < dotRows / 8 && $0[1] < 20 }, "\(state.name)")
                    let rows = text.rows.map { Array(frame.rows[$0]) }
                    #expect(
                        String(rows[0][text.columns]).split(separator: " ") == [Substring(text.text)], "\(state.name)")
                    #expect(rows[1][text.columns].allSatisfy { $0 == " " }, "\(state.name)")
                    for cells in rows {
                        if text.column == 0 {
                            #expect(cells[text.columns.upperBound] == " ", "\(state.name)")
                        } else {
                            #expect(text.columns.upperBound == 20, "\(state.name)")
                            let before = String(
                                String(cells[..<text.column]).reversed().prefix { $0 != " " }.reversed())
                            let isWord = state.board.words[.goIn].last?.hasPrefix(before + " ") == true
                            #expect(["", "~"].contains(before) || isWord, "\(state.name)")
                        }
                    }
                }
            }
        }
        #expect(count > 500)
    }
}
