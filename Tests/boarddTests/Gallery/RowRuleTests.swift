import BoardDisplays
import Testing

@testable import BoardCore

/// What a person must be able to rely on in every row, on every size and in every language.
@Suite("The rows of the gallery")
struct RowRuleTests {
    private static let sizes = [(16, 2), (20, 2), (40, 2), (16, 4), (20, 4), (40, 4)].map {
        DisplaySize(columns: $0.0, rows: $0.1)
    }

    private static func states(_ language: Language) throws -> [GalleryState] {
        let sample = try #require(GallerySample.all.first { $0.language == language })
        return sizes.flatMap { GalleryState.all(in: sample, on: $0) }
    }

    /// The frames of a state in the next beats.
    private static func frames(_ state: GalleryState) -> [[String]] {
        (0..<12).map { state.board.render(at: state.now + .seconds(3 * $0)).frame.lines }
    }

    /// The rows of the page in view with what they are made of; none where a page of text is in view.
    private static func layout(_ state: GalleryState) -> [(line: DepartureLine, row: RowLayout.Row)] {
        guard state.board.favouriteInView?.detailPage == nil, state.board.view.page != .address else { return [] }
        var drawing = Drawing(of: state.board, at: state.now)
        let favourite = state.board.favouriteInView
        let rows = state.board.rows(of: favourite, at: state.now)
        let lines = drawing.lines(of: Array(rows.prefix(state.board.rowsPerScreen)), isOverview: favourite == nil)
        let layout = RowLayout(lines, columns: state.board.setup.size.columns, names: state.board.streetNames)
        return Array(zip(lines, layout.rows))
    }

    @Test("have no word that is cut without a sign that it continues, and lose no word", arguments: Language.allCases)
    func words(language: Language) throws {
        var count = 0
        for state in try Self.states(language) {
            let names = state.board.streetNames
            for (line, row) in Self.layout(state) {
                let sources = [line.name] + (line.facts + line.lateFact).flatMap(\.self)
                let whole = Set((sources + sources.map(names.abbreviated)).flatMap(Self.words))
                for text in row.texts {
                    count += 1
                    for (index, word) in Self.words(text).enumerated() where !whole.contains(word) {
                        let isFirst = index == 0 && text.hasPrefix("…")
                        let isLast = index == Self.words(text).count - 1 && text.hasSuffix("…")
                        #expect(isFirst || isLast, "\(state.name): \(text) of \(line.name)")
                    }
                }
                let seen = Set(row.texts.flatMap(Self.words))
                for word in Self.words(line.name) {
                    let isThere = seen.contains {
                        word.hasPrefix($0) || word.hasSuffix($0) || $0 == names.abbreviated(word)
                    }
                    #expect(isThere, "\(state.name): \(word) of \(line.name) in \(row.texts)")
                }
            }
        }
        #expect(count > 500)
    }

    private static func words(_ text: String) -> [String] {
        text.replacing("…", with: "").split(separator: " ").map {
            String(String($0).trimmingSuffix { $0 == "," || $0 == ":" })
        }
    }

    @Test("end in no period, but for the texts of operators and people", arguments: Language.allCases)
    func periods(language: Language) throws {
        for state in try Self.states(language)
        where state.board.message == nil && state.board.favourites.allSatisfy(\.data.alerts.isEmpty) {
            for frame in Self.frames(state) {
                for row in frame {
                    #expect(!row.trimmed.hasSuffix("."), "\(state.name): \(row)")
                }
            }
        }
    }

    @Test(
        "have no number beside the count without a word, a unit or two blanks between them",
        arguments: Language.allCases)
    func numbers(language: Language) throws {
        let adjacent = /[0-9] ~?[0-9]+( min| Min|m|')?$/
        for state in try Self.states(language) {
            for (line, row) in Self.layout(state) where !line.count.isEmpty {
                for beat in 0..<3 {
                    for cycle in 0..<3 {
                        let cells = row.cells(beat: beat, cycle: cycle)
                        #expect(cells.count == state.board.setup.size.columns, "\(state.name): \(cells)")
                        #expect(cells.firstMatch(of: adjacent) == nil, "\(state.name): \(cells)")
                    }
                }
            }
        }
    }

    @Test("show all of a row's texts within two cycles of a name in two parts, and its beginning in each first beat")
    func turns() {
        let line = DepartureLine(
            lead: "73", name: "Oxford Circus", facts: [["at 12:08"], ["plat 4"]], count: ["4 min", "4m", "4m"])
        let row = RowLayout([line], columns: 16, names: Language.english.streetNames).rows[0]
        let cells = (0..<6).map { row.text(beat: $0 % 3, cycle: $0 / 3) }
        #expect(cells == ["Oxford…", "…Circus", "at 12:08", "Oxford…", "plat 4", "…Circus"])
    }
}

extension String {
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }

    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> Substring {
        var text = self[...]
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
