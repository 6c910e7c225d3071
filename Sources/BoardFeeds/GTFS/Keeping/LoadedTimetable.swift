internal import BoardCore

/// The timetable of some stops, as it was read of an archive.
struct LoadedTimetable: Sendable {
    let report: TimetableReport
    /// The stops for which it was read, also those that the archive does not have.
    let covered: Set<String>
    /// Counts readings: a later one has a larger number.
    var reading: Int
    /// The timetable with what messages are matched by.
    let index: RealtimeIndex
    let edition: KeptArchive.Edition?

    var timetable: Timetable { index.timetable }
}

extension LoadedTimetable {
    /// How many days the timetable goes on after the day on which `moment` is; negative when it is past; nil: not told.
    func daysLeft(at moment: Timestamp) -> Int64? {
        report.lastDay.map { $0.daysSince1970 - timetable.zone.localTime(at: moment).date.daysSince1970 }
    }

    /// Whether the timetable ends within days, or has ended.
    func isNearEnd(at moment: Timestamp) -> Bool {
        daysLeft(at: moment).map { $0 <= TimetableLibrary.nearEnd } ?? false
    }
}
