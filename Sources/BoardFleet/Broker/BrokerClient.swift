import BoardCore
import BoardIO
import Synchronization

/// A client of an MQTT 5 broker on a thread of its own, which connects again after each failure.
///
/// Not libmosquitto's own thread: the one of version 2.0 ends for good when the broker or its name is missing at the start
/// (docs/decisions/fleet.md).
final class BrokerClient: Sendable {
    enum Event: Sendable {
        /// A session begins; nothing is subscribed yet.
        case connected
        case received(BrokerMessage)
        /// The broker does not permit a message to this topic, or a subscription to this filter.
        case rejected(String)
        /// The broker has taken a message or a subscription.
        case acknowledged(String)
        /// The session has ended, or none began; the client tries again after the wait.
        case failed(BrokerFailure, retryAfter: Duration)
    }

    /// Makes a connection, which begins later.
    typealias Connection =
        @Sendable (
            BrokerSettings, _ will: BrokerMessage, _ report: @escaping BrokerLink.Report
        ) throws(BrokerFailure) -> any BrokerLink

    private static let backoff = Backoff(from: .seconds(1), upTo: .seconds(120))
    /// The wait while another board has the name of this one: both would end the session of the other again and again.
    private static let nameInUse = Duration.seconds(600)

    private struct State {
        var connection: (any BrokerLink)?
        var isStopped = false
        var hasYieldedName = false
    }

    private let settings: BrokerSettings
    private let will: @Sendable (_ session: String) -> BrokerMessage
    private let report: @Sendable (Event, _ session: String) -> Void
    private let connection: Connection
    private let wake: WakeEvent
    private let state = Mutex(State())

    /// - Parameters:
    ///   - will: the will of a session, whose name it contains: one that arrives late must not end a newer session.
    ///   - report: receives what happens, on the client's thread, with the name of the session; must not block.
    /// - Throws: ``ThreadFailure`` when the process may open no more files.
    init(
        _ settings: BrokerSettings, will: @escaping @Sendable (_ session: String) -> BrokerMessage,
        report: @escaping @Sendable (Event, _ session: String) -> Void,
        connection: @escaping Connection
    ) throws {
        self.settings = settings
        self.will = will
        self.report = report
        self.connection = connection
        wake = try WakeEvent()
    }

    /// Starts the thread.
    func start() throws {
        try DedicatedThread.start("fleet") { self.iterate() }
    }

    /// Ends the session with DISCONNECT, and the thread soon after; the caller does not wait for it.
    func stop() {
        let connection = state.withLock { state in
            state.isStopped = true
            return state.connection
        }
        connection?.disconnect()
        wake.signal()
    }

    /// Leaves the broker for ten minutes: another board has the name of this one.
    func yieldName() {
        let connection = state.withLock { state in
            state.hasYieldedName = true
            return state.connection
        }
        connection?.disconnect()
    }

    /// Sends a message, from any thread; dropped without a session.
    func publish(_ message: BrokerMessage) { state.withLock { $0.connection }?.publish(message) }

    func subscribe(_ filter: String, _ quality: BrokerMessage.Quality = .atLeastOnce) {
        state.withLock { $0.connection }?.subscribe(filter, quality)
    }

    func unsubscribe(_ filter: String) { state.withLock { $0.connection }?.unsubscribe(filter) }

    private func iterate() {
        var failures = 0
        while !state.withLock({ $0.isStopped }) {
            let session = String(UInt64.random(in: .min ... .max), radix: 16)
            let (ending, hasConnected) = connect(session)
            let (isStopped, hasYielded) = state.withLock { state in
                defer { state.hasYieldedName = false }
                return (state.isStopped, state.hasYieldedName)
            }
            if isStopped { return }
            let failure = hasYielded ? .nameInUse(at: settings.broker) : ending
            failures = hasConnected && failure.kind != .crashed ? 0 : failures + 1
            let usual = Self.backoff.wait(afterFailures: failures)
            let wait: Duration =
                switch (failure.kind, failures == 0) {
                // Two boards that have left at one moment must not come back together.
                case (.nameInUse, _): Self.nameInUse * Double.random(in: 0.8...1.2)
                // All boards lose a broker that restarts at one moment.
                case (_, true): .seconds(Double.random(in: 0.5...(settings.isHub ? 1.5 : 10)))
                case (_, false): usual / 2 + usual * Double.random(in: 0...1)
                }
            report(.failed(failure, retryAfter: wait), session)
            wake.wait(atMost: wait)
        }
    }

