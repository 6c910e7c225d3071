internal import BoardCore

/// What a reading of a timetable was like, beside the timetable.
struct TimetableReport: Hashable, Sendable {
    /// Rows of one file that were left out.
    struct BadRows: Hashable, Sendable {
        /// How many.
        var count: Int
        /// The first of them.
        let first: GTFSFailure
    }

    /// `feed_start_date`; nil: not told.
    var feedStart: CivilDate?
    /// `feed_end_date`, after which nothing in the feed is meant to be true; nil: not told.
    var feedEnd: CivilDate?
    /// The first and the last day on which a kept trip runs; nil: none ever does.
    var selectedDays: ClosedRange<CivilDate>?
    /// The first and the last day on which any service of the feed runs, kept or not; nil: none ever does. Days that
    /// `calendar_dates.txt` takes away count as if it did not.
    var serviceDays: ClosedRange<CivilDate>?
    /// Rows that could not be read, of those that mattered.
    var badRows: [GTFSFile: BadRows] = [:]
    /// How many rows could not be read, of all files.
    var badRowCount: Int { badRows.values.reduce(0) { $0 + $1.count } }
    /// The first row that could not be read; of several files that of the one that says most about departures.
    var firstBadRow: GTFSFailure? {
        let files: [GTFSFile] = [.stopTimes, .trips, .calendar, .calendarDates]
        return (files + GTFSFile.allCases).lazy.compactMap { badRows[$0]?.first }.first
    }
    /// Rows of `frequencies.txt` with a headway of less than a minute, of which one departure a minute is shown.
    var clampedHeadways = 0
    /// Stops of interest that `stops.txt` does not have.
    var unknownStops: [String] = []
    /// Rows of `stop_times.txt`, all of them.
    var stopTimes = 0
    /// Whether the rows of a trip were not together, so that `stop_times.txt` was read twice.
    var isUnsorted = false
    /// How long the reading took.
    var duration = Duration.zero

    /// The day before which the timetable is of no use: that on which its service begins, or `feed_start_date` where that
    /// is later; nil: nothing ever runs, and the feed does not say.
    ///
    /// Of all services, not of the kept trips alone: a stop that is served in summer only is no timetable that has not
    /// begun.
    var firstDay: CivilDate? { [feedStart, serviceDays?.lowerBound].compactMap(\.self).max() }

    /// The day after which the timetable is of no use: the last one of its service, or `feed_end_date` where that is earlier;
    /// nil: nothing ever runs, and the feed does not say.
    var lastDay: CivilDate? { [feedEnd, serviceDays?.upperBound].compactMap(\.self).min() }

    /// Takes note of days between which a service runs.
    mutating func extendServiceDays(_ days: ClosedRange<CivilDate>?) {
        guard let days else { return }
        let known = serviceDays ?? days
        serviceDays = min(known.lowerBound, days.lowerBound)...max(known.upperBound, days.upperBound)
    }

    /// Counts a row that is left out.
    mutating func countBadRow(_ file: GTFSFile, _ failure: GTFSFailure) {
        badRows[file, default: BadRows(count: 0, first: failure)].count += 1
    }
}
