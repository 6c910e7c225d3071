import BoardCore
import BoardStore

@testable import BoardFleet

/// Boards, a broker and an operator in virtual time.
struct SimulatedFleet {
    /// One board with its poll plan.
    struct Node {
        var member: FleetMember
        /// The offset of its clock from the real time.
        var clockError = Duration.zero
        var isSynchronised = true
        /// Between two of its own requests for a query.
        var interval = SimulatedFleet.interval
        var isRunning = true
        /// A frozen board stays connected, but handles nothing.
        var isFrozen = false
        var subscriptions: Set<String> = []
        var session = ""
        /// When it polls next, by query.
        var due: [DepartureQuery: Instant] = [:]
        var fetching: Set<DepartureQuery> = []
        /// Its own failure of every request.
        var failure: FeedError?
        /// When it received the last response to each query, and how old that was.
        var received: [DepartureQuery: Instant] = [:]
        var failures: [DepartureQuery: FeedError] = [:]
        var polls: [PollQuery] = []
        var faults: [String] = []
        /// The times that it has taken from other boards.
        var dates: [DateSample] = []
        var unused: [String] = []
        var hasYieldedName = false
    }

    enum Event {
        case deliver(BrokerMessage, to: FleetName)
        case poll(FleetName, DepartureQuery)
        case response(FleetName, DepartureQuery, requestedAt: Instant)
        case action(@Sendable (inout SimulatedFleet) -> Void)
    }

    static let start = Instant(microseconds: 1_000_000_000)
    static let epoch = Timestamp(seconds: 1_800_000_000)
    static let interval = Duration.seconds(30)
    static let profile = FeedProfile(
        name: FeedName("tfl"), title: "TfL", attribution: "", suffixes: [], interval: interval,
        quota: .init(requests: 500, per: .seconds(60)))

    var now = start
    var nodes: [FleetName: Node] = [:]
    /// The requests to the operator.
    private(set) var requests: [(at: Instant, by: FleetName, query: DepartureQuery)] = []
    private var events: [(at: Instant, number: Int, event: Event)] = []
    private var count = 0
    private var handled = 0
    private var retained: [String: (message: BrokerMessage, until: Instant)] = [:]
    private var random: RandomSource
    /// The part of live messages that is lost, and the longest latency.
    var loss = 0.0
    var latency = Duration.milliseconds(20)
    var isBrokerUp = true

    init(seed: UInt64 = 1) {
        random = RandomSource(seed: seed)
    }

    static func name(_ text: String) -> FleetName {
        guard let name = FleetName(text) else { preconditionFailure("\(text) is no name") }
        return name
    }

    static func queries(_ count: Int) -> [DepartureQuery] {
        (0..<count).map { DepartureQuery(stop: StopID(feed: FeedName("tfl"), code: "S\($0)")) }
    }

    mutating func add(
        _ text: String, patience: FleetOptions.Patience, queries: [DepartureQuery], clockError: Duration = .zero,
        isSynchronised: Bool = true, failure: FeedError? = nil
    ) {
        let name = Self.name(text)
        let seed = random.next()
        let random = RandomNumbers(seed: seed)
        var node = Node(
            member: FleetMember(name: name, version: "1", patience: patience, at: now, random: { random.next() }),
            clockError: clockError, isSynchronised: isSynchronised, failure: failure)
        node.polls = queries.map {
            PollQuery(FeedRequest(stop: $0.stop, lines: $0.lines, towards: $0.towards), every: Self.interval)
        }
        nodes[name] = node
        apply(nodes[name]?.member.observe(node.polls, at: now) ?? [], of: name)
        if isBrokerUp { connect(name) }
        for query in queries {
            nodes[name]?.due[query] = now + .milliseconds(10)
            post(.poll(name, query), after: .milliseconds(10))
        }
    }

    mutating func connect(_ name: FleetName) {
        guard let node = nodes[name], node.isRunning else { return }
        nodes[name]?.session = "session-\(random.next())"
        nodes[name]?.subscriptions = []
        let moment = moment(of: node)
        let session = nodes[name]?.session ?? ""
        apply(nodes[name]?.member.connected(session: session, at: moment) ?? [], of: name)
    }

    /// Ends a board without a farewell.
    mutating func kill(_ name: FleetName) {
        guard let node = nodes[name] else { return }
        nodes[name]?.isRunning = false
        broadcast(node.member.status(.offline, session: node.session), from: name)
    }

    mutating func stopBroker(keepingRetained: Bool = false) {
        isBrokerUp = false
        if !keepingRetained { retained = [:] }
        for name in nodes.keys {
            nodes[name]?.subscriptions = []
            apply(nodes[name]?.member.disconnected(at: now) ?? [], of: name)
        }
    }

