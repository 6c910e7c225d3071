import BoardCore
import BoardService
import BoardStore

/// A board in its fleet: what it has received from the broker, and what it sends there. Pure: messages and instants
/// come in, effects go out.
struct FleetMember: Sendable {
    /// An action for the service.
    enum Effect: Sendable {
        case publish(BrokerMessage)
        /// Encoding its JSON takes time, so the service does it after the decision.
        case publishResponse(OutgoingResponse)
        case subscribe(String, BrokerMessage.Quality)
        case unsubscribe(String)
        /// An event for the board.
        case board(Board.Event)
        /// The situation of a query has changed: tasks that wait for a response decide again.
        case changed(QueryKey)
        /// A new response: tasks that wait for it use it; if there are none, the board gets it at once.
        case arrived(QueryKey)
        /// A command from another client.
        case command(FleetCommand)
        /// A message of the shared list of favourites.
        case list(BrokerMessage)
        /// Home Assistant has started, or no longer has the board.
        case homeAssistantStarted
        /// A clock that differs: a sentence for the log.
        case report(String)
        /// Call ``mergeQueries()`` soon: the queries of a board have changed.
        case queriesChanged
        /// A message that is not used, and why.
        case unused(String)
        /// Leave the broker for ``BrokerClient/nameInUse``.
        case yieldName
    }

    /// The time of the board at an instant.
    struct Moment: Sendable {
        let now: Instant
        let clock: CorrectedClock

        var time: Timestamp { clock.timestamp(at: now) }
    }

    /// What is stored about another board.
    struct Peer: Hashable, Sendable {
        var status: BoardStatus
        /// Its queries, if this board is a hub.
        var polls: [PollQuery] = []
        /// The higher, the later they arrived.
        var number = 0
        /// Whether they were not stored because there were too many.
        var isListDropped = false
        /// Whether the broker has sent something about it in this session.
        var isConfirmed = true
    }

    /// In bytes.
    static let maximumPayloadSize = 65_536
    /// The maximum number of boards to store something about, to limit memory.
    static let maximumBoards = 10_000
    /// More than any operator's quota allows a board to poll.
    private static let maximumQueries = 5_000
    /// The maximum number of stored queries of all boards together.
    static let maximumStoredQueries = 15_000
    /// The maximum number of rows in a response.
    static let maximumRows = 200
    private static let listLife = Duration.seconds(86_400)
    /// How far the time of a message may be ahead of this board's before one of the two clocks counts as wrong.
    static let clockTolerance = Duration.seconds(2)

    let name: FleetName
    let version: String
    let patience: FleetOptions.Patience
    /// The list of favourites that the board shares; nil: none.
    let list: FleetName?
    /// Whether the board is announced to Home Assistant.
    let homeAssistant: Bool
    private let device: DeviceID?
    /// The names of this process's sessions, the current one last.
    var sessions: [String] = []
    var connection: SharedQuery.Connection
    var peers: [FleetName: Peer] = [:]
    var queries: [QueryKey: SharedQuery] = [:]
    /// The queries of this board.
    private(set) var own: [QueryKey: PollQuery] = [:]
    /// The intervals of the queries that this board subscribes to: its own, and for a hub also those of others.
    private(set) var polls: [QueryKey: Duration] = [:]
    private var listSentAt: Instant?
    private var hasObserved = false
    private(set) var others: [PollQuery] = []
    /// Whether other boards had more than ``maximumQueries`` queries at the last merge.
    private(set) var hasTooManyQueries = false
    /// Counts the lists of queries.
    private var lists = 0
    /// The time in the last live message from another board, and when it arrived.
    var lastTime: (sent: Timestamp, at: Instant)?
    /// Boards whose clocks differ.
    var clockFaults: Set<FleetName> = []
    let random: @Sendable () -> Double

