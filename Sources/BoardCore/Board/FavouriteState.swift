/// The state of one favourite: its configuration, the data of its stop, and the view of it.
struct FavouriteState: Hashable, Sendable {
    private(set) var favourite: Favourite
    /// The stop as the operator describes it.
    private(set) var stop: Stop
    /// The departures of the last response, including those that have expired since.
    private(set) var rows: [DepartureRow] = []
    /// The alerts of the last response.
    private(set) var reportedAlerts: [Alert] = []
    /// Whether the operator withholds departures.
    private(set) var isWithheld = false
    /// The next departure, when the response has none.
    private(set) var next: NextDeparture?
    /// The end of the operator's timetable.
    private(set) var timetableEndsAt: Timestamp?
    /// Why a part of the last response is missing; nil: complete.
    private(set) var partialFailure: FeedFailure?
    /// The kind of the partial failure, if a person must fix it.
    var rejection: FeedFailure.Kind? { partialFailure.flatMap { $0.kind.isRejection ? $0.kind : nil } }
    private(set) var status = FeedStatus.loading
    /// Whether there was a response since the start.
    private(set) var hasResponded = false
    /// The failure of the last poll, if it failed.
    private(set) var failure: Failure?
    /// When the last response arrived; before the first one, when the board began to wait for it.
    private(set) var lastResponseAt: Instant
    private(set) var freezeDetector = FreezeDetector()
    /// The order of the rows.
    var sort: SortOrder
    /// The open detail page.
    var detailPage: DetailPage?

    /// A failed poll, for reports.
    struct Failure: Hashable, Sendable {
        /// The sentence for the log.
        let detail: String
        let at: Instant
    }

    /// - Parameter directoryStop: the stop in the stop directory, until its operator responds.
    init(_ favourite: Favourite, directoryStop: Stop?, at now: Instant) {
        self.favourite = favourite
        stop = directoryStop ?? Stop(id: favourite.stop)
        sort = favourite.sort
        lastResponseAt = now
    }

    /// The same favourite without a response; only the stop's name and the sort order stay valid.
    func cleared(at now: Instant) -> FavouriteState {
        var state = FavouriteState(favourite, directoryStop: stop, at: now)
        state.sort = sort
        return state
    }

    /// Applies a new configuration. A response to a different request is discarded, with other trains for example. An
    /// order chosen by a press stays unless the configured order has changed.
    func configured(_ new: Favourite, at now: Instant) -> FavouriteState {
        var state = new.request.hasSameDepartures(as: favourite.request) ? self : cleared(at: now)
        if new.request != favourite.request { state.next = nil }
        state.clearRejection()
        if new.sort != favourite.sort { state.sort = new.sort }
        state.favourite = new
        return state
    }

    /// Restores a snapshot; a rejection is retried, because its cause may have been fixed.
    mutating func restore(_ snapshot: FavouriteSnapshot, zone: Zone?) {
        stop = Stop(id: stop.id, name: snapshot.name ?? stop.name, letter: snapshot.letter ?? stop.letter, zone: zone)
        rows = snapshot.rows
        reportedAlerts = snapshot.alerts
        isWithheld = snapshot.isWithheld ?? false
        next = snapshot.next
        timetableEndsAt = snapshot.timetableEndsAt
        status = snapshot.status
        // A favourite that was inactive begins to wait now.
        if snapshot.status != .loading { lastResponseAt = snapshot.lastResponseAt }
        hasResponded = snapshot.hasResponded
        freezeDetector = snapshot.freezeDetector
        detailPage = snapshot.detailPage
        if favourite.sort == snapshot.configuredSort { sort = snapshot.sort }
        clearRejection()
    }

    /// Handles a response: its departures replace the rows and inherit their minute holds.
    mutating func take(_ response: FeedResponse, at now: Instant, clock: CorrectedClock) {
        show(response.departures, at: response.stop, now: now, clock: clock)
        reportedAlerts = response.alerts
        isWithheld = response.isWithheld
        next = response.next
        timetableEndsAt = response.timetableEndsAt
        partialFailure = response.partialFailure
        status = .responding
        failure = nil
        hasResponded = true
        lastResponseAt = now - response.age
        freezeDetector.observe(response.departures, at: now, moment: clock.timestamp(at: now))
    }

