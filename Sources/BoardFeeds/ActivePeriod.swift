internal import BoardCore

/// A period in which an alert is valid.
struct ActivePeriod: Hashable, Sendable {
    /// Nil: no beginning.
    var start: Timestamp?
    /// Nil: no end.
    var end: Timestamp?

    func contains(_ moment: Timestamp) -> Bool {
        start.map { $0 <= moment } ?? true && end.map { moment < $0 } ?? true
    }
}

extension [ActivePeriod] {
    /// The period that contains `now`, else the next one. An empty list is always valid; nil if all periods are over.
    func current(at now: Timestamp) -> ActivePeriod? {
        if isEmpty { return ActivePeriod() }
        return first { $0.contains(now) }
            ?? filter { $0.end.map { now < $0 } ?? true }.min { ($0.start ?? now) < ($1.start ?? now) }
    }
}

extension Alert {
    /// An alert for a period; `from` is set only if the period has not begun.
    init(_ text: String, scope: Scope, severity: Severity, in period: ActivePeriod, now: Timestamp) {
        self.init(
            text, scope: scope, severity: severity, from: period.start.flatMap { $0 > now ? $0 : nil },
            until: period.end)
    }
}
