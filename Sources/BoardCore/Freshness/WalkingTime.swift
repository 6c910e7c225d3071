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

extension FavouriteState {
    /// Whether there is a row that is hidden because it cannot be reached in time.
    func hasMissed(at moment: Timestamp) -> Bool {
        data.rows.contains { !$0.isExpired(at: moment) && favourite.matches($0.departure) && isHidden($0, at: moment) }
    }

    func isHidden(_ row: DepartureRow, at moment: Timestamp) -> Bool {
        favourite.uncatchable == .hide && catchStatus(of: row.departure, at: moment) == .missed
    }

    /// Nil without a walking time too.
    func catchStatus(of departure: Departure, at moment: Timestamp) -> CatchStatus? {
        favourite.walk.flatMap { departure.catchStatus(from: moment, walk: $0) }
    }
}
