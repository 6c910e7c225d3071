import BoardCore

/// A list of distinct alerts: those of several stops, modes and lines with equal texts and periods are merged.
struct AlertList {
    private struct Key: Hashable {
        let text: String
        let from: Timestamp?
        let until: Timestamp?
    }

    private var keys: [Key] = []
    private var alertsByKey: [Key: Alert] = [:]

    /// In the order in which they were added.
    var alerts: [Alert] { keys.compactMap { alertsByKey[$0] } }

    /// Adds alerts; a merged alert has the lines of both and the worse severity.
    mutating func add(_ alerts: [Alert]) {
        for alert in alerts {
            let key = Key(text: alert.text, from: alert.from, until: alert.until)
            if let other = alertsByKey[key] {
                alertsByKey[key] = Alert(
                    alert.text, lines: alert.joined(with: other),
                    severity: max(alert.severity, other.severity), from: alert.from, until: alert.until)
            } else if keys.count < ResponseLimits.rows {
                keys.append(key)
                alertsByKey[key] = alert
            }
        }
    }

    /// The alerts active at `moment`, worst first; all of them if the time is unknown.
    func alerts(at moment: Timestamp?) -> [Alert] {
        let active = alerts.filter { alert in moment.isNilOr(alert.isActive) }
        let unbounded = Timestamp(microseconds: .min)
        return active.sorted {
            ($1.severity, $0.text, $0.from ?? unbounded, $0.until ?? unbounded)
                < ($0.severity, $1.text, $1.from ?? unbounded, $1.until ?? unbounded)
        }
    }
}

extension Alert {
    /// Whether the alert concerns the stop or one of these lines. An empty list matches every alert.
    func touches(_ names: [String]) -> Bool {
        guard let lines, !names.isEmpty else { return true }
        return lines.contains { line in names.contains { $0.lowercased() == line.lowercased() } }
    }

    /// The lines of both; an alert for the stop concerns all its lines.
    fileprivate func joined(with other: Alert) -> [String]? {
        guard let lines, let others = other.lines else { return nil }
        return Set(lines).union(others).sorted()
    }
}

struct ActivePeriod: Hashable, Sendable {
    /// Nil: no start.
    var start: Timestamp?
    /// Nil: no end.
    var end: Timestamp?

    func contains(_ moment: Timestamp) -> Bool {
        start.isNilOr { $0 <= moment } && end.isNilOr { moment < $0 }
    }
}

extension [ActivePeriod] {
    /// The period that contains `now`, else the next one. An empty list is always valid; nil if all periods are over.
    func current(at now: Timestamp) -> ActivePeriod? {
        if isEmpty { return ActivePeriod() }
        return first { $0.contains(now) }
            ?? filter { $0.end.isNilOr { now < $0 } }.min { ($0.start ?? now) < ($1.start ?? now) }
    }
}

extension Alert {
    /// An alert for a period; `from` is set only if the period has not begun.
    init(_ text: String, lines: [String]?, severity: Severity, in period: ActivePeriod, now: Timestamp) {
        self.init(
            text, lines: lines, severity: severity, from: period.start.flatMap { $0 > now ? $0 : nil },
            until: period.end)
    }
}

struct LocalizedText: Hashable, Sendable {
    var text = ""
    /// BCP 47; empty if missing.
    var language = ""
}

extension [LocalizedText] {
    /// The text in the preferred language, else the one without a language, else the first; empty if there is none.
    func choice(_ preferred: String) -> String {
        let choice =
            first { $0.language.lowercased() == preferred.lowercased() }
            ?? first { NameChoice.isSame($0.language, preferred) } ?? first(where: \.language.isEmpty) ?? first
        return choice?.text ?? ""
    }
}

/// The text of an alert with a headline and a description, as one paragraph.
enum AlertText {
    /// The longest text, in characters; a display shows twenty at a time.
    private static let maximumLength = 1_000

    /// The headline and the description, unless one begins with the other; both may be HTML.
    static func joined(_ header: String, _ description: String = "") -> String {
        let header = HTMLText.plain(header)
        let description = HTMLText.plain(description)
        let text: String
        if header.isEmpty || description.hasPrefix(header) {
            text = description
        } else if description.isEmpty || header.hasPrefix(description) {
            text = header
        } else {
            let ends = header.last.isSomeAnd { ".!?:".contains($0) }
            text = header + (ends ? " " : ". ") + description
        }
        guard text.count > maximumLength else { return text }
        return text.prefix(maximumLength).split(separator: " ").dropLast().joined(separator: " ") + " …"
    }
}
