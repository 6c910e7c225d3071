/// A departure on the board, with what the board itself remembers of it.
struct DepartureRow: Hashable, Sendable, Codable {
    /// What the operator said.
    let departure: Departure
    /// The number that is held, if one is.
    let hold: MinuteHold?

    init(_ departure: Departure, hold: MinuteHold? = nil) {
        self.departure = departure
        self.hold = hold
    }

    /// The row that takes `previous`'s place with a newer estimate.
    ///
    /// If the whole minutes rise by exactly one the old number is held, for 119 s at most from the first time that it
    /// was; a rise of two or more shows at once.
    init(_ departure: Departure, after previous: DepartureRow, at now: Instant, clock: CorrectedClock) {
        let moment = clock.timestamp(at: now)
        let old = previous.remaining(at: now, clock: clock).wholeMinutes
        let new = DepartureRow(departure).remaining(at: now, clock: clock).wholeMinutes
        guard let old, let new, new == old + 1, previous.departure.expiresAt > moment else {
            self.init(departure)
            return
        }
        // A hold that ran out is not begun anew: a vehicle that stands in traffic must show its time at last.
        let running = previous.hold.flatMap { $0.minutes == old ? $0 : nil }
        self.init(departure, hold: running ?? MinuteHold(minutes: old, until: now + MinuteHold.longest))
    }

    /// Whether the row has left the board.
    func isExpired(at moment: Timestamp) -> Bool {
        departure.expiresAt <= moment
    }

    /// What is shown of the time at `now`.
    func remaining(at now: Instant, clock: CorrectedClock) -> Remaining {
        switch departure.status {
        case .delayed: return .delayed
        case .cancelled: return .cancelled
        case .expected(let time), .scheduled(let time):
            let remaining = Remaining.until(time, at: clock.timestamp(at: now))
            if let hold, now < hold.until, remaining.wholeMinutes == hold.minutes + 1 {
                return .whole(minutes: hold.minutes)
            }
            return remaining
        }
    }

    /// What the estimate is worth at `moment`, when the feed's estimates are aged after `limit`.
    func freshness(at moment: Timestamp, staleAfter limit: Duration) -> Freshness {
        if case .scheduled = departure.status { return .scheduled }
        return moment > departure.becomesStale(after: limit) ? .stale : .live
    }

    /// The soonest instant after `now` at which the row may look different or go.
    ///
    /// - Parameter walk: how long a person needs to get there; nil: nothing is said of it.
    func nextChange(
        after now: Instant, clock: CorrectedClock, staleAfter limit: Duration, walk: Duration?
    ) -> Instant? {
        let resolution = Duration.microseconds(1)
        var changes = [departure.expiresAt, departure.becomesStale(after: limit) + resolution]
        if let leaving = walk.flatMap({ departure.leaving(walk: $0) }) {
            changes += [leaving - CatchStatus.leavingWithin + resolution, leaving + resolution]
        }
        switch departure.status {
        case .delayed, .cancelled: break
        case .expected(let time), .scheduled(let time):
            switch Remaining.until(time, at: clock.timestamp(at: now)) {
            case .due, .delayed, .cancelled: break
            case .minutes(1): changes.append(time - Remaining.dueWithin + resolution)
            case .minutes(let count): changes.append(time - .seconds(60 * count) + resolution)
            case .time: changes.append(time - Remaining.minutesWithin)
            case .later: changes.append(time - Remaining.dayWithin)
            }
        }
        var instants = changes.map(clock.instant(of:))
        if let hold { instants.append(hold.until) }
        return instants.filter { $0 > now }.min()
    }

    /// The soonest instant after `now` at which the row may go, or its time be written in another number of cells: all
    /// that a row on another screen can do to the one in view.
    func nextReflow(after now: Instant, clock: CorrectedClock, walk: Duration?) -> Instant? {
        let resolution = Duration.microseconds(1)
        var changes = [departure.expiresAt]
        if let leaving = walk.flatMap({ departure.leaving(walk: $0) }) { changes.append(leaving + resolution) }
        switch departure.status {
        case .delayed, .cancelled: break
        case .expected(let time), .scheduled(let time):
            // From a day to a time of day, to two digits, to one, to "due".
            changes += [
                time - Remaining.dayWithin, time - Remaining.minutesWithin, time - .seconds(600) + resolution,
                time - Remaining.dueWithin + resolution,
            ]
        }
        var instants = changes.map(clock.instant(of:))
        if let hold { instants.append(hold.until) }
        return instants.filter { $0 > now }.min()
    }
}

extension [DepartureRow] {
    /// The row of a service: the very same estimate where there is one, otherwise, of those that tell of the same vehicle's
    /// call, the one at its platform, and of several the nearest in time. (One vehicle may call at two poles of a pair.)
    func index(of service: Departure) -> Int? {
        func distance(_ index: Int) -> (Int, Duration) {
            let other = self[index].departure
            let apart = other.due - service.due
            return (service.isElsewhere(than: other) ? 1 : 0, apart < .zero ? .zero - apart : apart)
        }
        return firstIndex { $0.departure == service }
            ?? indices.filter { self[$0].departure.isSameTrip(as: service) }.min { distance($0) < distance($1) }
    }
}

extension Departure {
    /// The moment after which the estimate is aged, when the feed's are after `limit`.
    fileprivate func becomesStale(after limit: Duration) -> Timestamp {
        min(madeAt + limit, staleAt ?? madeAt + limit)
    }

    /// How far apart two estimates of one vehicle without a name may lie.
    private static let sameWithin = Duration.seconds(90)

    /// Whether both tell of the same vehicle's call. What one of them does not tell decides nothing: a platform, or a number,
    /// is often told only when the vehicle is near.
    ///
    /// The operator's identifier of the run decides, then the vehicle's name; where there is neither, line, destination and
    /// booked time, whatever platform it goes from in the end; without a booked time, nearly the same time at no other
    /// platform.
    func isSameTrip(as other: Departure) -> Bool {
        guard stop == other.stop else { return false }
        if let id = attributes?.id, let other = other.attributes?.id { return id == other }
        guard line.id == other.line.id else { return false }
        if !vehicle.isEmpty, !other.vehicle.isEmpty { return vehicle == other.vehicle }
        guard destination == other.destination else { return false }
        if let booked, let other = other.booked { return booked == other }
        let apart = due - other.due
        return !isElsewhere(than: other) && apart < Self.sameWithin && apart > .zero - Self.sameWithin
    }

    /// Whether both tell a platform, and not the same one.
    fileprivate func isElsewhere(than other: Departure) -> Bool {
        guard let platform, let other = other.platform else { return false }
        return platform != other
    }
}
