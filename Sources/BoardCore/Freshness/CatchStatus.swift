/// Whether a person who leaves now catches a departure.
enum CatchStatus: Hashable, Sendable {
    /// The time left until the person must leave.
    case inTime(Duration)
    /// The person must leave within this minute.
    case leaveNow
    case missed

    /// The display's resolution is one minute.
    static let leavingWithin = Duration.seconds(60)
}

extension Departure {
    /// The catch status for a walk of length `walk`; nil without a time, for cancelled departures, and for those more
    /// than a day away.
    func catchStatus(from moment: Timestamp, walk: Duration) -> CatchStatus? {
        guard due - moment <= Remaining.dayWithin, let leaving = leaving(walk: walk) else { return nil }
        let rest = leaving - moment
        if rest < .zero { return .missed }
        return rest < CatchStatus.leavingWithin ? .leaveNow : .inTime(rest)
    }

    /// When a person with this walking time must leave.
    func leaving(walk: Duration) -> Timestamp? {
        status.time.map { $0 - walk }
    }
}
