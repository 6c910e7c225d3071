import BoardCore

/// Logs the state of a timetable: each problem once when it begins, and once when it ends.
struct TimetableLog {
    let title: String
    let source: GTFSSource
    let log: (@Sendable (FeedStorage.LogEntry) -> Void)?

    private var isFailing = false
    private var hasLoggedExpiry = false
    private var badRows: [GTFSFile: TimetableReport.BadRows] = [:]
    private var clampedHeadways = 0
    private var next: Timestamp?
    private var foreignURL: String?

    init(title: String, source: GTFSSource, log: (@Sendable (FeedStorage.LogEntry) -> Void)?) {
        self.title = title
        self.source = source
        self.log = log
    }

    /// Logs that an archive was read, and which rows were left out.
    ///
    /// - Parameter name: the URL or path.
    mutating func logRead(_ name: String, _ report: TimetableReport, stops: Int) {
        let seconds = report.duration.inTenths
        log?(
            .completed(
                "the timetable of \(title) was read for \(stops) \(stops == 1 ? "stop" : "stops") in \(seconds) s"))
        defer { (badRows, clampedHeadways) = (report.badRows, report.clampedHeadways) }
        if report.clampedHeadways > 0, report.clampedHeadways != clampedHeadways {
            log?(
                .info(
                    "the timetable of \(title): \(name): frequencies.txt has \(report.clampedHeadways) rows with a headway of "
                        + "less than \(Timetable.Frequency.shortest) s: one departure a minute is shown"))
        }
        guard badRows != report.badRows, let summary = report.badRowSummary else { return }
        log?(.warning("the timetable of \(title): \(name): \(summary). The other rows are used"))
    }

    func logProgress(_ bytes: Int, _ elapsed: Duration) {
        let minutes = elapsed.wholeSeconds / 60
        log?(.info("the timetable of \(title) is still being downloaded: \(bytes / 1_000) kB in \(minutes) minutes"))
    }

    mutating func logFailure(_ failure: FeedError?) {
        guard (failure != nil) != isFailing else { return }
        isFailing = failure != nil
        log?(
            failure.map { .warning("\($0.detail). Using the previous timetable; retrying") }
                ?? .recovered("the timetable of \(title) is up to date again"))
    }

    /// Logs that the timetable ends, a week before, and that a newer one has replaced it.
    ///
    /// - Parameter next: the start of the operator's next timetable, if it has one; it is downloaded then.
    mutating func logExpiry(of loaded: LoadedTimetable, next: Timestamp?, at moment: Timestamp) {
        guard let last = loaded.report.lastDay, let end = loaded.endsAt else { return }
        let isNear = loaded.isNearEnd(at: moment)
        guard isNear != hasLoggedExpiry else { return }
        hasLoggedExpiry = isNear
        let remedy =
            switch source {
            case .address where next != nil: "the operator's next one is downloaded when it starts"
            case .address: "the operator has no newer one yet; checking daily"
            case .file(let path): "replace \(path)"
            }
        log?(
            isNear
                ? .warning(
                    "the timetable of \(title) \(end <= moment ? "ended" : "ends") on \(last.iso8601): \(remedy)")
                : .recovered("the timetable of \(title) is now valid until \(last.iso8601)"))
    }

    mutating func logNextArchive(_ new: LoadedTimetable) {
        guard let startsAt = new.startsAt, let day = new.report.firstDay, startsAt != next else { return }
        next = startsAt
        log?(
            .info(
                "the operator's next timetable of \(title) starts on \(day.iso8601): the stored one is used until then")
        )
    }

    /// Logs that the stored archive came from a URL other than the configured one.
    mutating func logForeignArchive(_ origin: ArchiveOrigin) {
        guard foreignURL != origin.url else { return }
        foreignURL = origin.url
        log?(.info("the timetable of \(title) has a new URL: the stored one, from \(origin.url), is no longer used"))
    }
}

extension TimetableReport {
    /// The number of unreadable rows and the failure of the first; nil if none.
    var badRowSummary: String? {
        guard let first = firstBadRow else { return nil }
        return badRowCount == 1
            ? "a row could not be read: \(first)" : "\(badRowCount) rows could not be read, the first: \(first)"
    }
}

extension Duration {
    fileprivate var inTenths: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
