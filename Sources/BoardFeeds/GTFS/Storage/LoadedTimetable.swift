internal import BoardCore
internal import BoardIO

struct LoadedTimetable: Sendable {
    let report: TimetableReport
    /// The stops for which it was read, including those missing from the archive.
    let stops: Set<String>
    var generation: Int
    /// The timetable, indexed for realtime messages.
    let index: RealtimeIndex
    let identity: FileIdentity?

    var timetable: Timetable { index.timetable }

    /// The number of days before its end from which a timetable is near its end.
    private static let nearEnd: Int64 = 7

    var startsAt: Timestamp? { report.firstDay.map(timetable.beginning(of:)) }

    var endsAt: Timestamp? { report.lastDay.map { timetable.beginning(of: $0.adding(days: 1)) } }

    func outcome(at moment: Timestamp, from source: GTFSSource) -> SourceCheck.Outcome {
        if let last = report.lastDay, let endsAt, endsAt <= moment {
            let remedy =
                switch source {
                case .address: "find the operator's new URL and set `timetable` in boardd.toml"
                case .file: "replace the file with a newer one"
                }
            return .fault("the timetable ended on \(last.iso8601): \(remedy)")
        }
        let days = [report.firstDay.map { "from \($0.iso8601)" }, report.lastDay.map { "until \($0.iso8601)" }]
        return .ok((days + [report.badRowSummary]).compactMap(\.self).joined(separator: ", "))
    }

    /// Whether it has started and not expired.
    func isInEffect(at moment: Timestamp) -> Bool {
        endsAt.map { moment < $0 } ?? false && startsAt.map { $0 <= moment } ?? true
    }

    /// Whether it expires within 7 days, or has expired.
    func isNearEnd(at moment: Timestamp) -> Bool {
        report.lastDay.map {
            $0.daysSince1970 - timetable.zone.localTime(at: moment).date.daysSince1970 <= Self.nearEnd
        } ?? false
    }
}
