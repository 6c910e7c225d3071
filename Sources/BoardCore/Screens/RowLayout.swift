/// The rows of a screen in cells: LEAD MIDDLE COUNT. Lead and count stand still; what does not fit between them takes
/// turns there.
struct RowLayout {
    struct Row: Equatable {
        let lead: String
        let leadWidth: Int
        let middleWidth: Int
        let count: String
        /// What the middle says: the beginning of the name first.
        let texts: [String]

        /// - Parameters:
        ///   - beat: 0 to 2. The first is always the beginning of the name.
        ///   - cycle: the number of times that all beats have passed.
        func text(beat: Int, cycle: Int) -> String { texts[RowLayout.turn(of: texts.count, beat: beat, cycle: cycle)] }

        func cells(beat: Int, cycle: Int) -> String {
            (leadWidth == 0 ? "" : Text.left(lead, in: leadWidth) + " ")
                + Text.left(text(beat: beat, cycle: cycle), in: middleWidth) + (count.isEmpty ? "" : " " + count)
        }
    }

    let rows: [Row]

    /// Which of several texts has its turn.
    static func turn(of count: Int, beat: Int, cycle: Int) -> Int {
        let others = count - 1
        guard beat > 0, others > 0 else { return 0 }
        return others == 1 ? beat / 2 : 1 + (2 * cycle + beat - 1) % others
    }

    init(_ lines: [DepartureLine], columns: Int, names: StreetNames) {
        let narrowest = columns * 3 / 8
        let lead = lines.compactMap(\.lead?.count).max() ?? 0
        // The forms of the count, longest first: one for all rows of the screen.
        let first = columns >= 40 ? 0 : columns >= 20 ? 1 : 2
        var placed: [Place] = []
        for form in first...2 {
            placed = lines.map { Place($0, lead: lead, form: form, columns: columns, narrowest: narrowest) }
            if zip(placed, lines).allSatisfy({ $0.width >= min($1.name.count, narrowest) }) { break }
        }
        rows = zip(placed, lines).map { place, line in
            Row(
                lead: place.lead, leadWidth: place.leadWidth, middleWidth: place.width, count: place.count,
                texts: Self.texts(of: line, in: place, names: names))
        }
    }

    private struct Place {
        let lead: String
        let leadWidth: Int
        let width: Int
        let count: String
        let hasLateness: Bool

        init(_ line: DepartureLine, lead leadWidth: Int, form: Int, columns: Int, narrowest: Int) {
            count = line.count.isEmpty ? "" : line.count[min(form, line.count.count - 1)]
            let end = count.isEmpty ? 0 : count.count + 1
            guard let lead = line.lead else {
                (self.lead, self.leadWidth, width, hasLateness) = ("", 0, columns - end, false)
                return
            }
            let late = lead + "+\(line.late)"
            let lateWidth = max(leadWidth, late.count)
            hasLateness = line.late >= 2 && columns - lateWidth - 1 - end >= narrowest
            self.lead = hasLateness ? late : lead
            self.leadWidth = hasLateness ? lateWidth : leadWidth
            width = columns - (self.leadWidth == 0 ? 0 : self.leadWidth + 1) - end
        }
    }

    private static func texts(of line: DepartureLine, in place: Place, names: StreetNames) -> [String] {
        // A number in the middle keeps two blanks to the count.
        func room(for text: String) -> Int {
            place.width - (text.last?.isNumber == true && !place.count.isEmpty ? 1 : 0)
        }
        func fits(_ text: String) -> Bool { text.count <= room(for: text) }
        let facts = (place.hasLateness || line.lateFact.isEmpty ? [] : [line.lateFact]) + line.facts
        let whole = ([line.name] + facts.compactMap(\.first)).joined(separator: ", ")
        if fits(whole) { return [whole] }
        return names.parts(line.name, width: room(for: line.name))
            + facts.flatMap { parts(ofFact: $0, width: place.width, names: names, where: fits) }
    }

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
