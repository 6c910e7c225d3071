internal import BoardCore

/// The timetable of some stops, as it was read of an archive.
struct LoadedTimetable: Sendable {
    let report: TimetableReport
    /// The stops for which it was read, also those that the archive does not have.
    let stops: Set<String>
    /// Counts readings: a later one has a larger number.
    var generation: Int
    /// The timetable with what messages are matched by.
    let index: RealtimeIndex
    let identity: ArchiveStore.FileIdentity?

    var timetable: Timetable { index.timetable }
}

extension LoadedTimetable {
    /// How many days before its end a timetable is near it.
    private static let nearEnd: Int64 = 7

    /// When it begins to be true: with its first day; nil: not told.
    var startsAt: Timestamp? { report.firstDay.map(timetable.beginning(of:)) }

    /// When it is over: after its last day; nil: not told.
    var endsAt: Timestamp? { report.lastDay.map { timetable.beginning(of: $0.adding(days: 1)) } }

    /// What somebody who checks what they wrote is told of it.
    ///
    /// - Parameter source: where it comes from.
    func outcome(at moment: Timestamp, from source: GTFSSource) -> SourceCheck.Outcome {
        if let last = report.lastDay, let endsAt, endsAt <= moment {
            let remedy =
                switch source {
                case .address: "look for the operator's new one, and correct `timetable` in boardd.toml"
                case .file: "put a newer one in its place"
                }
            return .fault("the timetable ended on \(last.iso8601): \(remedy)")
        }
        let days = [report.firstDay.map { "from \($0.iso8601)" }, report.lastDay.map { "until \($0.iso8601)" }]
        return .ok((days + [report.badRowSummary]).compactMap(\.self).joined(separator: ", "))
    }

    /// Whether it has begun and is not over.
    func isInEffect(at moment: Timestamp) -> Bool {
        endsAt.map { moment < $0 } ?? false && startsAt.map { $0 <= moment } ?? true
    }

    /// Whether it ends within days, or has ended.
    func isNearEnd(at moment: Timestamp) -> Bool {
        report.lastDay.map {
            $0.daysSince1970 - timetable.zone.localTime(at: moment).date.daysSince1970 <= Self.nearEnd
        } ?? false
    }
}
