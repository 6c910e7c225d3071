import BoardCore
import BoardStore

/// A query that several boards may fetch: which board does it, and when. Pure.
struct SharedQuery: Sendable {
    enum Turn: Hashable, Sendable {
        /// Another board, or this one, has a response that is recent enough.
        case use(SharedResponse, age: Duration)
        /// Decide again at this instant, or when a message about the query arrives.
        case wait(until: Instant)
        /// This board sends the request.
        case fetch
        /// No board responds, and this one sends no requests; with another board's last failure.
        case unavailable(SharedResponse?)
    }

    /// The connection to the broker.
    enum Connection: Hashable, Sendable {
        /// A session since then.
        case connected(since: Instant)
        /// No session since then.
        case disconnected(since: Instant)
    }

    /// The board's situation when it takes a turn.
    struct Situation: Sendable {
        /// Between two polls of the query.
        var interval: Duration
        var patience: FleetOptions.Patience
        var connection: Connection
        /// Whether another board is a hub and online.
        var hasHub: Bool
    }

    /// From this age of a response, a press at a hub sends a request, as at a single board.
    private static let refreshAfter = Duration.seconds(15)
    /// How long the retained messages may take to arrive.
    private static let settling = Duration.seconds(1)
    /// The random part of the wait beyond `patience`.
    private static let spread = Duration.seconds(10)
    /// The random part of the wait where there is no hub.
    private static let spreadWithoutHub = Duration.seconds(3)
    /// How long the announcement of a fetch holds other boards back.
    static let fetching = Duration.seconds(10)
    /// How many announcements without a response hold this board back: a client may send nothing else.
    private static let maximumAnnouncements = 2
    /// How many responses in a row from boards that are not hubs mean that an online hub does not serve the query.
    private static let maximumOvertakes = 3
    /// The longest time between two requests of a hub for which another board waits.
    private static let maximumHubInterval = Duration.seconds(300)
    /// How long a board whose request was rejected sends no other.
    private static let rejected = Duration.seconds(900)
    /// From this age, an operator's failure is no longer used. Each board's poll plan repeats a failed request after
    /// 5 s or more.
    private static let failureAge = Duration.seconds(4)

    /// The last response that counts for all boards.
    private(set) var latest: (response: SharedResponse, requestedAt: Instant)?
    /// The last failure that concerns only the board that had it.
    private(set) var failure: SharedResponse?
    /// When the request was sent whose response this board last used.
    private var usedRequestAt: Instant?
    private var fetchingAt: Instant?
    /// The announcements since the last response.
    private var announcements = 0
    /// The responses in a row from boards that are not hubs while a hub was online.
    private var overtakes = 0
    /// A hub's last request, and the time between its last two: with a scarce quota and after failures it sends fewer.
    private var hubRequest: (at: Instant, interval: Duration)?
    /// Whether the broker permits this board to publish its responses.
    var mayPublish = true
    /// Until then this board sends no request of its own.
    private var blockedUntil: Instant?
    /// When this board first needed the query.
    private let neededAt: Instant
    /// The random part of this board's wait for the next response, from 0 to 1.
    private var randomPart: Double

    init(at now: Instant, randomPart: Double) {
        neededAt = now
        self.randomPart = randomPart
    }

    /// Applies the response of a board.
    ///
    /// - Parameters:
    ///   - requestedAt: when that board sent its request, by this machine's elapsed-time clock.
    ///   - isOfHub: whether that board is a hub.
    ///   - hasHub: whether a hub is online.
    /// - Returns: whether it is newer than the last one.
    mutating func take(
        _ response: SharedResponse, requestedAt: Instant, isOfHub: Bool, hasHub: Bool, randomPart: Double
    ) -> Bool {
        if response.isOwnFailure {
            failure = response
            fetchingAt = nil
            announcements = 0
            return false
        }
        if let latest, requestedAt <= latest.requestedAt { return false }
        latest = (response, requestedAt)
        failure = nil
        fetchingAt = nil
        announcements = 0
        if isOfHub {
            // After several responses of other boards the hub was absent: the time between the two is not its interval.
            let last = overtakes < Self.maximumOvertakes ? hubRequest?.at : nil
            hubRequest = (requestedAt, min(requestedAt - (last ?? requestedAt), Self.maximumHubInterval))
        }
        overtakes = isOfHub || !hasHub ? 0 : overtakes + 1
        self.randomPart = randomPart
        return true
    }

    /// This board has used the last response.
    mutating func used() { usedRequestAt = latest?.requestedAt }

    /// Another board has announced that it sends the request.
    mutating func isFetched(at now: Instant) {
        guard announcements < Self.maximumAnnouncements else { return }
        announcements += 1
        fetchingAt = now
    }

    /// The operator has rejected the request of this board. The poll plan repeats other failed requests later.
    mutating func wasRejected(at now: Instant) { blockedUntil = now + Self.rejected }

    /// A session begins: the hub's earlier responses may be old.
    mutating func connected() { hubRequest = nil }

    /// A new configuration may have fixed a rejection.
    mutating func unblock() { blockedUntil = nil }

