internal import BoardCore
internal import BoardFormats

/// The alerts of a response, which repeats them for each departure.
struct MOTISAlerts {
    /// An alert without its scope.
    private struct Content: Hashable {
        let text: String
        let severity: Alert.Severity
        let period: ActivePeriod
    }

    /// In the order of the response.
    private var contents: [Content] = []
    /// The lines of each; nil: the stop.
    private var lines: [Content: Set<Line>?] = [:]

    /// Adds the alerts of a place or departure.
    ///
    /// - Parameters:
    ///   - list: the array, if present.
    ///   - line: the departure's line; nil: alerts of the stop.
    ///   - now: alerts that are over are left out.
    mutating func add(_ list: JSONValue?, of line: Line?, now: Timestamp) {
        _ = list?.elements?.eachRow { row in
            if let content = Self.content(row, now: now) { add(content, of: line.map { [$0] }) }
        }
    }

    /// Adds the alerts of another page.
    mutating func add(_ page: MOTISAlerts) {
        for content in page.contents {
            if let affected = page.lines[content] { add(content, of: affected) }
        }
    }

    private mutating func add(_ content: Content, of affected: Set<Line>?) {
        if lines[content] == nil {
            guard contents.count < ResponseLimits.rows else { return }
            contents.append(content)
            lines.updateValue(affected, forKey: content)
        } else if let existing = lines[content], let existing {
            lines.updateValue(affected.map { existing.union($0) }, forKey: content)
        }
    }

    /// The alerts for these lines; an empty list selects all.
    func alerts(for names: [String], now: Timestamp) -> [Alert] {
        contents.compactMap { content in
            var scope = Alert.Scope.stop
            if let existing = lines[content], let affected = existing {
                guard names.isEmpty || affected.contains(where: { line in names.contains(where: line.isCalled) })
                else { return nil }
                // Users write the name, operators the identifier.
                scope = .lines(Set(affected.flatMap { [$0.id, $0.name] }).sorted())
            }
            return Alert(
                content.text, scope: scope, severity: content.severity, in: content.period, now: now)
        }
    }

    /// Decodes an alert; nil if it has no text or is over.
    private static func content(_ row: JSONRow, now: Timestamp) -> Content? {
        let text = AlertText.joined(row.text("headerText") ?? "", row.text("descriptionText") ?? "")
        guard !text.isEmpty else { return nil }
        // `impactPeriod` is when it applies, `communicationPeriod` when it is to be displayed.
        let periods =
            ["impactPeriod", "communicationPeriod"].lazy
            .map { row.rows($0) { ActivePeriod(start: $0.time("start"), end: $0.time("end")) } }.first { !$0.isEmpty }
            ?? []
        return periods.current(at: now).map { Content(text: text, severity: severity(row), period: $0) }
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
