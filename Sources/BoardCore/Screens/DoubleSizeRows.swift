/// A departure on a display that draws texts of twice the size: two rows of small cells. LEAD and COUNT are large where
/// they are short. Between them stands the name, and below it what else there is, in turns.
struct DoubleSizeRow {
    struct Field {
        let text: String
        let isDoubled: Bool

        var width: Int { isDoubled ? 2 * text.count : text.count }
    }

    let lead: Field
    /// Below a booked time: "+3".
    let lateness: String
    let count: Field
    /// What stands small before a large count, by row of cells: its word, and "about".
    let signs: [String]
    /// The column of the texts between lead and count.
    let middle: Int
    let turns: [(upper: String, lower: String)]

    /// The longest large text. Four characters take the room of a name: only a count has them, where the name fits.
    private static let longest = 3

    init(_ line: DepartureLine, columns: Int, names: StreetNames) {
        lead = Field(text: line.lead ?? "", isDoubled: (line.lead ?? "").count <= Self.longest)
        lateness = line.late
        let start = lead.text.isEmpty ? 0 : max(lead.width, lateness.count) + 1
        middle = start

        // The shortest form: "go ~4m".
        let whole = line.count.last ?? ""
        var words = whole.split(separator: " ").suffix(2).map(String.init)
        let isAbout = words.last?.hasPrefix(Drawing.aboutSign) == true
        let text = words.popLast().map { isAbout ? String($0.dropFirst()) : $0 } ?? ""
        let before = words + (isAbout ? [Drawing.aboutSign] : [])
        // One sign stands where it leaves room for the name.
        let places = before.count == 2 ? [before] : before.isEmpty ? [["", ""]] : [before + [""], [""] + before]
        func widths(_ count: Field, _ signs: [String]) -> (first: Int, second: Int) {
            let free = columns - start - (count.text.isEmpty ? 0 : count.width + 1)
            return count.isDoubled ? (free - signs[0].count, free - signs[1].count) : (free, columns - start)
        }
        let (large, small) = (Field(text: text, isDoubled: true), Field(text: whole, isDoubled: false))
        func fits(_ signs: [String]) -> Bool { names.lines(line.name, widths: widths(large, signs)) != nil }
        let isLarge = text.count <= Self.longest || text.count == Self.longest + 1 && fits(places[0])
        count = isLarge ? large : small
        signs = isLarge ? places.first(where: fits) ?? places[0] : ["", ""]
        turns = Self.turns(of: line, widths: widths(count, signs), names: names)
    }

    /// Facts stand below a name in one line; otherwise on both lines, so that none reads as the end of the name.
    private static func turns(
        of line: DepartureLine, widths: (first: Int, second: Int), names: StreetNames
    ) -> [(upper: String, lower: String)] {
        let facts = (line.late.isEmpty ? line.lateFact : []) + line.facts
        let name =
            names.lines(line.name, widths: widths) ?? names.parts(line.name, width: min(widths.first, widths.second))
        func turn(_ lines: [String]) -> (upper: String, lower: String) { (lines[0], lines.count > 1 ? lines[1] : "") }
        let whole = facts.compactMap(\.first).joined(separator: ", ")
        if name.count == 1, whole.count <= widths.second { return [(name[0], whole)] }
        let others = facts.flatMap { forms -> [(upper: String, lower: String)] in
            if name.count == 1, let form = forms.first(where: { $0.count <= widths.second }) {
                return [(name[0], form)]
            }
            if let form = forms.first(where: { $0.count <= widths.first }) { return [(form, "")] }
            if let lines = forms.lazy.compactMap({ names.lines($0, widths: widths) }).first { return [turn(lines)] }
            return RowLayout.parts(ofFact: forms, width: min(widths.first, widths.second), names: names) { _ in false }
                .map { ($0, "") }
        }
        // The name comes first.
        let own = name.count > 1 ? name.dropFirst().map { (name[0], $0) } : [(name[0], "")]
        return (others.first?.upper == name[0] ? [] : own) + others
    }
}

extension Drawing {
    mutating func drawDoubleSize(_ lines: [DepartureLine], of page: RowsPage) {
        let rows = lines.map { DoubleSizeRow($0, columns: size.columns, names: board.streetNames) }
        let (beat, cycle) = beat(of: page, texts: rows.map(\.turns.count).max() ?? 0)
        for (index, row) in rows.enumerated() {
            let top = board.rowHeight * (index + (hasHeader ? 1 : 0))
            let countColumn = size.columns - row.count.width
            put(row.lead, row: top, column: 0)
            frame.put(row.lateness, row: top + 1)
            put(row.count, row: top, column: countColumn, isAtEnd: true)
            for (index, sign) in row.signs.enumerated() {
                frame.put(sign, row: top + index, column: countColumn - sign.count)
            }
            let turn = row.turns[RowLayout.turn(of: row.turns.count, beat: beat, cycle: cycle)]
            frame.put(turn.upper, row: top, column: row.middle)
            frame.put(turn.lower, row: top + 1, column: row.middle)
        }
    }

    private mutating func put(_ field: DoubleSizeRow.Field, row: Int, column: Int, isAtEnd: Bool = false) {
        guard !field.text.isEmpty else { return }
        if field.isDoubled {
            frame.put(doubled: field.text, row: row, column: column, isAtEnd: isAtEnd)
        } else {
            frame.put(field.text, row: row, column: column)
        }
    }
}
