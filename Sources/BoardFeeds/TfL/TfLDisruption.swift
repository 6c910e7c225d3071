import BoardCore

/// A disruption of a stop: a row of `/StopPoint/{id}/Disruption`.
struct TfLDisruption: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The stop is closed; nothing calls.
        case closure
        case partial
        /// No restriction.
        case information
    }

    /// Plain text; empty if absent.
    let text: String
    let kind: Kind
    /// When it begins; nil if absent or implausible.
    let from: Timestamp?
    let until: Timestamp?
    /// The bus stop or station concerned; nil: the requested one.
    let place: String?
    /// The station or area of the place.
    let station: String?
    /// The identifiers of the lines concerned; empty if absent.
    let lines: [String]
}

extension TfLDisruption {
    /// - Parameter stop: the place of a disruption that names none.
    init(_ row: JSONRow, at stop: String? = nil) {
        text = AlertText.joined(row.text("description") ?? "")
        kind = Kind(type: row.text("type"), appearance: row.text("appearance"))
        let (start, end) = (row.time("fromDate"), row.time("toDate"))
        // A beginning after the end is an error in the data.
        if let start, let end, start > end { from = nil } else { from = start }
        until = end
        place = row.text("atcoCode") ?? stop
        station = row.text("stationAtcoCode")
        lines = row.rows("concernedLines") { $0.text("id")?.lowercased() }
    }
}

extension TfLDisruption.Kind {
    /// The kind for TfL's `type` ("Closure", "Request Closure", "Information", "Interchange Message"), else for its
    /// `appearance` ("RealTime", "PlannedWork", "Information").
    fileprivate init(type: String?, appearance: String?) {
        let type = type?.lowercased() ?? ""
        if type.contains("part") {
            self = .partial
        } else if type.contains("clos") || type.contains("suspen") {
            self = .closure
        } else if type.contains("info") || type.contains("message") || appearance == "Information" {
            self = .information
        } else {
            self = .partial
        }
    }
}

extension TfLDisruption {
    /// The most levels of children that are read, as for ``TfLStopPoint``.
    private static let maximumDepth = 12
    private static let maximumCount = 100

    /// The distinct disruptions with a text in the response of `/StopPoint/{id}/Disruption`: an array; with
    /// `getFamily=true`, a tree of stops.
    static func list(_ body: [UInt8]) throws(FormatError) -> [TfLDisruption] {
        let root = try JSONDocument(body).root
        guard let all = root.elements?.rows({ TfLDisruption($0) }).good ?? root.row.flatMap({ family($0) }) else {
            throw .unexpectedStructure
        }
        return Array(all.filter { !$0.text.isEmpty }.uniqued().prefix(maximumCount))
    }

    /// The disruptions of a stop and its children at `depth`; nil if the row is not a stop.
    private static func family(_ row: JSONRow, depth: Int = 0) -> [TfLDisruption]? {
        guard row["disruptions"] != nil || row["children"] != nil else { return nil }
        let place = row.text("naptanId")
        let own = row.rows("disruptions") { TfLDisruption($0, at: place) }
        let children = depth < maximumDepth ? row.rows("children") { family($0, depth: depth + 1) } : []
        return own + children.joined()
    }
}

/// The response of `/Line/{ids}/Status`: the current status of each line.
struct TfLLineStatus: Sendable {
    /// The most alerts of one line.
    private static let maximumAlerts = 8

    /// The alerts of each line in the response, by its identifier in lower case; empty: good service.
    private(set) var alerts: [String: [Alert]] = [:]

    /// - Parameter now: the operator's clock, at which a status must be valid.
    init(_ body: [UInt8], at now: Timestamp) throws(FormatError) {
        _ = try JSONDocument(body).list().eachRow { row in
            guard let id = row.text("id") else { return }
            let line = Line(id: id, name: row.text("name").map(\.plainText) ?? id)
            let statuses = row.rows("lineStatuses", TfLStatus.init)
            alerts[id.lowercased(), default: []] += Self.worst(of: statuses, line, at: now)
        }
    }

