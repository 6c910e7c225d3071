/// One favourite on the board: what is known of its stop, and how a person looks at it.
struct FavouriteState: Hashable, Sendable {
    /// What a person wrote.
    private(set) var favourite: Favourite
    /// What the operator says of the stop.
    private(set) var stop: Stop
    /// The departures that were told last, void ones among them until the next answer.
    private(set) var rows: [Row] = []
    /// What the operator wants people there to know.
    private(set) var told: [Alert] = []
    /// Whether the operator keeps back what runs there.
    private(set) var isWithheld = false
    /// The next one, where none was told.
    private(set) var next: NextDeparture?
    /// Until when the operator's timetable reaches.
    private(set) var knownUntil: Timestamp?
    /// Why a part of the last answer is missing; nil: nothing is.
    private(set) var trouble: FeedFailure?
    /// What that part failed with, where a person can mend it.
    var refusal: FeedFailure.Kind? { trouble.flatMap { $0.kind.isRefusal ? $0.kind : nil } }
    /// How the operator stands with us.
    private(set) var standing = Standing.loading
    /// Whether its operator has ever answered.
    private(set) var hasAnswered = false
    /// What the last question failed with, if it did.
    private(set) var failure: Failure?
    /// When the last answer came; before the first one, when the board began to wait for it.
    private(set) var heardAt: Instant
    /// Whether answers move on.
    private(set) var movement = Movement()
    /// The order of the rows.
    var sort: SortOrder
    /// What a person has opened.
    var opened: Opened?

    /// A failed question, for people who ask what is wrong.
    struct Failure: Hashable, Sendable {
        /// The sentence for the log.
        let detail: String
        let at: Instant
    }

    /// - Parameter known: what is known of the stop before its operator was asked.
    init(_ favourite: Favourite, known: Stop?, at now: Instant) {
        self.favourite = favourite
        stop = known ?? Stop(id: favourite.stop)
        sort = favourite.sort
        heardAt = now
    }

    /// The same stop of which nothing was heard yet: what it is called and the order that was chosen are all that stays
    /// true without being told again.
    func forgetting(at now: Instant) -> FavouriteState {
        var state = FavouriteState(favourite, known: stop, at: now)
        state.sort = sort
        return state
    }

    /// The same stop with what a person now wants of it. An answer to another question is none: trains that go elsewhere, say.
    /// An order that was chosen by a press stays unless the file asks for another one than before.
    func configured(_ new: Favourite, at now: Instant) -> FavouriteState {
        var state = new.question.hasSameDepartures(as: favourite.question) ? self : forgetting(at: now)
        if new.question != favourite.question { state.next = nil }
        state.forgive()
        if new.sort != favourite.sort { state.sort = new.sort }
        state.favourite = new
        return state
    }

    /// The state as it was kept; a refusal that may be mended meanwhile is asked about anew.
    mutating func restore(_ kept: KeptFavourite, zone: Zone?) {
        stop = Stop(id: stop.id, name: kept.name ?? stop.name, letter: kept.letter ?? stop.letter, zone: zone)
        rows = kept.rows
        told = kept.alerts
        isWithheld = kept.isWithheld ?? false
        next = kept.next
        knownUntil = kept.knownUntil
        standing = kept.standing
        // One that rested then begins to wait now.
        if kept.standing != .loading { heardAt = kept.heardAt }
        hasAnswered = kept.hasAnswered
        movement = kept.movement
        opened = kept.opened
        if favourite.sort == kept.configuredSort { sort = kept.sort }
        forgive()
    }

    /// Takes an answer: its departures replace the old ones, each keeping the number that is held for it.
    mutating func take(_ answer: FeedAnswer, at now: Instant, clock: CorrectedClock) {
        var old = rows
        let moment = clock.timestamp(at: now)
        rows = answer.departures.map { departure in
            let departure = departure.told(by: moment)
            guard let index = old.index(of: departure) else {
                return Row(departure)
            }
            // Taken out, so that two vehicles without names never share one predecessor.
            return Row(departure, after: old.remove(at: index), at: now, clock: clock)
        }
        told = answer.alerts
        isWithheld = answer.isWithheld
        next = answer.next
        knownUntil = answer.knownUntil
        trouble = answer.trouble
        // A name once heard is not forgotten because a later answer (an empty one, say) does not repeat it.
        stop = Stop(
            id: stop.id, name: answer.stop.name ?? stop.name, letter: answer.stop.letter ?? stop.letter,
            zone: answer.stop.zone ?? stop.zone)
        standing = .answering
        failure = nil
        hasAnswered = true
        heardAt = now
        movement.observe(answer.departures, at: now, moment: moment)
        if let departure = opened?.departure, let index = rows.index(of: departure) {
            opened?.take(rows[index].departure)
        }
    }

    /// Takes a failure: the rows stay, and age.
    mutating func take(_ failure: FeedFailure, at now: Instant) {
        guard failure.kind != .cancelled else { return }
        standing = standing.after(failure.kind)
        self.failure = Failure(detail: failure.detail, at: now)
    }

    /// Forgets a refusal that a new configuration may have mended; it is asked about at once.
    private mutating func forgive() {
        opened?.forgive()
        if case .failing(let kind, _) = standing, kind.isRefusal { standing = .loading }
    }

    /// The rows that a person wants to see at `moment`, in order.
    func visible(at moment: Timestamp, sorted order: SortOrder? = nil) -> [Row] {
        (order ?? sort).sorted(
            rows.filter { !$0.isVoid(at: moment) && favourite.wants($0.departure) && !isHidden($0, at: moment) })
    }

    /// Whether there is a row only that nobody can catch any more.
    func hasMissed(at moment: Timestamp) -> Bool {
        rows.contains { !$0.isVoid(at: moment) && favourite.wants($0.departure) && isHidden($0, at: moment) }
    }

    private func isHidden(_ row: Row, at moment: Timestamp) -> Bool {
        guard favourite.uncatchable == .hide, let walk = favourite.walk else { return false }
        return row.departure.reach(from: moment, walk: walk) == .missed
    }

    /// The alerts that hold at `moment`, the gravest first.
    func alerts(at moment: Timestamp) -> [Alert] {
        told.filter { $0.holds(at: moment) }.enumerated().sorted {
            ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }
        .map(\.element)
    }
}

extension SortOrder {
    /// Rows in this order.
    func sorted(_ rows: [Row]) -> [Row] {
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
