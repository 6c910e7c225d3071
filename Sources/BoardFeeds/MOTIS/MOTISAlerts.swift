internal import BoardCore
internal import BoardFormats

extension AlertList {
    /// Adds the alerts of a place or departure; MOTIS repeats them for each departure.
    ///
    /// - Parameters:
    ///   - line: the departure's line; nil: alerts of the stop.
    ///   - now: alerts that are over are left out.
    mutating func add(_ list: JSONValue?, of line: Line?, now: Timestamp) {
        let scope = line.map { Alert.Scope($0) } ?? .stop
        _ = list?.elements?.eachRow { row in
            if let alert = Alert(row, scope: scope, now: now) { add([alert]) }
        }
    }
}

extension Alert {
    /// Decodes an alert; nil if it has no text or is over.
    fileprivate init?(_ row: JSONRow, scope: Scope, now: Timestamp) {
        let text = AlertText.joined(row.text("headerText") ?? "", row.text("descriptionText") ?? "")
        guard !text.isEmpty else { return nil }
        // `impactPeriod` is when it applies, `communicationPeriod` when it is to be displayed.
        let periods =
            ["impactPeriod", "communicationPeriod"].lazy
            .map { row.rows($0) { ActivePeriod(start: $0.time("start"), end: $0.time("end")) } }.first { !$0.isEmpty }
            ?? []
        guard let period = periods.current(at: now) else { return nil }
        self.init(text, scope: scope, severity: Self.severity(row), in: period, now: now)
    }

    /// The severity, from its level, else from the effect on the service.
    private static func severity(_ row: JSONRow) -> Alert.Severity {
        switch row.text("severityLevel") {
        case "SEVERE": return .severe
        case "WARNING": return .minor
        case "INFO": return .information
        default: break
        }
        return switch row.text("effect") {
        case "NO_SERVICE": .severe
        case "ADDITIONAL_SERVICE", "NO_EFFECT", "ACCESSIBILITY_ISSUE": .information
        default: .minor
        }
    }
}
