internal import BoardCore

/// The alerts of an answer, which MOTIS writes again at each departure that they touch.
struct MOTISAlerts {
    /// What one says, whatever it is about.
    private struct Notice: Hashable {
        let text: String
        let severity: Alert.Severity
        let period: ActivePeriod
    }

    /// In the order in which they come.
    private var notices: [Notice] = []
    /// The lines that each touches; nil: the stop.
    private var lines: [Notice: Set<Line>?] = [:]

    /// Takes the alerts of a place.
    ///
    /// - Parameters:
    ///   - list: an array of them, where there is one.
    ///   - line: of the departure at which they are written; nil: they are of the stop.
    ///   - now: alerts that were over before are left out.
    mutating func take(_ list: JSONValue?, of line: Line?, now: Timestamp) {
        _ = list?.elements?.eachRow { row in
            if let notice = Self.notice(row, now: now) { take(notice, of: line.map { [$0] }) }
        }
    }

    /// Takes those of another page of the same answer.
    mutating func take(_ page: MOTISAlerts) {
        for notice in page.notices {
            if let touched = page.lines[notice] { take(notice, of: touched) }
        }
    }

    private mutating func take(_ notice: Notice, of touched: Set<Line>?) {
        if lines[notice] == nil {
            guard notices.count < ResponseLimits.rows else { return }
            notices.append(notice)
            lines.updateValue(touched, forKey: notice)
        } else if let known = lines[notice], let known {
            lines.updateValue(touched.map { known.union($0) }, forKey: notice)
        }
    }

    /// What people who wait for these lines should know; none: for all.
    func alerts(for wanted: [String], now: Timestamp) -> [Alert] {
        notices.compactMap { notice in
            var scope = Alert.Scope.stop
            if let known = lines[notice], let touched = known {
                guard wanted.isEmpty || touched.contains(where: { line in wanted.contains(where: line.isCalled) })
                else { return nil }
                // People write the name, operators the identifier.
                scope = .lines(Set(touched.flatMap { [$0.id, $0.name] }).sorted())
            }
            return Alert(
                notice.text, scope: scope, severity: notice.severity, in: notice.period, now: now)
        }
    }

    /// Reads one; nil where it says nothing, or is over.
    private static func notice(_ row: JSONRow, now: Timestamp) -> Notice? {
        let text = AlertText.joined(row.text("headerText") ?? "", row.text("descriptionText") ?? "")
        guard !text.isEmpty else { return nil }
        // `impactPeriod` is when it matters, `communicationPeriod` when it is to be told of.
        let periods =
            ["impactPeriod", "communicationPeriod"].lazy
            .map { row.rows($0) { ActivePeriod(start: $0.time("start"), end: $0.time("end")) } }.first { !$0.isEmpty }
            ?? []
        return periods.current(at: now).map { Notice(text: text, severity: severity(row), period: $0) }
    }

    /// How much it matters: what is said of that, else what becomes of the service.
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
