internal import BoardCore

/// The days on which a service runs: `calendar.txt` with the exceptions of `calendar_dates.txt`. Either may be missing.
struct ServiceDays: Hashable, Sendable {
    /// The weekdays of `calendar.txt`.
    var weekdays: Set<Weekday> = []
    var range: ClosedRange<CivilDate>?
    /// `exception_type` 1.
    var added: Set<CivilDate> = []
    /// `exception_type` 2.
    var removed: Set<CivilDate> = []

    /// Whether the service runs on a day; exceptions take precedence over weekdays.
    func runs(on day: CivilDate) -> Bool {
        if added.contains(day) { return true }
        if removed.contains(day) { return false }
        return range?.contains(day) == true && weekdays.contains(day.weekday)
    }

    /// The first and the last day on which the service runs; nil if it never runs.
    var days: ClosedRange<CivilDate>? {
        let ends = [added.min(), added.max(), regular(from: \.lowerBound, by: 1), regular(from: \.upperBound, by: -1)]
        return ClosedRange(ends.compactMap(\.self))
    }

    /// The first or the last day of the weekly service, searched from one end.
    private func regular(from end: KeyPath<ClosedRange<CivilDate>, CivilDate>, by step: Int) -> CivilDate? {
        guard let range, !weekdays.isEmpty else { return nil }
        // Found soon: a week has seven days, and exceptions are limited.
        var day = range[keyPath: end]
        while range.contains(day) {
            if runs(on: day) { return day }
            day = day.adding(days: step)
        }
        return nil
    }
}

extension ClosedRange<CivilDate> {
    init?(_ days: some Collection<CivilDate>) {
        guard let first = days.min(), let last = days.max() else { return nil }
        self = first...last
    }
}
