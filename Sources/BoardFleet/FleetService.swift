public import BoardCore
import BoardIO
import BoardService
public import BoardStore
import Synchronization

/// The fleet of a daemon: the connection to the broker, and the responses that boards share.
///
/// Without a broker in the configuration there is no thread, no socket and no call of libmosquitto.
public final class FleetService: Sendable {
    /// What the fleet calls in the daemon; all return at once.
    public struct Hooks: Sendable {
        /// Passes an event to the board.
        public var report: @Sendable (Board.Event) -> Void
        /// Logs a fault, or its end.
        public var log: @Sendable (_ sentence: String, _ isWarning: Bool) -> Void
        /// Reloads favourites.toml, which the fleet has changed.
        public var reload: @Sendable () -> Void
        /// Wakes the viewers: ``FleetService/favouriteChanges`` have changed.
        public var changed: @Sendable () -> Void

        public init(
            report: @escaping @Sendable (Board.Event) -> Void,
            log: @escaping @Sendable (_ sentence: String, _ isWarning: Bool) -> Void,
            reload: @escaping @Sendable () -> Void, changed: @escaping @Sendable () -> Void
        ) {
            self.report = report
            self.log = log
            self.reload = reload
            self.changed = changed
        }
    }

    public struct Machine: Sendable {
        public var version: String
        public var hostName: String
        /// Identifies the board in Home Assistant.
        public var device: DeviceID?
        /// The file in which the shared list is stored; nil: nowhere.
        public var file: String?

        public init(version: String, hostName: String, device: DeviceID?, file: String?) {
            self.version = version
            self.hostName = hostName
            self.device = device
            self.file = file
        }
    }

    /// What a new `[fleet]` replaces.
    struct Session {
        var options = FleetOptions()
        var member: FleetMember?
        var client: BrokerClient?
        /// Why there is no connection; nil: there is one, or no fleet.
        var failure: BrokerError?
        /// The shared list, for `boardd fleet`.
        var list: FleetReport.List?
        /// Other boards' changes to the shared list.
        var changes: [SharedFavouriteChange] = []
        var rejected: Set<FleetRejection> = []
        /// The unused messages, and why; the newest last.
        var unused: [String] = []
        /// Tasks that wait for the broker's acknowledgement of a message, by its topic.
        var acknowledging: [String: AsyncStream<Bool>.Continuation] = [:]
    }

    struct State {
        var session = Session()
        /// Counts the sessions.
        var generation = 0
        /// The board's time, as of its last iteration.
        var time: CorrectedClock?
        var polls: [PollQuery] = []
        var waiters: [QueryKey: [Int: AsyncStream<Void>.Continuation]] = [:]
        var lastWaiter = 0
        /// Whether the board has changed since ``FleetService/run(_:)`` last handled a change.
        var isChangePending = false
        var isMergePending = false
        /// The number of messages that wait for ``FleetService/run(_:)``.
        var pendingMessages = 0
        /// Whether the program is ending.
        var isEnded = false
        var listRequests: [ListRequest] = []
        /// Of sentences caused by others' messages.
        var foreignLines = RateLimiter(FleetService.maximumForeignLines, per: .seconds(86_400))
    }

    /// How many sentences caused by others' messages are logged in a day.
    static let maximumForeignLines = 3

    let clock: any MachineClock
    let machine: Machine
    let editor: FavouritesEditor
    let hooks: Hooks
    private let connection: BrokerClient.Connection
    let state = Mutex(State())
    let work: AsyncStream<Work>
    let working: AsyncStream<Work>.Continuation

    /// - Parameter editor: edits favourites.toml, for other boards' changes.
    public convenience init(clock: any MachineClock, machine: Machine, editor: FavouritesEditor, hooks: Hooks) {
        self.init(clock: clock, machine: machine, editor: editor, hooks: hooks, connection: BrokerProcess.init)
    }

    init(
        clock: any MachineClock, machine: Machine, editor: FavouritesEditor, hooks: Hooks,
        connection: @escaping BrokerClient.Connection
    ) {
        self.connection = connection
        self.clock = clock
        self.machine = machine
        self.editor = editor
        self.hooks = hooks
        (work, working) = AsyncStream.makeStream()
    }

    // MARK: - Configuration

    /// Applies a configuration, even an unchanged one, and the favourites in its file.
    public func configure(_ configuration: Configuration) {
        let isNew = replace(configuration.fleet)
        if isNew || configuration.fleet.broker != nil { working.yield(.configured(configuration)) }
        // The worker must have the list before the first message of the session.
        if isNew { start(configuration.fleet) }
    }