    /// - Parameters:
    ///   - device: what identifies the board in Home Assistant.
    ///   - random: returns a number from 0 to 1.
    init(
        name: FleetName, version: String, patience: FleetOptions.Patience, list: FleetName? = nil,
        homeAssistant: Bool = false, device: DeviceID? = nil, at now: Instant,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.name = name
        self.version = version
        self.patience = patience
        self.list = list
        self.homeAssistant = homeAssistant
        self.device = device
        self.random = random
        connection = .disconnected(since: now)
    }

    var isConnected: Bool {
        if case .connected = connection { true } else { false }
    }

    /// The names of the hubs that are online, except this board.
    var hubs: [FleetName] { peers.filter(\.value.status.isHub).keys.sorted() }
    var hasHub: Bool { !hubs.isEmpty }

    /// The status at the beginning of a session, or its will.
    func status(_ state: BoardStatus.State, session: String) -> BrokerMessage {
        let status = BoardStatus(
            state: state, session: session, version: version, patience: patience.written, device: device)
        return BrokerMessage(topic: FleetTopic.status(name).text, payload: StableJSON.bytes(status), isRetained: true)
    }

    /// What the board publishes before it leaves the broker, or comes back with another name.
    ///
    /// - Parameter isLeaving: whether it will not come back: Home Assistant removes it.
    func lastMessages(isRenamed: Bool = false, isLeaving: Bool = false) -> [BrokerMessage] {
        guard isConnected, let session = sessions.last else { return [] }
        var offline = status(.offline, session: session)
        if isRenamed || isLeaving { offline.payload = [] }
        let emptied =
            [FleetTopic.queries(name).text] + (isRenamed || isLeaving ? [FleetTopic.state(name).text] : [])
            + (isLeaving && homeAssistant ? [DiscoveryMessage.topic(of: name)] : [])
        return [offline] + emptied.map { BrokerMessage(topic: $0, payload: [], isRetained: true) }
    }

    // MARK: - The session

    mutating func connected(session: String, at moment: Moment) -> [Effect] {
        connection = .connected(since: moment.now)
        sessions = sessions.suffix(7) + [session]
        for board in peers.keys { peers[board]?.isConfirmed = false }
        for key in queries.keys { queries[key]?.connected() }
        lastTime = nil
        listSentAt = nil
        var effects: [Effect] = [.subscribe(FleetTopic.allStatuses, .atLeastOnce)]
        if patience.isHub { effects.append(.subscribe(FleetTopic.allQueries, .atLeastOnce)) }
        effects += polls.keys.flatMap { Self.subscriptions(to: $0) }
        effects.append(.subscribe(FleetTopic.allCommands(to: name), .atLeastOnce))
        if let list { effects.append(.subscribe(FleetTopic.list(list).text, .atLeastOnce)) }
        if homeAssistant { effects.append(.subscribe(DiscoveryMessage.statusTopic, .atLeastOnce)) }
        effects.append(.publish(status(.online, session: session)))
        effects += sendList(at: moment.now)
        // A restarted broker has lost them.
        for (key, query) in queries {
            guard let latest = query.latest, latest.response.by == name else { continue }
            // The clock may have been corrected since.
            var response = latest.response
            response.asked = moment.clock.timestamp(at: latest.requestedAt)
            effects += send(response, to: key, at: moment)
        }
        return effects
    }

    mutating func disconnected(at now: Instant) -> [Effect] {
        if isConnected { connection = .disconnected(since: now) }
        return polls.keys.map { .changed($0) }
    }

    /// A new configuration may have fixed the failures of this board's own requests.
    mutating func unblock() {
        for key in queries.keys { queries[key]?.unblock() }
    }

    /// The broker has accepted a message to this topic, or rejected it.
    mutating func acknowledged(_ topic: String, isPermitted: Bool) {
        guard case .response(let key) = FleetTopic(topic) else { return }
        queries[key]?.mayPublish = isPermitted
    }

    // MARK: - Queries

    private static func subscriptions(to key: QueryKey) -> [Effect] {
        [
            .subscribe(FleetTopic.response(key).text, .atLeastOnce),
            .subscribe(FleetTopic.fetching(key).text, .atMostOnce),
        ]
    }