    mutating func startBroker() {
        isBrokerUp = true
        for name in nodes.keys.sorted() { connect(name) }
    }

    func moment(of node: Node) -> FleetMember.Moment {
        let wall = Self.epoch + (now - Self.start) + node.clockError
        return FleetMember.Moment(
            now: now, clock: CorrectedClock(.init(wall: wall, isSynchronised: node.isSynchronised), at: now))
    }

    mutating func post(_ event: Event, after delay: Duration) {
        count += 1
        let entry = (at: now + delay, number: count, event: event)
        let index = events.partitioningIndex { ($0.at, $0.number) > (entry.at, entry.number) }
        events.insert(entry, at: index)
    }

    mutating func after(_ delay: Duration, _ body: @escaping @Sendable (inout SimulatedFleet) -> Void) {
        post(.action(body), after: delay)
    }

    /// Lets other tests run, too: they share the threads of the pool, and some have time limits.
    mutating func run(for duration: Duration) async {
        let end = now + duration
        while let first = events.first, first.at <= end {
            events.removeFirst()
            now = first.at
            handle(first.event)
            handled += 1
            if handled.isMultiple(of: 100) { await Task.yield() }
        }
        now = end
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .action(let body): body(&self)
        case .deliver(let message, let name):
            guard let node = nodes[name], node.isRunning, !node.isFrozen, isBrokerUp else { return }
            let moment = moment(of: node)
            apply(nodes[name]?.member.received(message, at: moment) ?? [], of: name)
        case .poll(let name, let query): poll(name, query)
        case .response(let name, let query, let requestedAt): respond(name, query, requestedAt)
        }
    }

    private mutating func poll(_ name: FleetName, _ query: DepartureQuery) {
        guard let node = nodes[name], node.isRunning, !node.fetching.contains(query) else { return }
        if let due = node.due[query], due > now { return }
        guard !node.isFrozen else { return post(.poll(name, query), after: .seconds(1)) }
        switch nodes[name]?.member.turn(of: query, every: Self.interval, since: node.due[query] ?? now, at: now)
        {
        case .use(let response, let age): take(name, query, response, age)
        case .wait(let until): post(.poll(name, query), after: max(until - now, .milliseconds(1)))
        case .unavailable:
            nodes[name]?.failures[query] = FeedError(.timedOut, detail: "")
            schedule(name, query, after: .seconds(5))
        case .fetch:
            apply(nodes[name]?.member.beganFetch(of: query) ?? [], of: name)
            nodes[name]?.fetching.insert(query)
            requests.append((now, name, query))
            post(.response(name, query, requestedAt: now), after: .milliseconds(200))
        case nil: return
        }
    }

    private mutating func respond(_ name: FleetName, _ query: DepartureQuery, _ requestedAt: Instant) {
        guard let node = nodes[name], node.isRunning else { return }
        guard !node.isFrozen else { return post(.response(name, query, requestedAt: requestedAt), after: .seconds(1)) }
        nodes[name]?.fetching.remove(query)
        let moment = moment(of: node)
        let result: Result<FeedResponse, FeedError> =
            node.failure.map { .failure($0) }
            ?? .success(FeedResponse(stop: Stop(id: query.stop, name: "Stop"), departures: [departure(query)]))
        apply(
            nodes[name]?.member.ended(query, result, of: Self.profile, requestedAt: requestedAt, at: moment) ?? [],
            of: name)
        if let failure = node.failure {
            nodes[name]?.failures[query] = failure
            schedule(name, query, after: failure.kind.isRejection ? .seconds(900) : .seconds(5))
        } else {
            nodes[name]?.received[query] = requestedAt
            scheduleAgain(name, query, interval: node.interval)
        }
    }

    private func departure(_ query: DepartureQuery) -> Departure {
        let time = Self.epoch + (now - Self.start)
        return Departure(
            stop: query.stop, line: Line(id: "73", name: "73"), destination: "Victoria",
            status: .expected(time + .seconds(240)),
            madeAt: time, expiresAt: time + .seconds(270))
    }

    private mutating func take(_ name: FleetName, _ query: DepartureQuery, _ response: SharedResponse, _ age: Duration)
    {
        do throws(FeedError) {
            _ = try response.response(of: query.stop, age: age)
            nodes[name]?.received[query] = now - age
            nodes[name]?.failures[query] = nil
            scheduleAgain(name, query, interval: Self.interval - min(age, Self.interval / 2))
        } catch {
            nodes[name]?.failures[query] = error
            schedule(name, query, after: .seconds(5))
        }
    }

    /// As the poll plan does: counts from the beginning of the poll, which may have waited for other boards.
    private mutating func scheduleAgain(_ name: FleetName, _ query: DepartureQuery, interval: Duration) {
        let due = (nodes[name]?.due[query] ?? now) + interval + jitter()
        schedule(name, query, after: max(due - now, .zero))
    }

    private mutating func schedule(_ name: FleetName, _ query: DepartureQuery, after delay: Duration) {
        nodes[name]?.due[query] = now + delay
        post(.poll(name, query), after: delay)
    }

    private mutating func jitter() -> Duration { Self.interval / 10 * random.fraction() }

    mutating func apply(_ effects: [FleetMember.Effect], of name: FleetName) {
        for effect in effects {
            switch effect {
            case .publish(let message): broadcast(message, from: name)
            case .publishResponse(let response): broadcast(response.message, from: name)
            case .subscribe(let filter, _): subscribe(name, filter)
            case .unsubscribe(let filter): nodes[name]?.subscriptions.remove(filter)
            case .board(.others(let polls)):
                let old = Set(nodes[name]?.polls.map(\.request.query) ?? [])
                for poll in polls where !old.contains(poll.request.query) && nodes[name]?.due[poll.request.query] == nil
                {
                    nodes[name]?.due[poll.request.query] = now
                    post(.poll(name, poll.request.query), after: .milliseconds(1))
                }
            case .board(.date(let sample)): nodes[name]?.dates.append(sample)
            case .board: break
            case .changed(let key):
                // Who waits decides again.
                guard let node = nodes[name],
                    let query = node.polls.map(\.request.query).first(where: { QueryKey($0) == key }),
                    (node.due[query] ?? now) <= now
                else { continue }
                post(.poll(name, query), after: .zero)
            case .arrived(let key):
                // The board gets the response at once.
                guard let node = nodes[name], let poll = node.polls.first(where: { QueryKey($0.request.query) == key }),
                    !node.fetching.contains(poll.request.query)
                else { continue }
                if let due = node.due[poll.request.query], due > now { nodes[name]?.due[poll.request.query] = now }
                post(.poll(name, poll.request.query), after: .zero)
            case .queriesChanged: apply(nodes[name]?.member.mergeQueries() ?? [], of: name)
            case .report(let sentence): nodes[name]?.faults.append(sentence)
            case .unused(let sentence): nodes[name]?.unused.append(sentence)
            case .command, .list, .homeAssistantStarted: break
            case .yieldName: nodes[name]?.hasYieldedName = true
            }
        }
    }

    private mutating func subscribe(_ name: FleetName, _ filter: String) {
        guard isBrokerUp else { return }
        nodes[name]?.subscriptions.insert(filter)
        for (topic, entry) in retained.sorted(by: { $0.key < $1.key })
        where entry.until > now && Self.matches(filter, topic) {
            post(.deliver(entry.message, to: name), after: latency * random.fraction())
        }
    }

    /// Publishes a message, as another client does.
    mutating func broadcast(_ message: BrokerMessage, from sender: FleetName? = nil) {
        guard isBrokerUp else { return }
        if message.isRetained {
            let end = message.expiry.map { now + $0 } ?? Instant(microseconds: .max)
            retained[message.topic] = message.payload.isEmpty ? nil : (message, end)
        }
        var live = message
        live.isRetained = false
        for (name, node) in nodes.sorted(by: { $0.key < $1.key })
        where name != sender && node.subscriptions.contains(where: { Self.matches($0, message.topic) }) {
            if random.fraction() < loss { continue }
            post(.deliver(live, to: name), after: latency * random.fraction())
        }
    }

    private static func matches(_ filter: String, _ topic: String) -> Bool {
        let (one, other) = (filter.split(separator: "/"), topic.split(separator: "/"))
        return one.count == other.count && zip(one, other).allSatisfy { $0 == "+" || $0 == $1 }
    }

    /// The longest time since the request of the response that a running board has, over all boards and queries.
    var oldest: Duration {
        nodes.values.filter { $0.isRunning && !$0.isFrozen }.flatMap { node in
            node.polls.map { poll in now - (node.received[poll.request.query] ?? Self.start) }
        }.max() ?? .zero
    }
}

/// Random numbers of a board.
final class RandomNumbers: Sendable {
    private let state: Box

    init(seed: UInt64) { state = Box(seed) }

    func next() -> Double { state.next() }

    private final class Box: @unchecked Sendable {
        private var random: RandomSource

        init(_ seed: UInt64) { random = RandomSource(seed: seed) }

        // The simulation has one thread.
        func next() -> Double { random.fraction() }
    }
}

extension RandomSource {
    /// From 0 to 1.
    fileprivate mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}

extension Array {
    /// The first index whose element fulfils a condition that holds for all later ones.
    fileprivate func partitioningIndex(_ isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
