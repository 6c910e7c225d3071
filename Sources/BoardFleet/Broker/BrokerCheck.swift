public import BoardCore
import BoardIO
import BoardService
public import BoardStore
import FoundationEssentials
import Synchronization

/// Checks `[fleet]` at the broker: the connection, the board's permissions and other boards' clocks. Changes nothing.
public struct BrokerCheck: Sendable {
    private static let connection = Duration.seconds(10)
    private static let acknowledgement = Duration.seconds(5)
    /// How long to wait for another board's message, to compare the clocks.
    private static let listening = Duration.seconds(5)

    private let options: FleetOptions
    private let name: FleetName
    private let settings: BrokerSettings
    private let clock: any MachineClock

    /// Nil: the board has no fleet.
    public init?(_ options: FleetOptions, hostName: String, clock: any MachineClock) {
        guard let name = options.board ?? FleetName(hostName: hostName),
            let settings = BrokerSettings(options, board: name)
        else { return nil }
        self.options = options
        self.name = name
        self.settings = settings
        self.clock = clock
    }

    /// Waits up to 10 s for the connection, and 5 s for each topic and for the clocks, on a thread of its own.
    public func run() async -> [Fact] {
        do {
            let events = Events(try WakeEvent())
            // The will has no effect: no program reads its topic.
            let client = try BrokerClient(
                settings, will: { [probe] _ in probe }, report: { event, _ in events.add(event) },
                connection: BrokerProcess.init)
            try client.start()
            defer { client.stop() }
            return try await DedicatedThread.run("check") { check(client, events) }
        } catch {
            return [Self.fact(.unknown, "\(error)")]
        }
    }

    private func check(_ client: BrokerClient, _ events: Events) -> [Fact] {
        switch events.next(within: Self.connection) {
        case .connected?: break
        case .failed(let failure, _)?: return [Self.fact(.fault, "\(failure)")]
        default: return [Self.fact(.fault, "\(settings.broker) does not respond")]
        }
        var facts = [Self.fact(.good, "connected to \(settings.broker) as \(name)")]
        for (filter, purpose) in filters {
            client.subscribe(filter)
            facts += permission(events.acknowledgement(of: filter, within: Self.acknowledgement), filter, purpose)
        }
        for (topic, purpose) in topics {
            client.publish(BrokerMessage(topic: topic, payload: []))
            facts += permission(events.acknowledgement(of: topic, within: Self.acknowledgement), topic, purpose)
        }
        if facts.count == 1 { facts.append(Self.fact(.good, "the broker permits everything that the board needs")) }
        return facts + [compareClocks(events)]
    }

    private static func fact(_ verdict: Fact.Verdict, _ text: String) -> Fact { Fact(verdict, "fleet", text) }

    private func permission(_ isPermitted: Bool?, _ topic: String, _ purpose: String) -> [Fact] {
        switch isPermitted {
        case true?: []
        case false? where FleetRejection(topic, isHub: options.patience.isHub) == .responses:
            [Self.fact(.good, "\(FleetRejection.responses)")]
        case false?:
            [Self.fact(.fault, "the broker does not permit \(topic), \(purpose); check its ACL (docs/fleet.md)")]
        case nil: [Self.fact(.unknown, "the broker did not respond about \(topic)")]
        }
    }

    /// A topic of this board that no program reads.
    private var probe: BrokerMessage {
        BrokerMessage(topic: "\(FleetTopic.board(name))/check", payload: [])
    }

    private var filters: [(String, String)] {
        var filters = [
            (FleetTopic.allStatuses, "which the board needs to find hubs"),
            ("boardd/1/answer/#", "the responses of other boards"),
            ("boardd/1/asking/#", "the announcements of requests"),
            (FleetTopic.allCommands(to: name), "the commands to this board"),
        ]
        if options.patience.isHub { filters.append((FleetTopic.allQueries, "the queries of other boards")) }
        if let list = options.list { filters.append((FleetTopic.list(list).text, "the shared list of favourites")) }
        if options.homeAssistant { filters.append((DiscoveryMessage.statusTopic, "the start of Home Assistant")) }
        return filters
    }

    /// Topics for messages that are empty, not retained and without effect.
    private var topics: [(String, String)] {
        var topics = [(probe.topic, "the topics of this board")]
        if options.patience != .never {
            topics.append(("boardd/1/answer/check/\(name)/00000000", "the responses of this board"))
            if options.patience.isHub {
                topics.append(("boardd/1/asking/check/\(name)/00000000", "the announcements of its requests"))
            }
        }
        if let list = options.list { topics.append((FleetTopic.list(list).text, "changes of the shared list")) }
        return topics
    }

    /// Compares this machine's clock with the time in a live message from another board.
    private func compareClocks(_ events: Events) -> Fact {
        struct Sent: Decodable {
            var sent: Timestamp
            var by: FleetName
        }
        let end = clock.now() + Self.listening
        while case let left = end - clock.now(), left > .zero, let event = events.next(within: left) {
            guard case .received(let message) = event, !message.isRetained,
                message.payload.count <= FleetMember.maximumPayloadSize,
                let sent = try? JSONDecoder().decode(Sent.self, from: Data(message.payload)), sent.by != name
            else { continue }
            let difference = sent.sent - clock.reading().wall
            let amount = max(difference, .zero - difference)
            return amount > FleetMember.clockTolerance
                ? Self.fact(
                    .fault,
                    "the clocks of \(sent.by) and this machine differ by \(amount.writtenRoughly); check timedatectl on both"
                ) : Self.fact(.good, "the clocks of \(sent.by) and this machine agree")
        }
        return Self.fact(
            .good, "no other board has sent a response within \(Self.listening.written): the clocks were not compared")
    }
}

/// A client's events; one thread waits for each, with a time limit.
private final class Events: Sendable {
    private let received = Mutex<[BrokerClient.Event]>([])
    private let wake: WakeEvent

    init(_ wake: WakeEvent) {
        self.wake = wake
    }

    func add(_ event: BrokerClient.Event) {
        received.withLock { $0.append(event) }
        wake.signal()
    }

    /// The oldest event; nil: none came within the limit.
    func next(within limit: Duration) -> BrokerClient.Event? {
        let end = ContinuousClock.now + limit
        while true {
            if let event = received.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return event }
            let left = end - ContinuousClock.now
            guard left > .zero else { return nil }
            wake.wait(atMost: left)
        }
    }

    /// Whether the broker accepted a message to the topic, or a subscription to the filter; nil: it did not respond.
    func acknowledgement(of topic: String, within limit: Duration) -> Bool? {
        let end = ContinuousClock.now + limit
        while let event = next(within: end - ContinuousClock.now) {
            switch event {
            case .acknowledged(topic): return true
            case .rejected(topic): return false
            default: continue
            }
        }
        return nil
    }
}