    /// Whether the queries must be sent, even unchanged ones: the broker removes them after a day.
    func isListDue(at now: Instant) -> Bool {
        !hasObserved || listSentAt.isSomeAnd { now - $0 > Self.listLife / 2 }
    }

    /// Applies the queries of this board.
    mutating func observe(_ polls: [PollQuery], at now: Instant) -> [Effect] {
        let new = Dictionary(polls.map { (QueryKey($0.request.query), $0) }) { first, _ in first }
        guard new != own || isListDue(at: now) else { return [] }
        own = new
        hasObserved = true
        return subscribe() + sendList(at: now)
    }

    /// Forgets the boards about which the broker has sent nothing since the session began, some time ago.
    mutating func forgetUnconfirmed() -> [Effect] {
        let hadHub = hasHub
        peers = peers.filter(\.value.isConfirmed)
        return hadHub == hasHub ? [] : polls.keys.map { .changed($0) }
    }

    /// Stores a board's queries. If there are too many in all, first those of offline boards are forgotten, the oldest
    /// first; then these are not stored: names that a client has invented do not displace those of boards.
    mutating func store(_ polls: [PollQuery], of board: FleetName) {
        peers[board]?.polls = []
        var excess = peers.values.reduce(polls.count) { $0 + $1.polls.count } - Self.maximumStoredQueries
        if excess > 0 {
            let offline = peers.filter { $0.value.status.state != .online && !$0.value.polls.isEmpty }
            for (name, peer) in offline.sorted(by: { $0.value.number < $1.value.number }) where excess > 0 {
                peers[name]?.polls = []
                excess -= peer.polls.count
            }
        }
        lists += 1
        peers[board]?.number = lists
        peers[board]?.isListDropped = excess > 0
        if excess <= 0 { peers[board]?.polls = polls }
    }

    /// Merges the queries of all online boards, each at the shortest interval that any of them uses.
    mutating func mergeQueries() -> [Effect] {
        var merged: [DepartureQuery: PollQuery] = [:]
        hasTooManyQueries = peers.values.contains { $0.isListDropped && $0.status.state == .online }
        let online = peers.filter { $0.value.status.state == .online }.sorted { $0.key < $1.key }
        for poll in online.flatMap(\.value.polls) {
            let query = poll.request.query
            if let other = merged[query] {
                merged[query]?.interval = min(other.interval, poll.interval)
            } else if merged.count < Self.maximumQueries {
                merged[query] = poll
            } else {
                hasTooManyQueries = true
            }
        }
        let new = merged.values.sorted { $0.request.stop.description < $1.request.stop.description }
        guard new != others else { return [] }
        others = new
        return subscribe() + [.board(.others(new))]
    }

    /// Subscribes to new queries, and forgets old ones.
    private mutating func subscribe() -> [Effect] {
        let old = Set(polls.keys)
        polls = own.mapValues(\.interval)
        polls.merge(others.map { (QueryKey($0.request.query), $0.interval) }, uniquingKeysWith: min)
        let new = Set(polls.keys)
        for key in old.subtracting(new) { queries[key] = nil }
        guard isConnected else { return [] }
        return new.subtracting(old).flatMap { Self.subscriptions(to: $0) }
            + old.subtracting(new).flatMap { key -> [Effect] in
                [.unsubscribe(FleetTopic.response(key).text), .unsubscribe(FleetTopic.fetching(key).text)]
            }
    }

    /// - Returns: nothing before the board has its favourites.
    mutating func sendList(at now: Instant) -> [Effect] {
        guard isConnected, hasObserved else { return [] }
        listSentAt = now
        let list = QueryList(own.values.sorted { $0.request.stop.description < $1.request.stop.description })
        return [
            .publish(
                BrokerMessage(
                    topic: FleetTopic.queries(name).text, payload: StableJSON.bytes(list), isRetained: true,
                    expiry: Self.listLife))
        ]
    }
}
