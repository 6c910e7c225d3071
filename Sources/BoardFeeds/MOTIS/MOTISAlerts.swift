internal import BoardCore

/// The alerts of an answer, which MOTIS writes again at each departure that they touch.
struct MOTISAlerts {
    /// The longest text that is kept; a board shows twenty letters at a time.
    private static let longest = 1_000

    /// What one says, whatever it is about.
    private struct Notice: Hashable {
        let text: String
        let severity: Alert.Severity
        let from: Timestamp?
        let until: Timestamp?
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
        guard let elements = list?.elements else { return }
        for row in elements.lazy.compactMap(\.row) {
            guard let notice = Self.notice(row, now: now) else { continue }
            if lines[notice] == nil {
                notices.append(notice)
                lines.updateValue(line.map { [$0] }, forKey: notice)
            } else if let known = lines[notice], let touched = known {
                lines.updateValue(line.map { touched.union([$0]) }, forKey: notice)
            }
        }
    }

    /// What people who wait for these lines should know; none: for all.
    func alerts(for wanted: [String]) -> [Alert] {
        notices.compactMap { notice in
            var scope = Alert.Scope.stop
            if let known = lines[notice], let touched = known {
                guard wanted.isEmpty || touched.contains(where: { line in wanted.contains(where: line.isCalled) })
                else { return nil }
                // People write the name, operators the identifier.
                scope = .lines(Set(touched.flatMap { [$0.id, $0.name] }).sorted())
            }
            return Alert(
                notice.text, scope: scope, severity: notice.severity, from: notice.from, until: notice.until)
        }
    }

    /// Reads one; nil where it says nothing, or is over.
    private static func notice(_ row: JSONRow, now: Timestamp) -> Notice? {
        let text = text(HTMLText.plain(row.text("headerText") ?? ""), HTMLText.plain(row.text("descriptionText") ?? ""))
        guard !text.isEmpty else { return nil }
        // `impactPeriod` is when it matters, `communicationPeriod` when it is to be told of.
        let periods =
            ["impactPeriod", "communicationPeriod"].lazy
            .map { row.rows($0) { (start: $0.time("start"), end: $0.time("end")) } }.first { !$0.isEmpty } ?? []
        let coming = periods.filter { $0.end.map { now < $0 } ?? true }
        guard !coming.isEmpty || periods.isEmpty else { return nil }
        let period =
            coming.first { $0.start.map { $0 <= now } ?? true } ?? coming.min { ($0.start ?? now) < ($1.start ?? now) }
        return Notice(
            text: text, severity: severity(row), from: period?.start.flatMap { $0 > now ? $0 : nil },
            until: period?.end)
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

    /// The header, and the description unless it says the same again.
    private static func text(_ header: String, _ description: String) -> String {
        let text: String
        if header.isEmpty || description.hasPrefix(header) {
            text = description
        } else if description.isEmpty || header.hasPrefix(description) {
            text = header
        } else {
            let ends = header.last.map { ".!?:".contains($0) } ?? false
            text = header + (ends ? " " : ". ") + description
        }
        guard text.count > longest else { return text }
        return text.prefix(longest).split(separator: " ").dropLast().joined(separator: " ") + " …"
    }
}
