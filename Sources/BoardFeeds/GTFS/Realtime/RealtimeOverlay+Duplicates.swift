internal import BoardCore

// Which rows of the timetable make way for live ones that are the same vehicles under other names. Those count that have gone
// already: as long as a message lists them, their rows of the timetable would come back as ghosts.

extension RealtimeOverlay {
    /// How far from the timetable a train may be that is told of under a name which the timetable does not know, and be
    /// taken for one of its trains.
    static let sameTrain = Duration.seconds(300)
    /// How long ago such a train may have gone: the row of the timetable of the next one is not taken for it.
    private static let longestGone = Duration.seconds(900)
    /// How long ago its row of the timetable may have been booked.
    static let duplicateReach = longestGone + sameTrain

    /// What of the timetable is left beside live rows.
    static func left(of planned: [Candidate], beside live: [Candidate], now: Timestamp) -> [Candidate] {
        let promised = planned.contains { $0.headway != nil } ? planned.filter { !isReplaced($0, by: live) } : planned
        return withoutDuplicates(promised, of: live, since: now - longestGone)
    }

    /// Whether a row of a trip that only promises how often a vehicle comes has made way for live vehicles of that trip.
    private static func isReplaced(_ row: Candidate, by live: [Candidate]) -> Bool {
        guard row.trip != nil, let headway = row.headway, row.departure.booked == nil else { return false }
        let last = live.lazy.filter { $0.trip == row.trip || $0.departure.line.id == row.departure.line.id }
            .filter { $0.direction == row.direction }.map(\.departure.due).max()
        return last.map { row.departure.due <= $0 + .seconds(headway / 2) } ?? false
    }

    /// Rows of the timetable without those whose trains are told of under names that the timetable does not know: the
    /// nearest of the same line and way, one for one. Without that each of them would be seen twice.
    private static func withoutDuplicates(_ planned: [Candidate], of live: [Candidate], since: Timestamp) -> [Candidate]
    {
        var planned = planned
        for row in live where row.isUnknownTrip && row.due > since {
            var (twin, nearest): (Int?, Duration) = (nil, sameTrain)
            for index in planned.indices {
                let distance = planned[index].due.distance(to: row.due)
                // Of two that are as near the first.
                guard twin == nil ? distance <= nearest : distance < nearest, row.isAlong(planned[index]) else {
                    continue
                }
                (twin, nearest) = (index, distance)
            }
            if let twin { planned.remove(at: twin) }
        }
        return planned
    }
}

extension Timestamp {
    /// How far apart two moments are.
    fileprivate func distance(to other: Timestamp) -> Duration {
        self < other ? other - self : self - other
    }
}
