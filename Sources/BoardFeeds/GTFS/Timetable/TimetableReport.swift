internal import BoardCore
internal import BoardFormats

package struct TimetableReport: Hashable, Sendable {
    struct BadRows: Hashable, Sendable {
        var count: Int
        let first: TableFailure
    }

    /// `feed_start_date`; nil if missing.
    var feedStart: CivilDate?
    /// `feed_end_date`, the feed's last valid day; nil if missing.
    var feedEnd: CivilDate?
    /// The first and the last day on which a selected trip runs; nil if none ever runs.
    var selectedDays: ClosedRange<CivilDate>?
    /// The first and the last day on which any service of the feed runs, selected or not; nil if none ever runs. Ignores
    /// days that `calendar_dates.txt` removes.
    var serviceDays: ClosedRange<CivilDate>?
    /// The unreadable rows that matter for the selected trips.
    var badRows: [GTFSFile: BadRows] = [:]
    var badRowCount: Int { badRows.values.reduce(0) { $0 + $1.count } }
    /// The first unreadable row; of several files, that of the file most relevant for departures.
    var firstBadRow: TableFailure? {
        let files: [GTFSFile] = [.stopTimes, .trips, .calendar, .calendarDates]
        return (files + GTFSFile.allCases).lazy.compactMap { badRows[$0]?.first }.first
    }
    /// Rows of `frequencies.txt` with a headway of less than a minute, which is raised to a minute.
    var clampedHeadways = 0
    var unknownStops: [String] = []
    package var stopTimes = 0
    /// Whether the rows of a trip were not contiguous, so that `stop_times.txt` was read twice.
    var isUnsorted = false
    var duration = Duration.zero

    package init() {}

    /// The timetable's first valid day: the first day of service, or `feed_start_date` if later; nil if both are unknown. It decides which
    /// of two archives is in effect; departures are those of the services.
    ///
    /// Counts all services, not only those of selected trips: a stop with service in summer only does not make the timetable
    /// start in summer.
    var firstDay: CivilDate? { [feedStart, serviceDays?.lowerBound].compactMap(\.self).max() }

    /// The timetable's last valid day: the last day of service, or `feed_end_date` if earlier; nil if both are unknown.
    var lastDay: CivilDate? { [feedEnd, serviceDays?.upperBound].compactMap(\.self).min() }

    /// Extends ``serviceDays`` by the days of a service.
    mutating func extendServiceDays(_ days: ClosedRange<CivilDate>?) {
        guard let days else { return }
        let current = serviceDays ?? days
        serviceDays = min(current.lowerBound, days.lowerBound)...max(current.upperBound, days.upperBound)
    }

    mutating func countBadRow(_ file: GTFSFile, _ failure: TableFailure) {
        badRows[file, default: BadRows(count: 0, first: failure)].count += 1
    }
}