    /// Handles a failure: the rows stay and become stale, or are replaced by the feed's cached departures.
    mutating func take(_ failure: FeedFailure, at now: Instant, clock: CorrectedClock) {
        guard failure.kind != .cancelled else { return }
        if let cached = failure.cached { show(cached.departures, at: cached.stop, now: now, clock: clock) }
        status = status.after(failure.kind)
        self.failure = Failure(detail: failure.detail, at: now)
    }

    /// Replaces the rows.
    private mutating func show(_ departures: [Departure], at newStop: Stop, now: Instant, clock: CorrectedClock) {
        var old = rows
        let moment = clock.timestamp(at: now)
        rows = departures.map { departure in
            let departure = departure.cappedMadeAt(by: moment)
            guard let index = old.index(of: departure) else {
                return DepartureRow(departure)
            }
            // Removed, so that two vehicles without names never share one predecessor.
            return DepartureRow(departure, after: old.remove(at: index), at: now, clock: clock)
        }
        // A name stays when a later response (an empty one, for example) lacks it.
        stop = Stop(
            id: stop.id, name: newStop.name ?? stop.name, letter: newStop.letter ?? stop.letter,
            zone: newStop.zone ?? stop.zone)
        if let departure = detailPage?.departure, let index = rows.index(of: departure) {
            detailPage?.take(rows[index].departure)
        }
    }

    /// Clears a rejection that a new configuration may have fixed; it is retried at once.
    private mutating func clearRejection() {
        detailPage?.clearRejection()
        if case .failing(let kind, _) = status, kind.isRejection { status = .loading }
    }

    /// The rows that pass the filters at `moment`, in order.
    func visible(at moment: Timestamp, sorted order: SortOrder? = nil) -> [DepartureRow] {
        (order ?? sort).sorted(
            rows.filter { !$0.isExpired(at: moment) && favourite.matches($0.departure) && !isHidden($0, at: moment) })
    }

    /// Whether there is a row that is hidden because it cannot be reached in time.
    func hasMissed(at moment: Timestamp) -> Bool {
        rows.contains { !$0.isExpired(at: moment) && favourite.matches($0.departure) && isHidden($0, at: moment) }
    }

    private func isHidden(_ row: DepartureRow, at moment: Timestamp) -> Bool {
        guard favourite.uncatchable == .hide, let walk = favourite.walk else { return false }
        return row.departure.catchStatus(from: moment, walk: walk) == .missed
    }

    /// The alerts that are active at `moment`, most severe first.
    func alerts(at moment: Timestamp) -> [Alert] {
        reportedAlerts.filter { $0.isActive(at: moment) }.enumerated().sorted {
            ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }
        .map(\.element)
    }
}

extension SortOrder {
    func sorted(_ rows: [DepartureRow]) -> [DepartureRow] {
        rows.sorted { precedes($0.departure, $1.departure) }
    }

    public func sorted(_ departures: [Departure]) -> [Departure] {
        departures.sorted(by: precedes)
    }

    /// Equal keys are ordered by time, line and destination.
    private func precedes(_ one: Departure, _ other: Departure) -> Bool {
        let times = (one.due, LineKey(one.line), one.destination)
        let otherTimes = (other.due, LineKey(other.line), other.destination)
        switch self {
        case .time: return times < otherTimes
        case .line: return (times.1, times.0, times.2) < (otherTimes.1, otherTimes.0, otherTimes.2)
        case .destination: return (times.2, times.0, times.1) < (otherTimes.2, otherTimes.0, otherTimes.1)
        }
    }
}

/// Sorts lines by number, then name: 9, 73, 390, N73, Victoria.
private struct LineKey: Comparable {
    private let number: Int
    private let name: String

    init(_ line: Line) {
        name = line.name
        number = Int(name.prefix { $0.isASCII && $0.isNumber }) ?? .max
    }

    static func < (left: LineKey, right: LineKey) -> Bool {
        (left.number, left.name) < (right.number, right.name)
    }
}
