internal import BoardCore

/// Says of a city's timetable what belongs into the log: what is wrong once, when it begins to be, and once that it is over.
struct TimetableLog {
    let title: String
    let source: GTFSSource
    /// Takes the sentences; nil: nobody does.
    let log: (@Sendable (FeedStorage.LogEntry) -> Void)?

    private var isFailing = false
    private var hasLoggedExpiry = false
    private var badRows: [GTFSFile: TimetableReport.BadRows] = [:]
    private var thinned = 0
    private var next: Timestamp?
    private var foreignURL: String?

    init(title: String, source: GTFSSource, log: (@Sendable (FeedStorage.LogEntry) -> Void)?) {
        self.title = title
        self.source = source
        self.log = log
    }

    /// Says that an archive was read, and which rows of it were left out.
    ///
    /// - Parameter name: what people know it by.
    mutating func logRead(_ name: String, _ report: TimetableReport, stops: Int) {
        let seconds = report.duration.inTenths
        log?(
            .completed(
                "the timetable of \(title) was read for \(stops) \(stops == 1 ? "stop" : "stops") in \(seconds) s"))
        defer { (badRows, thinned) = (report.badRows, report.clampedHeadways) }
        if report.clampedHeadways > 0, report.clampedHeadways != thinned {
            log?(
                .info(
                    "the timetable of \(title): \(name): frequencies.txt has \(report.clampedHeadways) rows with a headway of "
                        + "less than \(Timetable.Frequency.shortest) s: one departure a minute is shown"))
        }
        guard badRows != report.badRows, let remark = report.badRowSummary else { return }
        log?(.warning("the timetable of \(title): \(name): \(remark). The others are told"))
    }

    /// Says how much of an archive has come, of a download that takes long.
    func logProgress(_ bytes: Int, _ elapsed: Duration) {
        let minutes = elapsed.wholeSeconds / 60
        log?(
            .info(
                "the timetable of \(title) is still being downloaded: \(bytes / 1_000) kB in \(minutes) minutes"))
    }

    /// Says what is wrong with newer archives when it begins to be, and when it is over.
    mutating func logFailure(_ failure: FeedFailure?) {
        guard (failure != nil) != isFailing else { return }
        isFailing = failure != nil
        log?(
            failure.map { .warning("\($0.detail). The timetable of before stays, and a newer one is looked for") }
                ?? .recovered("the timetable of \(title) is up to date again"))
    }

    /// Says that the timetable ends, a week before, and that there is a newer one.
    ///
    /// - Parameter next: when the operator's next one begins, where it is known; it is taken then.
    mutating func logExpiry(of loaded: LoadedTimetable, next: Timestamp?, at moment: Timestamp) {
        guard let last = loaded.report.lastDay, let end = loaded.endsAt else { return }
        let isNear = loaded.isNearEnd(at: moment)
        guard isNear != hasLoggedExpiry else { return }
        hasLoggedExpiry = isNear
        let remedy =
            switch source {
            case .address where next != nil: "the operator's next one is taken when it begins"
            case .address: "the operator has no newer one yet and is asked daily"
            case .file(let path): "put a newer one in the place of \(path)"
            }
        log?(
            isNear
                ? .warning(
                    "the timetable of \(title) \(end <= moment ? "ended" : "ends") on \(last.iso8601): \(remedy)")
                : .recovered("the timetable of \(title) now goes on until \(last.iso8601)"))
    }

    /// Says that the operator has another archive, which is of no use before a day.
    mutating func logNextArchive(_ new: LoadedTimetable) {
        guard let startsAt = new.startsAt, let day = new.report.firstDay, startsAt != next else { return }
        next = startsAt
        log?(
            .info(
                "the operator's next timetable of \(title) begins on \(day.iso8601): the one that is kept serves until "
                    + "then"))
    }

    /// Says that what is kept came from elsewhere than is configured.
    mutating func logForeignArchive(_ origin: ArchiveOrigin) {
        guard foreignURL != origin.url else { return }
        foreignURL = origin.url
        log?(
            .info(
                "the timetable of \(title) is at another address now: the one that was kept, of \(origin.url), is not used "
                    + "any more"))
    }
}

extension TimetableReport {
    /// How many rows could not be read, and what is wrong with the first; nil: all could.
    var badRowSummary: String? {
        guard let first = firstBadRow else { return nil }
        return badRowCount == 1
            ? "a row could not be read: \(first)" : "\(badRowCount) rows could not be read, the first: \(first)"
    }
}

extension CivilDate {
    /// 2026-03-07.
    var iso8601: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))"
    }
}

extension Duration {
    /// Seconds with one decimal.
    fileprivate var inTenths: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
