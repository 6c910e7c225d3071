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
    /// How many days before its end a timetable is near it.
    private static let nearEnd: Int64 = 7

    /// When it begins to be true: with its first day; nil: not told.
    var begins: Timestamp? { report.firstDay.map(timetable.beginning(of:)) }

    /// When it is over: after its last day; nil: not told.
    var ends: Timestamp? { report.lastDay.map { timetable.beginning(of: $0.adding(days: 1)) } }

    /// What somebody who checks what they wrote is told of it.
    ///
    /// - Parameter source: where it comes from.
    func finding(at moment: Timestamp, from source: GTFSSource) -> SourceLook.Finding {
        if let last = report.lastDay, let ends, ends <= moment {
            let remedy =
                switch source {
                case .address: "look for the operator's new one, and correct `timetable` in boardd.toml"
                case .file: "put a newer one in its place"
                }
            return .fault("the timetable ended on \(last.written): \(remedy)")
        }
        let days = [report.firstDay.map { "from \($0.written)" }, report.lastDay.map { "until \($0.written)" }]
        return .good((days + [report.leftOut]).compactMap(\.self).joined(separator: ", "))
    }

    /// Whether it has begun and is not over.
    func isTrue(at moment: Timestamp) -> Bool {
        ends.map { moment < $0 } ?? false && begins.map { $0 <= moment } ?? true
    }

    /// Whether it ends within days, or has ended.
    func isNearEnd(at moment: Timestamp) -> Bool {
        report.lastDay.map {
            $0.daysSince1970 - timetable.zone.localTime(at: moment).date.daysSince1970 <= Self.nearEnd
        } ?? false
    }
}