    /// The worst valid status; several alerts if several are equally bad and their texts differ.
    private static func worst(of statuses: [TfLStatus], _ line: Line, at now: Timestamp) -> [Alert] {
        let valid = statuses.compactMap { status in status.period(at: now).map { (status, $0) } }
        let worst = valid.map(\.0.meaning.rank).min()
        var found: [Alert] = []
        for (status, period) in valid where status.meaning.rank == worst && found.count < maximumAlerts {
            guard let severity = status.meaning.severity else { continue }
            var text = TfLText.alertText(status.reason ?? "", of: line.name)
            if text.isEmpty {
                // Lines that close at night need no alert.
                if status.meaning.code == TfLSeverity.closedForTheDay { continue }
                text = "\(line.name): \(status.meaning.word)"
            }
            let alert = Alert(text, lines: [line.id], severity: severity, from: period.start, until: period.end)
            if !found.contains(alert) { found.append(alert) }
        }
        return found
    }
}

private struct TfLStatus {
    let meaning: TfLSeverity
    let reason: String?
    private let periods: [ActivePeriod]

    /// Nil without a severity.
    init?(_ row: JSONRow) {
        guard let code = row.integer("statusSeverity") else { return nil }
        meaning = TfLSeverity(code: code, word: row.text("statusSeverityDescription"))
        reason = row.text("reason") ?? row.row("disruption")?.text("description")
        let rows = row.rows("validityPeriods") { $0 }
        periods =
            rows.isEmpty
            ? [ActivePeriod()]
            : rows.filter { $0.truth("isNow") ?? true }.map {
                ActivePeriod(start: $0.time("fromDate"), end: $0.time("toDate"))
            }
    }

    /// The period in which the status is valid at `now`, of several the last to end; nil if the status is not valid.
    func period(at now: Timestamp) -> ActivePeriod? {
        let end = Timestamp(microseconds: .max)
        return periods.filter { $0.contains(now) }.max { $0.end ?? end < $1.end ?? end }
    }
}

/// A status severity of a line.
///
/// The codes are not ordered: 1 is worse than 0, and 20 occurs every night. The order here is boardd's own, from the
/// passenger's view at a stop: the fewer vehicles call, the worse.
struct TfLSeverity: Sendable {
    /// TfL's code, `statusSeverity`.
    let code: Int
    /// TfL's description, from `/Line/Meta/Severity`.
    let word: String
    /// The alert's severity; nil: no alert.
    let severity: Alert.Severity?

    /// All codes that TfL lists, from the worst to the best.
    static let all: [TfLSeverity] = [
        .init(1, "Closed", .severe), .init(16, "Not Running", .severe), .init(2, "Suspended", .severe),
        .init(4, "Planned Closure", .severe), .init(3, "Part Suspended", .severe), .init(5, "Part Closure", .severe),
        .init(11, "Part Closed", .severe), .init(8, "Bus Service", .severe), .init(6, "Severe Delays", .severe),
        .init(7, "Reduced Service", .minor), .init(9, "Minor Delays", .minor), .init(15, "Diverted", .minor),
        .init(14, "Change of frequency", .minor), .init(0, "Special Service", .minor), .init(12, "Exit Only", .minor),
        .init(17, "Issues Reported", .minor), .init(13, "No Step Free Access", .information),
        // Every line that closes at night has it then.
        .init(20, "Service Closed", .information),
        .init(19, "Information", nil), .init(18, "No Issues", nil), .init(10, "Good Service", nil),
    ]

    /// The rank of a code that TfL does not list yet: among the minor ones.
    private static let unlistedRank = all.firstIndex { $0.code == 17 } ?? all.count

    /// The code of a service that has ended for the day.
    static let closedForTheDay = 20

    private init(_ code: Int, _ word: String, _ severity: Alert.Severity?) {
        self.code = code
        self.word = word
        self.severity = severity
    }

    /// The severity of `code`; an unlisted code is minor and has the received description.
    init(code: Int, word: String?) {
        let listed = Self.all.first { $0.code == code }
        self.init(code, word ?? listed?.word ?? "Status \(code)", listed.map(\.severity) ?? .minor)
    }

    /// 0 is the worst.
    var rank: Int { Self.all.firstIndex { $0.code == code } ?? Self.unlistedRank }
}