    /// Runs one session; returns why it ended, and whether it had begun.
    private func connect(_ session: String) -> (BrokerFailure, hasConnected: Bool) {
        let connection: any BrokerLink
        do throws(BrokerFailure) {
            connection = try self.connection(settings, will(session)) { [report] in report($0, session) }
        } catch {
            return (error, false)
        }
        let isStopped = state.withLock { state in
            state.connection = connection
            return state.isStopped
        }
        defer { state.withLock { $0.connection = nil } }
        guard !isStopped else { return (BrokerFailure(.lost, "the client is stopped"), false) }
        return (connection.run(), connection.hasConnected)
    }
}

/// Where and as whom a client connects.
struct BrokerSettings: Hashable, Sendable {
    var broker: BrokerAddress
    /// The client identifier: a broker ends a connection when another one has the same.
    var client: String
    var user: String?
    var password: Secret?
    /// A file of certificates of authorities, as PEM; nil: those of the system.
    var certificates: String?

    /// Whether others wait for this client: it connects again at once. All other boards that lose a broker spread over 10 s.
    var isHub = false

    init(
        broker: BrokerAddress, client: String, user: String? = nil, password: Secret? = nil, certificates: String? = nil
    ) {
        self.broker = broker
        self.client = client
        self.user = user
        self.password = password
        self.certificates = certificates
    }

    /// A connection of a board. Each process has a client identifier of its own: Mosquitto 2.0 ends a connection whose identifier
    /// another one takes without a reason, and the two would take it from each other again and again.
    init?(_ options: FleetOptions, board: FleetName) {
        guard let broker = options.broker else { return nil }
        let process = String(UInt32.random(in: .min ... .max), radix: 16)
        self.init(
            broker: broker, client: "boardd-\(board)-\(process)", user: options.user, password: options.password,
            certificates: options.certificates)
        isHub = options.patience.isHub
    }
}

/// A message to or from an MQTT broker.
struct BrokerMessage: Hashable, Sendable {
    enum Quality: Int32, Sendable {
        /// QoS 0: at most once.
        case atMostOnce = 0
        /// QoS 1: at least once; a rejected message is reported.
        case atLeastOnce = 1
    }

    var topic: String
    var payload: [UInt8]
    var quality: Quality
    /// Of a sent message: whether the broker stores it for later subscribers. Of a received one: whether it is such a copy.
    var isRetained: Bool
    /// How long the broker delivers it; nil: without an end.
    var expiry: Duration?

    init(
        topic: String, payload: [UInt8], quality: Quality = .atLeastOnce, isRetained: Bool = false,
        expiry: Duration? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.quality = quality
        self.isRetained = isRetained
        self.expiry = expiry
    }
}

/// Why a connection to the broker ended, or was not made.
struct BrokerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    enum Kind: UInt8, Sendable {
        /// The name does not resolve, or nothing responds at the address.
        case unreachable
        /// The broker's certificate is not accepted, or the encrypted connection failed otherwise.
        case certificate
        /// The broker rejected the user name or the password, or does not permit the connection.
        case notAuthorised
        /// The broker has no MQTT 5: without its message expiry, an old response would have no end.
        case oldProtocol
        /// Another board has connected with the same name.
        case nameInUse
        /// The connection broke, or the broker no longer responds.
        case lost
        /// The broker sent what ended the process of the connection.
        case crashed
    }

    let kind: Kind
    /// What happened, for messages.
    let detail: String

    init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    static func nameInUse(at broker: BrokerAddress) -> BrokerFailure {
        BrokerFailure(
            .nameInUse,
            "another board has connected to \(broker) with the name of this one; give each board its own: board in [fleet]"
        )
    }

    var description: String { detail }
}
