/// A departure on the board, with the minute hold.
struct DepartureRow: Hashable, Sendable, Codable {
    let departure: Departure
    let hold: MinuteHold?

    init(_ departure: Departure, hold: MinuteHold? = nil) {
        self.departure = departure
        self.hold = hold
    }

    /// The row that replaces `previous` with a newer estimate.
    ///
    /// If the whole minutes rise by exactly one and the estimate is near the old number, that number is held, for at
    /// most 119 s in all. A rise of two or more shows at once, and so does every estimate after a stale one.
    init(
        _ departure: Departure, after previous: DepartureRow, at now: Instant, clock: CorrectedClock
    ) {
        let moment = clock.timestamp(at: now)
        let old = previous.remaining(at: now, clock: clock).wholeMinutes
        let new = DepartureRow(departure).remaining(at: now, clock: clock).wholeMinutes
        guard let old, let new, new == old + 1, previous.departure.expiresAt > moment,
            previous.departure.freshness(at: moment) != .stale,
            let time = departure.status.time, time - moment < MinuteHold.reach(of: old)
        else {
            self.init(departure)
            return
        }
        // An expired hold is not renewed: a vehicle in stationary traffic must show its real time eventually.
        let running = previous.hold.flatMap { $0.minutes == old ? $0 : nil }
        self.init(departure, hold: running ?? MinuteHold(minutes: old, until: now + MinuteHold.maximumDuration))
    }

    func isExpired(at moment: Timestamp) -> Bool {
        departure.expiresAt <= moment
    }

    func remaining(at now: Instant, clock: CorrectedClock) -> Remaining {
        guard let time = departure.status.time else { return departure.status == .delayed ? .delayed : .cancelled }
        let remaining = Remaining.until(time, at: clock.timestamp(at: now))
        guard let hold, now < hold.until, remaining.wholeMinutes == hold.minutes + 1 else { return remaining }
        return hold.minutes == 0 ? .due : .minutes(hold.minutes)
    }

    /// The first instant after `now` at which the row may look different or expire.
    func nextChange(
        after now: Instant, clock: CorrectedClock, walk: Duration?
    ) -> Instant? {
        let resolution = Duration.microseconds(1)
        var changes = [departure.expiresAt] + (departure.staleAt.map { [$0 + resolution] } ?? [])
        if let leaving = walk.flatMap({ departure.leaving(walk: $0) }) {
            changes += [leaving - CatchStatus.leavingWithin + resolution, leaving + resolution]
        }
        if let time = departure.status.time {
            switch Remaining.until(time, at: clock.timestamp(at: now)) {
            case .due, .delayed, .cancelled: break
            case .minutes(1): changes.append(time - Remaining.dueWithin + resolution)
            case .minutes(let count): changes.append(time - .seconds(60 * count) + resolution)
            case .time: changes.append(time - Remaining.minutesWithin)
            case .later: changes.append(time - Remaining.dayWithin)
            }
        }
        return first(of: changes, after: now, clock: clock)
    }

    /// The first instant after `now` at which the row may expire, be too late for this walking time, or begin with the
    /// line instead of the day. Only these changes of a row on another screen affect the screen in view.
    func nextDisappearance(after now: Instant, clock: CorrectedClock, walk: Duration?) -> Instant? {
        var changes = [departure.expiresAt]
        if let leaving = walk.flatMap({ departure.leaving(walk: $0) }) { changes.append(leaving + .microseconds(1)) }
        if let time = departure.status.time { changes.append(time - Remaining.dayWithin) }
        return changes.map(clock.instant(of:)).filter { $0 > now }.min()
    }

    /// The first change after `now`, or the end of the hold if that is earlier.
    private func first(of changes: [Timestamp], after now: Instant, clock: CorrectedClock) -> Instant? {
        (changes.map(clock.instant(of:)) + [hold?.until].compactMap(\.self)).filter { $0 > now }.min()
    }
}

extension [DepartureRow] {
    /// The row of the same trip: the identical estimate if there is one, otherwise the same call, preferably at the
    /// same platform, then the nearest in time. (One vehicle may call at two poles of a pair.)
    func index(of target: Departure) -> Int? {
        func distance(_ index: Int) -> (Int, Duration) {
            let other = self[index].departure
            return (target.isElsewhere(than: other) ? 1 : 0, (other.due - target.due).magnitude)
        }
        return firstIndex { $0.departure == target }
            ?? indices.filter { self[$0].departure.isSameTrip(as: target) }.min { distance($0) < distance($1) }
    }
}

extension Departure {
    /// The largest difference between two estimates of one vehicle without a name.
    private static let sameWithin = Duration.seconds(90)

    /// Whether both describe the same call. A value that one of them lacks does not count: operators often report a
    /// platform or number only shortly before the departure.
    ///
    /// The operator's identifier of the trip decides, then the vehicle's name. Without both: line, destination and
    /// booked time, whatever the platform. Without a booked time: nearly the same time, and no different platform.
    func isSameTrip(as other: Departure) -> Bool {
        guard stop == other.stop else { return false }
        if let id = attributes?.id, let other = other.attributes?.id { return id == other }
        guard line.id == other.line.id else { return false }
        if !vehicle.isEmpty, !other.vehicle.isEmpty { return vehicle == other.vehicle }
        guard destination == other.destination else { return false }
        if let booked, let other = other.booked { return booked == other }
        return !isElsewhere(than: other) && (due - other.due).magnitude < Self.sameWithin
    }

    /// Whether both have a platform and the platforms differ.
    fileprivate func isElsewhere(than other: Departure) -> Bool {
        guard let platform, let other = other.platform else { return false }
        return platform != other
    }
}
