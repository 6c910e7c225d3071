internal import BoardCore

/// Selects the alerts that concern a request.
struct TfLAlertFilter: Hashable, Sendable {
    /// Rail lines, whose few identifiers are fixed. Their status is fetched even before a prediction names them, since a
    /// suspended line has no predictions.
    private static let railLines = Set(TfLFeed.shortLines.keys).subtracting(["london-overground"])
        .union(["dlr", "tram"])

    let code: String
    /// The requested lines; empty: all.
    let named: [String]
    /// The lines of interest that call there.
    let lines: [Line]
    /// The stops whose departures are fetched.
    let fetchedStops: Set<String>
    /// The contained stops whose alerts are not of interest.
    let excludedStops: Set<String>

    /// - Parameter calling: lines that call there, in addition to those of the plan.
    init(_ request: FeedRequest, _ plan: TfLRequestPlan, calling: [Line]) {
        code = request.stop.code
        let named = request.lines
        self.named = named
        lines = plan.lines + calling.filter { line in named.isEmpty || named.contains(where: line.isCalled) }
        fetchedStops = Set(plan.requests.map(\.code))
        excludedStops = plan.excludedStops
    }

    /// The identifiers of the lines whose status matters, in lower case and sorted.
    var lineIDs: [String] {
        var ids = Set(lines.map { $0.id.lowercased() })
        for name in named where !lines.contains(where: { $0.isCalled(name) }) {
            let id = Self.identifier(of: name)
            if Self.railLines.contains(id) { ids.insert(id) }
        }
        return ids.sorted()
    }

    /// The alerts for those disruptions that concern the request.
    func alerts(of disruptions: [TfLDisruption]) -> [Alert] {
        let mine = disruptions.filter { includes($0) }
        return mine.map { disruption in
            let severity: Alert.Severity =
                switch disruption.kind {
                case .information: .information
                case .partial: .minor
                case .closure: isClosed(by: disruption, among: mine) ? .severe : .minor
                }
            return Alert(
                disruption.text, scope: disruption.lines.isEmpty ? .stop : .lines(disruption.lines), severity: severity,
                from: disruption.from, until: disruption.until)
        }
    }

    /// Whether a disruption concerns the stop or a fetched part of it, and a line of interest.
    private func includes(_ disruption: TfLDisruption) -> Bool {
        guard let place = disruption.place else { return isOfInterest(disruption.lines) }
        // Departures of an entrance or a platform are not fetched, but those of its station may be.
        let isOfExcludedStation = disruption.station.map(excludedStops.contains) ?? false
        let isElsewhere = excludedStops.contains(place) || !fetchedStops.contains(place) && isOfExcludedStation
        return !isElsewhere && isOfInterest(disruption.lines)
    }

    private func isOfInterest(_ ids: [String]) -> Bool {
        if ids.isEmpty || named.isEmpty { return true }
        let mine = Set(lineIDs)
        return ids.contains { id in mine.contains(id) || named.contains(where: Line(id: id, name: id).isCalled) }
    }

    /// Whether the whole stop is closed: by itself, or each of its fetchedStops with the same text.
    private func isClosed(by disruption: TfLDisruption, among all: [TfLDisruption]) -> Bool {
        let closed = all.filter { $0.kind == .closure && $0.text == disruption.text }.map { $0.place ?? code }
        return closed.contains(code) || fetchedStops.isSubset(of: closed)
    }

    /// A line's identifier as TfL derives it from the name: "Waterloo & City" is `waterloo-city`.
    private static func identifier(of name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.filter { $0 != "line" && $0 != "and" }
        return words.joined(separator: "-")
    }
}
