internal import BoardCore

/// When a notice holds, as operators tell it.
struct ActivePeriod: Hashable, Sendable {
    /// Nil: always before.
    var start: Timestamp?
    /// Nil: always after.
    var end: Timestamp?
}

extension [ActivePeriod] {
    /// When a notice holds that has these: the time that `now` is in, else the next one; of none always, and nil where all are
    /// over.
    func current(at now: Timestamp) -> ActivePeriod? {
        if isEmpty { return ActivePeriod() }
        let current = filter { $0.end.map { now < $0 } ?? true }
        return current.first { $0.start.map { $0 <= now } ?? true }
            ?? current.min { ($0.start ?? now) < ($1.start ?? now) }
    }
}

extension Alert {
    /// An alert of a time; one that is still to come says so.
    init(_ text: String, scope: Scope, severity: Severity, in period: ActivePeriod, now: Timestamp) {
        self.init(
            text, scope: scope, severity: severity, from: period.start.flatMap { $0 > now ? $0 : nil },
            until: period.end)
    }
}
