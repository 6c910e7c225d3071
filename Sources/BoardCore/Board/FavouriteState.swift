/// What the operator has reported about a stop, and how the feed responds; a snapshot contains it.
struct StopData: Hashable, Sendable, Codable {
    /// The departures of the last response, including those that have expired since.
    var rows: [DepartureRow] = []
    var alerts: [Alert] = []
    /// Whether the operator withholds departures.
    var isWithheld = false
    /// The next departure, when the response has none.
    var next: NextDeparture?
    var timetableEndsAt: Timestamp?
    var status = FeedStatus.loading
    /// When the last response arrived; before the first one, when the board began to wait for it.
    var lastResponseAt: Instant
    /// Whether there has been a response since the start.
    var hasResponded = false
    var freezeDetector = FreezeDetector()
}

/// The state of one favourite: its configuration, the data of its stop, and the view of it.
struct FavouriteState: Sendable {
    private(set) var favourite: Favourite
    /// The stop as the operator describes it.
    private(set) var stop: Stop
    private(set) var data: StopData
    /// Why part of the last response is missing; nil: complete.
    private(set) var partialFailure: FeedError?
    /// The kind of the partial failure, if a person must fix it.
    var rejection: FeedError.Kind? { partialFailure.flatMap { $0.kind.isRejection ? $0.kind : nil } }
    /// The failure of the last poll, if it failed: the sentence for the log, and its time.
    private(set) var failure: (detail: String, at: Instant)?
    var sort: SortOrder
    var detailPage: DetailPage?

    /// - Parameter directoryStop: the stop in the stop directory, until its operator responds.
    init(_ favourite: Favourite, directoryStop: Stop?, at now: Instant) {
        self.favourite = favourite
        stop = directoryStop ?? Stop(id: favourite.stop)
        data = StopData(lastResponseAt: now)
        sort = favourite.sort
    }

    /// The same favourite without a response; only the stop's name and the sort order stay valid.
    func cleared(at now: Instant) -> FavouriteState {
        var state = FavouriteState(favourite, directoryStop: stop, at: now)
        state.sort = sort
        return state
    }

    /// Applies a new configuration. A response to a different request, for other trains for example, is discarded. An
    /// order chosen by a press stays unless the configured order has changed.
    func configured(_ new: Favourite, at now: Instant) -> FavouriteState {
        var state = new.request.query == favourite.request.query ? self : cleared(at: now)
        if new.request != favourite.request { state.data.next = nil }
        state.clearRejection()
        if new.sort != favourite.sort { state.sort = new.sort }
        state.favourite = new
        return state
    }

    /// Restores a snapshot, if it contains the stop. A rejection is retried, because its cause may have been fixed.
    mutating func restore(_ board: Board.Snapshot) {
        guard let snapshot = board.favourites.first(where: { $0.stop == favourite.stop }) else { return }
        let zone = snapshot.zone.flatMap { board.zones.indices.contains($0) ? board.zones[$0] : nil }
        stop = Stop(id: stop.id, name: snapshot.name ?? stop.name, letter: snapshot.letter ?? stop.letter, zone: zone)
        let start = data.lastResponseAt
        data = snapshot.data
        // A favourite that was inactive begins to wait now.
        if data.status == .loading, !data.hasResponded { data.lastResponseAt = start }
        clearRejection()
    }

    /// Handles a response: its departures replace the rows and inherit their minute holds.
    mutating func take(_ response: FeedResponse, at now: Instant, clock: CorrectedClock, staleAfter limit: Duration) {
        show(response.departures, at: response.stop, now: now, clock: clock, staleAfter: limit)
        data.alerts = response.alerts
        data.isWithheld = response.isWithheld
        data.next = response.next
        data.timetableEndsAt = response.timetableEndsAt
        data.freezeDetector.observe(response.departures, at: now, moment: clock.timestamp(at: now))
        data.status = data.freezeDetector.frozenSince.map { .frozen(since: $0) } ?? .live
        data.lastResponseAt = now - response.age
        data.hasResponded = true
        partialFailure = response.partialFailure
        failure = nil
    }

    /// Handles a failure: the rows stay and become stale, or are replaced by the feed's cached departures.
    mutating func take(_ failure: FeedError, at now: Instant, clock: CorrectedClock, staleAfter limit: Duration) {
        guard failure.kind != .cancelled else { return }
        if let cached = failure.cached {
            show(cached.departures, at: cached.stop, now: now, clock: clock, staleAfter: limit)
        }
        data.status = data.status.after(failure.kind)
        self.failure = (failure.detail, now)
    }

