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
    /// The person and "about" before the count: one above the other, or one where the name leaves room.
    let signs: [Character]
    let signRow: Int
    /// The column of the texts between lead and count.
    let middle: Int
    let turns: [(upper: String, lower: String)]

    /// The longest large text. Four characters take the room of a name: only a count has them, where the name fits.
    private static let longest = 3

    init(_ line: DepartureLine, columns: Int, names: StreetNames) {
        let (text, signs) = Self.count(line.count)
        self.signs = signs
        lead = Field(text: line.lead ?? "", isDoubled: (line.lead ?? "").count <= Self.longest)
        lateness = line.late >= 2 ? "+\(line.late)" : ""
        let start = lead.text.isEmpty ? 0 : max(lead.width, lateness.count) + 1
        middle = start

        func widths(_ count: Field, signRow: Int) -> (first: Int, second: Int) {
            let free = columns - start - (count.text.isEmpty ? 0 : count.width + 1)
            let besideSign = free - (signs.isEmpty ? 0 : 1)
            if !count.isDoubled { return (besideSign, columns - start) }
            return signs.count == 2 ? (besideSign, besideSign) : signRow == 0 ? (besideSign, free) : (free, besideSign)
        }
        let (large, small) = (Field(text: text, isDoubled: true), Field(text: text, isDoubled: false))
        func fits(_ count: Field, signRow: Int) -> Bool {
            names.lines(line.name, widths: widths(count, signRow: signRow)) != nil
        }
        let isLarge = text.count <= Self.longest || text.count == Self.longest + 1 && fits(large, signRow: 0)
        count = isLarge ? large : small
        signRow = isLarge && signs.count == 1 && !fits(large, signRow: 0) && fits(large, signRow: 1) ? 1 : 0
        turns = Self.turns(of: line, widths: widths(count, signRow: signRow), names: names)
    }

    /// The shortest form of a count without its signs. The person stands for the word before it.
    private static func count(_ forms: [String]) -> (text: String, signs: [Character]) {
        var text = forms.last ?? ""
        var signs: [Character] = []
        if forms.count > 1, forms[1].first == Drawing.personSign {
            signs = [Drawing.personSign]
            text = text.split(separator: " ").last.map(String.init) ?? text
        }
        if text.hasPrefix(Drawing.aboutSign) { signs.append(text.removeFirst()) }
        return (text, signs)
    }

    private static func turns(
        of line: DepartureLine, widths: (first: Int, second: Int), names: StreetNames
    ) -> [(upper: String, lower: String)] {
        let facts = (line.late >= 2 || line.lateFact.isEmpty ? [] : [line.lateFact]) + line.facts
        let whole = facts.compactMap(\.first).joined(separator: ", ")
        let others =
            whole.count <= widths.second
            ? [whole].filter { !$0.isEmpty }
            : facts.flatMap {
                RowLayout.parts(ofFact: $0, width: widths.second, names: names) { $0.count <= widths.second }
            }
        let parts =
            names.lines(line.name, widths: widths) ?? names.parts(line.name, width: min(widths.first, widths.second))
        let continues = parts.count > 1 && !parts[0].hasSuffix(Text.continues) && parts[0].count < widths.first
        let turns =
            parts.dropFirst().map { (parts[0], $0) }
            + others.map { (continues ? parts[0] + Text.continues : parts[0], $0) }
        return turns.isEmpty ? [(parts[0], "")] : turns
    }
}

extension Drawing {
    static let personSign: Character = "⇨"

    mutating func drawDoubleSize(_ lines: [DepartureLine], of page: RowsPage) {
        let rows = lines.map { DoubleSizeRow($0, columns: size.columns, names: board.streetNames) }
        let (beat, cycle) = beat(of: page, isTurning: rows.contains { $0.turns.count > 1 })
        for (index, row) in rows.enumerated() {
            let top = board.rowHeight * (index + (hasHeader ? 1 : 0))
            let countColumn = size.columns - row.count.width
            put(row.lead, row: top, column: 0)
            put(row.lateness, row: top + 1)
            put(row.count, row: top, column: countColumn, isAtEnd: true)
            for (index, sign) in row.signs.enumerated() {
                put(String(sign), row: top + row.signRow + index, column: countColumn - 1)
            }
            let turn = row.turns[RowLayout.turn(of: row.turns.count, beat: beat, cycle: cycle)]
            put(turn.upper, row: top, column: row.middle)
            put(turn.lower, row: top + 1, column: row.middle)
        }
    }

    private mutating func put(_ field: DoubleSizeRow.Field, row: Int, column: Int, isAtEnd: Bool = false) {
        guard !field.text.isEmpty else { return }
        if field.isDoubled {
            put(doubled: field.text, row: row, column: column, isAtEnd: isAtEnd)
        } else {
            put(field.text, row: row, column: column)
        }
    }
}
