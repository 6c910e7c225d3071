/// The rows of a screen in cells: LEAD MIDDLE COUNT. Lead and count stand still; what does not fit between them takes
/// turns there.
struct RowLayout {
    struct Row {
        /// What stands still before the middle and after it, with the blanks that part them from it.
        private let start, end: String
        private let columns: Int
        let middleWidth: Int
        private let hasLateness: Bool
        /// What the middle says: the beginning of the name first.
        private(set) var texts: [String] = []

        fileprivate init(_ line: DepartureLine, lead leadWidth: Int, form: Int, columns: Int) {
            end = line.count.isEmpty ? "" : " " + line.count[min(form, line.count.count - 1)]
            func start(_ lead: String) -> String {
                let width = max(leadWidth, lead.count)
                return width == 0 ? "" : Text.left(lead, in: width) + " "
            }
            let late = line.lead.map { start($0 + line.late) } ?? ""
            hasLateness = !line.late.isEmpty && columns - late.count - end.count >= RowLayout.narrowest(columns)
            self.start = hasLateness ? late : line.lead.map(start) ?? ""
            self.columns = columns
            middleWidth = max(0, columns - self.start.count - end.count)
        }

        fileprivate mutating func fill(with line: DepartureLine, names: StreetNames) {
            // A number in the middle keeps two blanks to the count.
            func fits(_ text: String) -> Bool {
                text.count <= middleWidth - (text.last?.isNumber == true && !end.isEmpty ? 1 : 0)
            }
            func parts(of facts: [[String]]) -> [String] {
                facts.flatMap { RowLayout.parts(ofFact: $0, width: middleWidth, names: names, where: fits) }
            }
            let late = hasLateness ? [] : line.lateFact
            let separator = line.lead == nil ? ": " : ", "
            let whole = ([line.name] + (late + line.facts).compactMap(\.first)).joined(separator: separator)
            if fits(whole) { return texts = [whole] }
            var name = names.parts(line.name, width: middleWidth)
            if !name.allSatisfy(fits) { name = names.parts(line.name, width: middleWidth - 1) }
            // Whether it is late matters more than the end of the name.
            texts = Array(name.prefix(1)) + parts(of: late) + Array(name.dropFirst()) + parts(of: line.facts)
        }

        /// - Parameters:
        ///   - beat: 0 to 2. The first is always the beginning of the name.
        ///   - cycle: the number of times that all beats have passed.
        func text(beat: Int, cycle: Int) -> String { texts[RowLayout.turn(of: texts.count, beat: beat, cycle: cycle)] }

        func cells(beat: Int, cycle: Int) -> String {
            Text.left(start + text(beat: beat, cycle: cycle), in: columns - end.count) + end
        }
    }

    private(set) var rows: [Row]

    /// Which of several texts has its turn.
    static func turn(of count: Int, beat: Int, cycle: Int) -> Int {
        let others = count - 1
        guard beat > 0, others > 0 else { return 0 }
        return others == 1 ? beat / 2 : 1 + (2 * cycle + beat - 1) % others
    }

    init(_ lines: [DepartureLine], columns: Int, names: StreetNames) {
        let lead = lines.compactMap(\.lead?.count).max() ?? 0
        // The forms of the count, longest first: one for all rows of the screen.
        let first = columns >= 40 ? 0 : columns >= 20 ? 1 : 2
        let forms = (first...2).map { form in lines.map { Row($0, lead: lead, form: form, columns: columns) } }
        func fitting(_ least: (DepartureLine) -> Int) -> [Row]? {
            forms.first { rows in zip(rows, lines).allSatisfy { $0.middleWidth >= min($1.name.count, least($1)) } }
        }
        rows =
            fitting { names.shortWords($0.name).map(\.count).max() ?? 0 } ?? fitting { _ in Self.narrowest(columns) }
            ?? forms[forms.count - 1]
        for index in rows.indices { rows[index].fill(with: lines[index], names: names) }
    }

    /// The least width of a name beside the lateness.
    private static func narrowest(_ columns: Int) -> Int { columns * 3 / 8 }

    /// A fact in its longest form that fits, or in parts; none of a number.
    static func parts(
        ofFact forms: [String], width: Int, names: StreetNames, where fits: (String) -> Bool
    ) -> [String] {
        if let whole = forms.first(where: fits) { return [whole] }
        // Half of a number would be another one.
        guard let last = forms.last, last.last?.isNumber == false else { return [] }
        return forms.lazy.compactMap { names.wholeWords($0, width: width) }.first ?? names.parts(last, width: width)
    }
}
