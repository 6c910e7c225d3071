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
    init(_ departure: Departure, after previous: DepartureRow, at now: Instant, clock: CorrectedClock) {
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

    func isExpired(at moment: Timestamp) -> Bool { departure.expiresAt <= moment }

    /// The time until the departure, whatever the walk.
    func remaining(at now: Instant, clock: CorrectedClock) -> Remaining {
        guard let time = shownTime(at: now, clock: clock) else {
            return departure.status == .delayed ? .delayed : .cancelled
        }
        return Remaining.until(time, at: clock.timestamp(at: now))
    }

    /// What the row counts for a person with this walking time; nil: none is configured. More than a day before the
    /// departure nobody thinks of leaving.
    func remaining(at now: Instant, clock: CorrectedClock, walk: Duration?) -> Remaining {
        let moment = clock.timestamp(at: now)
        guard let walk, let time = shownTime(at: now, clock: clock), time - moment <= Remaining.dayWithin else {
            return remaining(at: now, clock: clock)
        }
        return Remaining.untilLeaving(at: time - walk, walk: walk, at: moment)
    }

    /// The estimate, or an earlier time that has the minutes held.
    private func shownTime(at now: Instant, clock: CorrectedClock) -> Timestamp? {
        guard let time = departure.status.time else { return nil }
        let moment = clock.timestamp(at: now)
        guard let hold, now < hold.until, Remaining.until(time, at: moment).wholeMinutes == hold.minutes + 1 else {
            return time
        }
        return hold.minutes == 0 ? moment : time - .seconds(60)
    }

    /// The first instant after `now` at which the row may look different or expire.
    func nextChange(after now: Instant, clock: CorrectedClock, walk: Duration?) -> Instant? {
        let resolution = Duration.microseconds(1)
        var changes = disappearances(walk: walk) + (departure.staleAt.map { [$0 + resolution] } ?? [])
        if let time = shownTime(at: now, clock: clock) {
            let leaving = time - (walk ?? .zero)
            switch remaining(at: now, clock: clock, walk: walk) {
            case .due, .delayed, .cancelled, .run: break
            case .minutes(1): changes.append(time - Remaining.dueWithin + resolution)
            case .minutes(let count): changes.append(time - .seconds(60 * count) + resolution)
            case .time: changes.append(time - Remaining.minutesWithin)
            case .later: changes.append(time - Remaining.dayWithin)
            case .leaveIn(let count): changes.append(leaving - .seconds(60 * count) + resolution)
            case .leaveAt: changes.append(leaving - Remaining.minutesWithin)
            case .leaveNow: changes.append(leaving + resolution)
            }
        }
        return first(of: changes, after: now, clock: clock)
    }

    /// The first instant after `now` at which the row may expire, be too late for this walking time, or begin with the
    /// line instead of the day. Only these changes of a row on another screen affect the screen in view.
    func nextDisappearance(after now: Instant, clock: CorrectedClock, walk: Duration?) -> Instant? {
        let lastDay = departure.status.time.map { $0 - Remaining.dayWithin }
        return (disappearances(walk: walk) + [lastDay].compactMap(\.self)).map(clock.instant(of:)).filter { $0 > now }
            .min()
    }

    private func disappearances(walk: Duration?) -> [Timestamp] {
        [departure.expiresAt] + (departure.missed(walk: walk).map { [$0] } ?? [])
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
