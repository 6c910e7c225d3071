/// One favourite on the board: what is known of its stop, and how a person looks at it.
struct FavouriteState: Hashable, Sendable {
    /// What a person wrote.
    private(set) var favourite: Favourite
    /// What the operator says of the stop.
    private(set) var stop: Stop
    /// The departures that were told last, void ones among them until the next answer.
    private(set) var rows: [DepartureRow] = []
    /// What the operator wants people there to know.
    private(set) var reportedAlerts: [Alert] = []
    /// Whether the operator keeps back what runs there.
    private(set) var isWithheld = false
    /// The next one, where none was told.
    private(set) var next: NextDeparture?
    /// Until when the operator's timetable reaches.
    private(set) var timetableEndsAt: Timestamp?
    /// Why a part of the last answer is missing; nil: nothing is.
    private(set) var partialFailure: FeedFailure?
    /// What that part failed with, where a person can mend it.
    var rejection: FeedFailure.Kind? { partialFailure.flatMap { $0.kind.isRejection ? $0.kind : nil } }
    /// How the operator stands with us.
    private(set) var status = FeedStatus.loading
    /// Whether its operator has ever answered.
    private(set) var hasResponded = false
    /// What the last question failed with, if it did.
    private(set) var failure: Failure?
    /// When the last answer came; before the first one, when the board began to wait for it.
    private(set) var lastResponseAt: Instant
    /// Whether answers move on.
    private(set) var freezeDetector = FreezeDetector()
    /// The order of the rows.
    var sort: SortOrder
    /// What a person has opened.
    var detailPage: DetailPage?

    /// A failed question, for people who ask what is wrong.
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

    /// The same stop of which nothing was heard yet: what it is called and the order that was chosen are all that stays
    /// true without being told again.
    func cleared(at now: Instant) -> FavouriteState {
        var state = FavouriteState(favourite, directoryStop: stop, at: now)
        state.sort = sort
        return state
    }

    /// The same stop with what a person now wants of it. An answer to another question is none: trains that go elsewhere, say.
    /// An order that was chosen by a press stays unless the file asks for another one than before.
    func configured(_ new: Favourite, at now: Instant) -> FavouriteState {
        var state = new.request.hasSameDepartures(as: favourite.request) ? self : cleared(at: now)
        if new.request != favourite.request { state.next = nil }
        state.clearRejection()
        if new.sort != favourite.sort { state.sort = new.sort }
        state.favourite = new
        return state
    }

    /// The state as it was kept; a refusal that may be mended meanwhile is asked about anew.
    mutating func restore(_ kept: FavouriteSnapshot, zone: Zone?) {
        stop = Stop(id: stop.id, name: kept.name ?? stop.name, letter: kept.letter ?? stop.letter, zone: zone)
        rows = kept.rows
        reportedAlerts = kept.alerts
        isWithheld = kept.isWithheld ?? false
        next = kept.next
        timetableEndsAt = kept.timetableEndsAt
        status = kept.status
        // One that rested then begins to wait now.
        if kept.status != .loading { lastResponseAt = kept.lastResponseAt }
        hasResponded = kept.hasResponded
        freezeDetector = kept.freezeDetector
        detailPage = kept.detailPage
        if favourite.sort == kept.configuredSort { sort = kept.sort }
        clearRejection()
    }

    /// Takes an answer: its departures replace the old ones, each keeping the number that is held for it.
    mutating func take(_ answer: FeedResponse, at now: Instant, clock: CorrectedClock) {
        show(answer.departures, at: answer.stop, now: now, clock: clock)
        reportedAlerts = answer.alerts
        isWithheld = answer.isWithheld
        next = answer.next
        timetableEndsAt = answer.timetableEndsAt
        partialFailure = answer.partialFailure
        status = .responding
        failure = nil
        hasResponded = true
        lastResponseAt = now - answer.age
        freezeDetector.observe(answer.departures, at: now, moment: clock.timestamp(at: now))
    }

    /// Takes a failure: the rows stay, and age; or they are those that the feed kept.
    mutating func take(_ failure: FeedFailure, at now: Instant, clock: CorrectedClock) {
        guard failure.kind != .cancelled else { return }
        if let cached = failure.cached { show(cached.departures, at: cached.stop, now: now, clock: clock) }
        status = status.after(failure.kind)
        self.failure = Failure(detail: failure.detail, at: now)
    }

    /// From now on these are the rows.
    private mutating func show(_ departures: [Departure], at there: Stop, now: Instant, clock: CorrectedClock) {
        var old = rows
        let moment = clock.timestamp(at: now)
        rows = departures.map { departure in
            let departure = departure.cappedMadeAt(by: moment)
            guard let index = old.index(of: departure) else {
                return DepartureRow(departure)
            }
            // Taken out, so that two vehicles without names never share one predecessor.
            return DepartureRow(departure, after: old.remove(at: index), at: now, clock: clock)
        }
        // A name once heard is not forgotten because a later answer (an empty one, say) does not repeat it.
        stop = Stop(
            id: stop.id, name: there.name ?? stop.name, letter: there.letter ?? stop.letter,
            zone: there.zone ?? stop.zone)
        if let departure = detailPage?.departure, let index = rows.index(of: departure) {
            detailPage?.take(rows[index].departure)
        }
    }

    /// Forgets a refusal that a new configuration may have mended; it is asked about at once.
    private mutating func clearRejection() {
        detailPage?.clearRejection()
        if case .failing(let kind, _) = status, kind.isRejection { status = .loading }
    }

    /// The rows that a person wants to see at `moment`, in order.
    func visible(at moment: Timestamp, sorted order: SortOrder? = nil) -> [DepartureRow] {
        (order ?? sort).sorted(
            rows.filter { !$0.isExpired(at: moment) && favourite.matches($0.departure) && !isHidden($0, at: moment) })
    }

    /// Whether there is a row only that nobody can catch any more.
    func hasMissed(at moment: Timestamp) -> Bool {
        rows.contains { !$0.isExpired(at: moment) && favourite.matches($0.departure) && isHidden($0, at: moment) }
    }

    private func isHidden(_ row: DepartureRow, at moment: Timestamp) -> Bool {
        guard favourite.uncatchable == .hide, let walk = favourite.walk else { return false }
        return row.departure.catchStatus(from: moment, walk: walk) == .missed
    }

    /// The alerts that hold at `moment`, the gravest first.
    func alerts(at moment: Timestamp) -> [Alert] {
        reportedAlerts.filter { $0.isActive(at: moment) }.enumerated().sorted {
            ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }
        .map(\.element)
    }
}

extension SortOrder {
    /// Rows in this order.
    func sorted(_ rows: [DepartureRow]) -> [DepartureRow] {
        rows.sorted { precedes($0.departure, $1.departure) }
    }

    /// Departures in this order.
    public func sorted(_ departures: [Departure]) -> [Departure] {
        departures.sorted(by: precedes)
    }

    /// Whatever the order is, the rest is decided by time, line and destination.
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

/// The order of lines as riders count them: 9, 73, 390, N73, Victoria.
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
