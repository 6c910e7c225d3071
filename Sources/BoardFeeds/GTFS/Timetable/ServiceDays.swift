internal import BoardCore

/// The days on which a service runs: `calendar.txt` with the exceptions of `calendar_dates.txt`, either of which may be missing.
struct ServiceDays: Hashable, Sendable {
    /// The weekdays, where `calendar.txt` has the service.
    var weekdays: Set<Weekday> = []
    /// The days between which the weekdays count, both included.
    var range: ClosedRange<CivilDate>?
    /// `exception_type` 1.
    var added: Set<CivilDate> = []
    /// `exception_type` 2.
    var removed: Set<CivilDate> = []

    /// Whether the service runs on a day; an exception counts more than the week.
    func runs(on day: CivilDate) -> Bool {
        if added.contains(day) { return true }
        if removed.contains(day) { return false }
        return range?.contains(day) == true && weekdays.contains(day.weekday)
    }
}
