import BoardCore

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

extension CivilDate {
    /// Parses `20240209`; nil for any other text.
    init?(gtfs text: String) {
        let bytes = Array(text.utf8)
        guard let day = bytes.span.date(TableField(0..<bytes.count)) else { return nil }
        self = day
    }

    /// The GTFS form: `20240209`.
    var gtfs: String { (year * 10_000 + month * 100 + day).padded(to: 8) }

    /// 2026-03-07.
    var iso8601: String { "\(year)-\(month.padded(to: 2))-\(day.padded(to: 2))" }

    func adding(days: Int) -> CivilDate { CivilDate(daysSince1970: daysSince1970 + Int64(days)) }
}

extension Timetable {
    /// The time from which a service day's seconds count: noon − 12 h in the zone. Midnight, except on days of a clock
    /// change.
    func beginning(of day: CivilDate) -> Timestamp {
        let halfDay = 43_200
        let noon = LocalTime(secondsSince1970: day.daysSince1970 * 86_400 + Int64(halfDay))
        return zone.timestamp(of: noon, nearest: Timestamp(seconds: .min)) - .seconds(halfDay)
    }
}

/// The precomputed beginnings of the service days around a time.
package struct ServiceDayBeginnings: Sendable {
    private static let reach = 2

    let today: CivilDate
    private let beginnings: [Timestamp]
    private let timetable: Timetable

    init(around moment: Timestamp, in timetable: Timetable) {
        self.timetable = timetable
        let today = timetable.zone.localTime(at: moment).date
        self.today = today
        beginnings = (-Self.reach...Self.reach).map { timetable.beginning(of: today.adding(days: $0)) }
    }

    func beginning(of day: CivilDate) -> Timestamp {
        let place = day.daysSince1970 - today.daysSince1970 + Int64(Self.reach)
        return beginnings.indices.contains(Int(place)) ? beginnings[Int(place)] : timetable.beginning(of: day)
    }
}
