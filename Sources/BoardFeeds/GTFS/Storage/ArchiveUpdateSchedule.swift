import BoardCore
import BoardIO

/// When to check the stored archive and when to download a newer one. It does no I/O and no logging.
struct ArchiveUpdateSchedule {
    /// How often the file is checked: another process may have replaced it.
    private static let checkInterval: Duration = .seconds(60)
    /// How often a newer archive is requested; more often near the end of the stored one.
    private static let downloadInterval: Duration = .seconds(7 * 86_400)
    private static let downloadIntervalNearEnd: Duration = .seconds(86_400)
    /// The pauses after a failed request, and after an unreadable archive, which costs 20 MB of traffic each time.
    private static let retryAfterFailure: Duration = .seconds(3_600)
    static let retryAfterBadArchive: Duration = .seconds(6 * 3_600)

    private var nextCheck = Instant(microseconds: .min)
    private var nextDownload = Instant(microseconds: .min)
    /// The stored archive, if it is unreadable.
    private var badIdentity: FileIdentity?
    /// The failure of the last check or download; nil if both succeeded.
    private(set) var failure: FeedError?

    var isUnreadable: Bool { badIdentity != nil }

    /// Whether a check is due; then schedules the next one.
    mutating func isCheckDue(at now: Instant) -> Bool {
        guard now >= nextCheck else { return false }
        nextCheck = now + Self.checkInterval
        return true
    }

    /// Whether a download is due.
    ///
    /// - Parameters:
    ///   - origin: the origin of the stored archive, if available.
    ///   - isNearEnd: whether the stored timetable has expired, or expires soon.
    ///   - moment: the wall clock at `now`.
    func isDue(_ origin: ArchiveOrigin?, isNearEnd: Bool, at now: Instant, moment: Timestamp) -> Bool {
        guard now >= nextDownload else { return false }
        guard let origin, !isUnreadable else { return true }
        if let next = origin.next, origin.checkedAt < next, next <= moment { return true }
        // A clock that was set back must not delay the download for years.
        return moment - origin.checkedAt >= (isNearEnd ? Self.downloadIntervalNearEnd : Self.downloadInterval)
            || origin.checkedAt > moment
    }

    func isKnownToBeBad(_ identity: FileIdentity) -> Bool { identity == badIdentity }

    /// Records that the stored archive is current and readable.
    mutating func succeeded() {
        badIdentity = nil
        failure = nil
    }

    /// Records that the stored archive is unreadable or no longer exists.
    mutating func failed(_ failure: FeedError, reading identity: FileIdentity?) {
        badIdentity = identity
        self.failure = failure
    }

    mutating func failed(_ failure: FeedError, downloadingAt now: Instant) {
        nextDownload = now + (failure.kind == .unreadable ? Self.retryAfterBadArchive : Self.retryAfterFailure)
        self.failure = failure
    }
}

struct LoadedTimetable: Sendable {
    let report: TimetableReport
    /// The stops for which it was read, including those missing from the archive.
    let stops: Set<String>
    var generation: Int
    /// The timetable, indexed for realtime messages.
    let index: RealtimeIndex
    let identity: FileIdentity?

    var timetable: Timetable { index.timetable }

    /// A timetable is near its end from this many days before it.
    private static let nearEnd: Int64 = 7

    var startsAt: Timestamp? { report.firstDay.map(timetable.beginning(of:)) }

    var endsAt: Timestamp? { report.lastDay.map { timetable.beginning(of: $0.adding(days: 1)) } }

    /// Its last day if that is over; otherwise nil.
    func lastDay(ifEndedAt moment: Timestamp) -> CivilDate? { endsAt.isSomeAnd { $0 <= moment } ? report.lastDay : nil }

    func outcome(at moment: Timestamp, from source: GTFSSource) -> SourceCheck.Outcome {
        if let last = lastDay(ifEndedAt: moment) {
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

    func isInEffect(at moment: Timestamp) -> Bool {
        endsAt.isSomeAnd { moment < $0 } && startsAt.isNilOr { $0 <= moment }
    }

    /// Whether it expires within 7 days, or has expired.
    func isNearEnd(at moment: Timestamp) -> Bool {
        report.lastDay.isSomeAnd {
            $0.daysSince1970 - timetable.zone.localTime(at: moment).date.daysSince1970 <= Self.nearEnd
        }
    }
}