    private mutating func show(
        _ departures: [Departure], at newStop: Stop, now: Instant, clock: CorrectedClock, staleAfter limit: Duration
    ) {
        var old = data.rows
        let moment = clock.timestamp(at: now)
        data.rows = departures.map { departure in
            let departure = departure.received(at: moment, staleAfter: limit)
            guard let index = old.index(of: departure) else { return DepartureRow(departure) }
            // Removed, so that two vehicles without names never share one predecessor.
            return DepartureRow(departure, after: old.remove(at: index), at: now, clock: clock)
        }
        // A name stays when a later response (an empty one, for example) lacks it.
        stop = Stop(
            id: stop.id, name: newStop.name ?? stop.name, letter: newStop.letter ?? stop.letter,
            zone: newStop.zone ?? stop.zone)
        if let departure = detailPage?.departure, let index = data.rows.index(of: departure) {
            detailPage?.content = .departure(data.rows[index].departure)
        }
    }

    /// Clears a rejection that a new configuration may have fixed; it is retried at once.
    private mutating func clearRejection() {
        detailPage?.clearRejection()
        if case .failing(let kind, _) = data.status, kind.isRejection { data.status = .loading }
    }

    /// The rows that pass the filters at `moment`, in order.
    func visible(at moment: Timestamp, sorted order: SortOrder? = nil) -> [DepartureRow] {
        (order ?? sort).sorted(data.rows.filter { isVisible($0, at: moment) }, by: \.departure)
    }

    /// Whether a row passes the filters at `moment`.
    func hasVisible(at moment: Timestamp) -> Bool { data.rows.contains { isVisible($0, at: moment) } }

    private func isVisible(_ row: DepartureRow, at moment: Timestamp) -> Bool {
        !row.isExpired(at: moment) && favourite.request.selects(row.departure) && !isMissed(row, at: moment)
    }

    /// Whether there is a row that is hidden because it cannot be reached in time.
    func hasMissed(at moment: Timestamp) -> Bool {
        data.rows.contains {
            !$0.isExpired(at: moment) && favourite.request.selects($0.departure) && isMissed($0, at: moment)
        }
    }

    /// Whether there is a row that only the favourite's directions hide.
    func hasOtherDirections(at moment: Timestamp) -> Bool {
        var undirected = favourite
        undirected.directions = []
        return data.rows.contains { !$0.isExpired(at: moment) && undirected.request.selects($0.departure) }
    }

    private func isMissed(_ row: DepartureRow, at moment: Timestamp) -> Bool {
        row.departure.missed(walk: favourite.walk).isSomeAnd { $0 <= moment }
    }
}

extension SortOrder {
    func sorted<Row>(_ rows: [Row], by departure: (Row) -> Departure) -> [Row] {
        let keys = rows.map { Self.key(departure($0)) }
        return rows.indices.sorted { precedes(keys[$0], keys[$1]) }.map { rows[$0] }
    }

    public func sorted(_ departures: [Departure]) -> [Departure] { sorted(departures) { $0 } }

    private typealias Key = (due: Timestamp, booked: Timestamp, number: Int, line: String, destination: String)

    private static func key(_ departure: Departure) -> Key {
        (
            departure.due, departure.booked ?? departure.due, departure.line.number, departure.line.name,
            departure.destination
        )
    }

    /// Ties: time, booked time, line, destination. Lines: by number, then name: 9, 73, 390, N73, Victoria.
    private func precedes(_ left: Key, _ right: Key) -> Bool {
        switch self {
        case .time: return left < right
        case .line: return (left.2, left.3, left.0, left.1, left.4) < (right.2, right.3, right.0, right.1, right.4)
        case .destination:
            return (left.4, left.0, left.1, left.2, left.3) < (right.4, right.0, right.1, right.2, right.3)
        }
    }
}

extension Line {
    /// The number with which the name begins.
    fileprivate var number: Int { Int(Substring(name.utf8.prefix { (48...57).contains($0) })) ?? .max }
}

/// The result of the latest polls of a stop.
public enum FeedStatus: Hashable, Sendable, Codable {
    /// No response yet.
    case loading
    /// The last poll was successful, and estimates advance.
    case live
    /// Responses arrive, but their newest timestamp has not advanced since then.
    case frozen(since: Timestamp)
    /// The last polls failed: the latest kind, and the number of consecutive failures.
    case failing(FeedError.Kind, count: Int)

    func after(_ failure: FeedError.Kind) -> FeedStatus {
        guard case .failing(_, let count) = self else { return .failing(failure, count: 1) }
        // A snapshot may contain any count.
        return .failing(failure, count: min(count, .max - 1) + 1)
    }

    var isFailing: Bool {
        if case .failing = self { true } else { false }
    }

    /// Whether the last poll was successful.
    var isResponding: Bool { !isFailing && self != .loading }
}
