internal import BoardCore

// Removes scheduled departures that are the same vehicles as live trips with other IDs. Live trips that have left count,
// too: as long as a message lists them, their scheduled departures would come back as ghosts.

extension RealtimeOverlay {
    /// The largest difference between a live trip with an unknown ID and the scheduled departure of the same vehicle.
    static let sameTrain = Duration.seconds(300)
    /// How long ago such a trip may have left; an older one does not replace the next scheduled departure.
    private static let longestGone = Duration.seconds(900)
    /// How long ago its scheduled departure may have been booked.
    static let duplicateReach = longestGone + sameTrain

    /// The scheduled departures that live ones do not replace.
    static func withoutReplaced(_ planned: [Candidate], by live: [Candidate], now: Timestamp) -> [Candidate] {
        let remaining = planned.contains { $0.headway != nil } ? planned.filter { !isReplaced($0, by: live) } : planned
        return withoutDuplicates(remaining, of: live, since: now - longestGone)
    }

    /// Whether live vehicles replace a departure of a trip that has a headway and no exact times.
    private static func isReplaced(_ row: Candidate, by live: [Candidate]) -> Bool {
        guard row.trip != nil, let headway = row.headway, row.departure.booked == nil else { return false }
        let last = live.lazy.filter { $0.trip == row.trip || $0.departure.line.id == row.departure.line.id }
            .filter { $0.direction == row.direction }.map(\.departure.due).max()
        return last.map { row.departure.due <= $0 + .seconds(headway / 2) } ?? false
    }

    /// The scheduled departures without duplicates of live trips with unknown IDs: each live trip removes the nearest
    /// departure of the same line and direction. Otherwise the board would show each of them twice.
    private static func withoutDuplicates(_ planned: [Candidate], of live: [Candidate], since: Timestamp) -> [Candidate]
    {
        var planned = planned
        for row in live where row.isUnknownTrip && row.due > since {
            let near = planned.indices.filter { index in
                planned[index].due.distance(to: row.due) <= sameTrain && row.hasSameLineAndDirection(as: planned[index])
            }
            // The first of two equally near ones.
            let nearest = near.min { planned[$0].due.distance(to: row.due) < planned[$1].due.distance(to: row.due) }
            if let nearest { planned.remove(at: nearest) }
        }
        return planned
    }
}

extension Timestamp {
    func distance(to other: Timestamp) -> Duration {
        self < other ? other - self : self - other
    }
}
