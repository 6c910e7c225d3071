/// Whether somebody who sets out now catches a departure.
enum CatchStatus: Hashable, Sendable {
    /// There is time; how much until one has to leave.
    case inTime(Duration)
    /// It is time to leave: within this minute.
    case leaveNow
    /// It is too late.
    case missed

    /// A minute is what the glass can tell apart.
    static let leavingWithin = Duration.seconds(60)
}

extension Departure {
    /// Whether somebody who needs `walk` to get there catches it; nil where that says nothing: without an estimate, and of
    /// what does not run, and of what is more than a day away.
    func catchStatus(from moment: Timestamp, walk: Duration) -> CatchStatus? {
        guard due - moment <= Remaining.dayWithin, let leaving = leaving(walk: walk) else { return nil }
        let rest = leaving - moment
        if rest < .zero { return .missed }
        return rest < CatchStatus.leavingWithin ? .leaveNow : .inTime(rest)
    }

    /// When somebody has to leave who needs `walk` to get there.
    func leaving(walk: Duration) -> Timestamp? {
        switch status {
        case .expected(let time), .scheduled(let time): time - walk
        case .delayed, .cancelled: nil
        }
    }
}
