internal import BoardCore

/// The answer of `/Line/{ids}/Status`: what is the matter with each line now.
struct TfLLineStatus: Sendable {
    /// The most alerts of one line that are kept.
    private static let mostAlerts = 8

    /// The alerts of each line that was told of, by its identifier in lower case; empty: all is well.
    private(set) var alerts: [String: [Alert]] = [:]

    /// Reads the whole answer.
    ///
    /// - Parameter now: the operator's clock, by which a status is valid.
    init(_ body: [UInt8], at now: Timestamp) throws(JSONFault) {
        for line in try JSONDocument(body).list().rows(TfLStatusLine.init).good {
            alerts[line.id.lowercased(), default: []] += Self.worst(of: line, at: now)
        }
    }

    /// The worst of what is valid now; several alerts where several are equally bad and say different things.
    private static func worst(of line: TfLStatusLine, at now: Timestamp) -> [Alert] {
        let valid = line.statuses.compactMap { status in status.period(at: now).map { (status, $0) } }
        let worst = valid.map(\.0.meaning.rank).min()
        var found: [Alert] = []
        for (status, period) in valid where status.meaning.rank == worst && found.count < mostAlerts {
            guard let severity = status.meaning.severity else { continue }
            var text = TfLText.alertText(status.reason ?? "", of: line.name)
            if text.isEmpty {
                // That trains do not run at night is no news.
                if status.meaning.code == TfLSeverity.closedForTheDay { continue }
                text = "\(line.name): \(status.meaning.word)"
            }
            let alert = Alert(
                text, scope: .lines([line.id]), severity: severity, from: period.from, until: period.until)
            if !found.contains(alert) { found.append(alert) }
        }
        return found
    }
}

/// One line as it is written.
private struct TfLStatusLine {
    let id: String
    let name: String
    let statuses: [TfLStatus]

    /// Nil where it has no identifier.
    init?(_ row: JSONRow) {
        guard let id = row.text("id") else { return nil }
        self.id = id
        name = row.text("name").map(TfLText.clean) ?? id
        statuses = row.rows("lineStatuses", TfLStatus.init)
    }
}

/// One status as it is written.
private struct TfLStatus {
    let meaning: TfLSeverity
    let reason: String?
    private let periods: [TfLPeriod]

    /// Nil where it does not say how bad it is.
    init?(_ row: JSONRow) {
        guard let code = row.integer("statusSeverity") else { return nil }
        meaning = TfLSeverity(code: code, word: row.text("statusSeverityDescription"))
        reason = row.text("reason") ?? row.row("disruption")?.text("description")
        periods = row.rows("validityPeriods", TfLPeriod.init)
    }

    /// The period in which the status is valid at `now`, of several the one that lasts longest; one without ends where
    /// none is told, and nil where it is not valid.
    func period(at now: Timestamp) -> (from: Timestamp?, until: Timestamp?)? {
        guard !periods.isEmpty else { return (nil, nil) }
        let end = Timestamp(microseconds: .max)
        return periods.filter { $0.isValid(at: now) }
            .max { $0.until ?? end < $1.until ?? end }
            .map { ($0.from, $0.until) }
    }
}

/// One validity period as it is written.
private struct TfLPeriod {
    let from: Timestamp?
    let until: Timestamp?
    private let isNow: Bool?

    init(_ row: JSONRow) {
        from = row.time("fromDate")
        until = row.time("toDate")
        isNow = row.truth("isNow")
    }

    /// Whether neither its dates nor TfL's own word say otherwise.
    func isValid(at now: Timestamp) -> Bool {
        isNow ?? true && (from ?? now) <= now && until.map { now < $0 } ?? true
    }
}
