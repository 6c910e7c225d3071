internal import BoardCore

/// What of TfL's alerts concerns those who asked about a stop.
struct TfLAlertFilter: Hashable, Sendable {
    /// Lines that a person may name before one of their vehicles was seen: those of rails, whose identifiers are few and
    /// known. A line that is suspended is not predicted at all.
    private static let knownLines = Set(TfLFeed.shortLines.keys).subtracting(["london-overground"])
        .union(["dlr", "tram"])

    /// The stop that was asked about.
    let code: String
    /// The lines that a person named; none: all are of interest.
    let named: [String]
    /// The lines of interest that are known to call there.
    let lines: [Line]
    /// Where its departures are asked for.
    let parts: Set<String>
    /// The stops inside of it that are not of interest.
    let excludedStops: Set<String>

    /// What concerns those who asked `question`.
    ///
    /// - Parameter calling: lines that are known to call there besides those of the plan.
    init(_ question: FeedRequest, _ plan: TfLRequestPlan, calling: [Line]) {
        code = question.stop.code
        let named = question.lines
        self.named = named
        lines = plan.lines + calling.filter { line in named.isEmpty || named.contains(where: line.isCalled) }
        parts = Set(plan.parts.map(\.code))
        excludedStops = plan.excludedStops
    }

    /// The identifiers of the lines whose status matters, in lower case and in order.
    var lineIDs: [String] {
        var ids = Set(lines.map { $0.id.lowercased() })
        for name in named where !lines.contains(where: { $0.isCalled(name) }) {
            let id = Self.identifier(of: name)
            if Self.knownLines.contains(id) { ids.insert(id) }
        }
        return ids.sorted()
    }

    /// The alerts that `notices` are, those that do not concern the question left out.
    func alerts(of disruptions: [TfLDisruption]) -> [Alert] {
        let mine = disruptions.filter { includes($0) }
        return mine.map { notice in
            let severity: Alert.Severity =
                switch notice.kind {
                case .information: .information
                case .partial: .minor
                case .closure: isClosed(by: notice, among: mine) ? .severe : .minor
                }
            return Alert(
                notice.text, scope: notice.lines.isEmpty ? .stop : .lines(notice.lines), severity: severity,
                from: notice.from, until: notice.until)
        }
    }

    /// Whether a notice is about the stop or a part of it that was asked for, and about a line of interest.
    private func includes(_ notice: TfLDisruption) -> Bool {
        guard let place = notice.place else { return isOfInterest(notice.lines) }
        // An entrance or a platform is not asked for, but belongs to a station that may be.
        let isElsewhere = excludedStops.contains(place) || !parts.contains(place) && isExcluded(notice.station)
        return !isElsewhere && isOfInterest(notice.lines)
    }

    private func isExcluded(_ station: String?) -> Bool {
        station.map(excludedStops.contains) ?? false
    }

    private func isOfInterest(_ ids: [String]) -> Bool {
        if ids.isEmpty || named.isEmpty { return true }
        let mine = Set(lineIDs)
        return ids.contains { id in mine.contains(id) || named.contains(where: Line(id: id, name: id).isCalled) }
    }

    /// Whether nothing is left of the stop: it is closed itself, or each of its parts is by the same words.
    private func isClosed(by notice: TfLDisruption, among all: [TfLDisruption]) -> Bool {
        let closed = all.filter { $0.kind == .closure && $0.text == notice.text }.map { $0.place ?? code }
        return closed.contains(code) || parts.isSubset(of: closed)
    }

    /// A line's identifier as TfL makes it from its name: "Waterloo & City" is `waterloo-city`.
    private static func identifier(of name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.filter { $0 != "line" && $0 != "and" }
        return words.joined(separator: "-")
    }
}