    /// What this board does for the query now.
    ///
    /// - Parameter began: when its poll began.
    func turn(_ situation: Situation, since began: Instant, at now: Instant) -> Turn {
        if let latest, now < latest.requestedAt + ageLimit(of: latest, situation) {
            return .use(latest.response, age: max(.zero, now - latest.requestedAt))
        }
        let due = due(situation, since: began)
        let patience = blockedUntil.isSomeAnd { now < $0 } ? .never : situation.patience
        let turn = fetchTime(due: due, patience, situation)
        if now < turn { return .wait(until: turn) }
        guard patience != .never else { return .unavailable(failure) }
        // A response that another board has just received may be among the retained ones, which arrive when a session
        // begins. Boards that are not hubs wait for a random time anyway.
        if patience.isHub, case .connected(let since) = situation.connection, now < since + Self.settling {
            return .wait(until: since + Self.settling)
        }
        if let fetchingAt, now < fetchingAt + Self.fetching { return .wait(until: fetchingAt + Self.fetching) }
        return .fetch
    }

    /// From this age, this board does not use a response.
    private func ageLimit(
        of latest: (response: SharedResponse, requestedAt: Instant), _ situation: Situation
    ) -> Duration {
        guard latest.response.error == nil else { return Self.failureAge }
        // The poll plan counts at most half an interval of a response's age: with an older one that the board already
        // has, the next poll would be late. A hub has its own limit, which is no higher at intervals of 30 s or more.
        if latest.requestedAt == usedRequestAt, !situation.patience.isHub { return situation.interval / 2 }
        // A little less, so that the poll plan's own interval, which began a moment before, finds no old response.
        let usual = situation.interval - situation.interval / 10
        // A person at a hub gets newer departures than those of the last poll.
        return situation.patience.isHub ? min(usual, Self.refreshAfter) : usual
    }

    /// When the next request of the fleet is due.
    private func due(_ situation: Situation, since began: Instant) -> Instant {
        // All boards have received the failure, and their poll plans repeat the request.
        if latest?.response.error != nil { return began }
        let usual = (latest?.requestedAt).map { $0 + interval(situation) } ?? neededAt
        // In quiet hours and with a scarce quota all boards poll less often than at the usual interval.
        return began > usual + situation.interval / 5 ? began : usual
    }

    /// The time from a request to the next one of the fleet: a hub that no board has overtaken keeps its own interval.
    private func interval(_ situation: Situation) -> Duration {
        guard case .connected = situation.connection, situation.hasHub, overtakes == 0, !situation.patience.isHub else {
            return situation.interval
        }
        return max(situation.interval, hubRequest?.interval ?? .zero)
    }

    /// When this board sends the request itself, if no response arrives first.
    private func fetchTime(due: Instant, _ patience: FleetOptions.Patience, _ situation: Situation) -> Instant {
        let longest: Duration
        switch patience {
        case .wait(.zero): return due
        case .wait(let duration): longest = duration
        case .never: return due + Self.usualPatience + Self.spread
        }
        switch situation.connection {
        // Boards that waited for the same response must not begin at the same moment. A broker that loses every session
        // at once delays no request longer than a hub does.
        case .disconnected(let since):
            return max(due + Self.spreadWithoutHub * randomPart, min(since, due) + longest + Self.spread * randomPart)
        case .connected where situation.hasHub && overtakes < Self.maximumOvertakes:
            return due + longest + Self.spread * randomPart
        case .connected where mayPublish: return due + Self.spreadWithoutHub * randomPart
        // A board that may publish comes first.
        case .connected: return due + longest + Self.spread * randomPart
        }
    }

    /// When a board that sends no requests reports that there is no response.
    private static let usualPatience = Duration.seconds(20)
}

/// The payload of `board/NAME/wants`: the queries of a board, and how often it polls each.
struct QueryList: Hashable, Sendable, Codable {
    struct Entry: Hashable, Sendable, Codable {
        var stop: StopID
        var lines: [String]?
        var towards: [String]?
        /// The stop's name and place, by which some operators find it again.
        var name: String?
        var latitude: Double?
        var longitude: Double?
        /// Seconds between two polls: 30, in quiet hours 300.
        var everySeconds: Double
    }

    /// More favourites than a board can show.
    private static let maximumCount = 100

    var queries: [Entry]

    init(_ queries: [PollQuery]) {
        self.queries = queries.prefix(Self.maximumCount).map { Entry($0) }
    }

    /// The valid queries, without duplicates.
    var polls: [PollQuery] {
        var seen: Set<DepartureQuery> = []
        return queries.prefix(Self.maximumCount).compactMap(\.poll).filter { seen.insert($0.request.query).inserted }
    }
}

extension QueryList.Entry {
    fileprivate init(_ poll: PollQuery) {
        let request = poll.request
        self.init(
            stop: request.stop, lines: request.lines.isEmpty ? nil : request.lines,
            towards: request.towards.isEmpty ? nil : request.towards,
            name: request.name, latitude: request.location?.latitude, longitude: request.location?.longitude,
            everySeconds: poll.interval / .seconds(1))
    }

    /// Nil: no board polls so often or so seldom.
    fileprivate var poll: PollQuery? {
        guard (1...86_400).contains(everySeconds) else { return nil }
        return PollQuery(
            FeedRequest(
                stop: stop, lines: lines ?? [], towards: towards ?? [], name: name,
                location: Coordinates(latitude: latitude, longitude: longitude)),
            every: .seconds(everySeconds))
    }
}