    /// Leaves the old broker if `[fleet]` has changed; returns whether it has.
    private func replace(_ options: FleetOptions) -> Bool {
        let now = clock.now()
        let (old, messages, isNew) = state.withLock { state -> (BrokerClient?, [BrokerMessage], Bool) in
            state.session.member?.unblock()
            guard state.session.options != options else { return (nil, [], false) }
            let old = state.session.client
            let name = options.broker == nil ? nil : options.board ?? FleetName(hostName: machine.hostName)
            let isLeaving = options.broker != state.session.options.broker
            let messages =
                state.session.member?.lastMessages(isRenamed: name != state.session.member?.name, isLeaving: isLeaving)
                ?? []
            for key in state.waiters.keys { Self.wake(key, &state) }
            state.session = Session(options: options)
            state.generation += 1
            // In the order in which the sessions end and begin.
            working.yield(.disconnected(isNameInUse: false))
            guard let name else {
                state.polls = []
                return (old, messages, true)
            }
            var member = FleetMember(
                name: name, version: machine.version, patience: options.patience, list: options.list,
                homeAssistant: options.homeAssistant, device: machine.device, at: now)
            if state.time != nil { _ = member.observe(state.polls, at: now) }
            state.session.member = member
            return (old, messages, true)
        }
        guard isNew else { return false }
        for message in messages { old?.publish(message) }
        old?.stop()
        hooks.report(.others([]))
        return true
    }

    private func start(_ options: FleetOptions) {
        let (name, generation) = state.withLock { ($0.session.member?.name, $0.generation) }
        guard let name, let settings = BrokerSettings(options, board: name) else { return }
        do {
            let client = try BrokerClient(
                settings, will: { [weak self] in self?.will($0) ?? BrokerMessage(topic: "", payload: []) },
                report: { [weak self] in self?.handle($0, session: $1, of: generation) }, connection: connection)
            state.withLock { $0.session.client = client }
            try client.start()
        } catch {
            hooks.log("fleet: \(error)", true)
        }
    }

    /// Ends the connection, so that other boards see this one offline; does not wait for the thread.
    public func stop() {
        let (client, messages) = state.withLock { state in
            defer { state.session.client = nil }
            return (state.session.client, state.session.member?.lastMessages() ?? [])
        }
        for message in messages { client?.publish(message) }
        client?.stop()
    }

    /// Takes the board's time and queries; called on its thread in each of its iterations.
    ///
    /// - Parameter hasChanged: whether an event has changed the board, not only the time.
    public func observe(_ board: Board, hasChanged: Bool) {
        let now = clock.now()
        let (effects, client) = state.withLock { state -> ([FleetMember.Effect], BrokerClient?) in
            guard state.session.member != nil else { return ([], nil) }
            state.time = board.time
            if hasChanged { notice(&state) }
            let polls = board.queries
            let isRenewal = state.session.member?.isListDue(at: now) ?? false
            guard polls != state.polls || isRenewal else { return ([], nil) }
            state.polls = polls
            return (state.session.member?.observe(polls, at: now) ?? [], state.session.client)
        }
        perform(effects, client)
    }

    /// Publishes a gesture on a button of this machine.
    public func recognised(_ gesture: Gesture, _ button: ButtonID) {
        // Otherwise libmosquitto would send it after the next connection.
        let (client, member) = state.withLock { ($0.session.client, $0.session.member) }
        guard let member, member.isConnected else { return }
        client?.publish(GestureMessage.message(gesture, button, of: member.name))
    }

    /// Requests a new state for Home Assistant.
    private func notice(_ state: inout State) {
        guard !state.isChangePending else { return }
        state.isChangePending = true
        working.yield(.boardChanged)
    }
}

// Tasks that wait for a response from another board.
extension FleetService {
    /// Wakes the tasks that wait for a query; if there are none, the board gets the response.
    func arrived(_ key: QueryKey) {
        let event = state.withLock { state -> Board.Event? in
            guard state.waiters[key]?.isEmpty ?? true else {
                Self.wake(key, &state)
                return nil
            }
            return state.event(for: key, at: clock.now())
        }
        if let event { hooks.report(event) }
    }

    static func wake(_ key: QueryKey, _ state: inout State) {
        for waiter in state.waiters[key]?.values.map(\.self) ?? [] { waiter.yield() }
    }

    /// Signals every message about a query, until ``end(_:)``.
    func changes(of key: QueryKey) -> QueryChanges {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastWaiter += 1
            state.waiters[key, default: [:]][state.lastWaiter] = continuation
            return state.lastWaiter
        }
        return QueryChanges(key: key, number: number, stream: stream)
    }

    func end(_ changes: QueryChanges) {
        state.withLock { state in
            state.waiters[changes.key]?[changes.number] = nil
            if state.waiters[changes.key]?.isEmpty ?? false { state.waiters[changes.key] = nil }
        }
    }
}

/// The messages about a query, without their contents.
struct QueryChanges: Sendable {
    let key: QueryKey
    let number: Int
    let stream: AsyncStream<Void>
}

extension FleetService.State {
    /// The event with the last response to a query; nil: there is none, or this board does not poll the query.
    fileprivate mutating func event(for key: QueryKey, at now: Instant) -> Board.Event? {
        guard let poll = session.member?.own[key], let latest = session.member?.queries[key]?.latest else { return nil }
        session.member?.queries[key]?.used()
        let stop = poll.request.stop
        do throws(FeedError) {
            return .polled(try latest.response.response(of: stop, age: now - latest.requestedAt))
        } catch {
            return .failed(stop, error)
        }
    }
}
