import BoardCore
import BoardIO
import BoardStore
import Synchronization

/// An MQTT 5 client on a thread of its own, which reconnects after each failure.
///
/// libmosquitto's own thread is not used: that of version 2.0 ends for good if the broker or its name is missing at
/// the start (docs/decisions/fleet.md).
final class BrokerClient: Sendable {
    enum Event: Sendable {
        /// A session has begun; nothing is subscribed yet.
        case connected
        case received(BrokerMessage)
        /// The broker does not permit a message to this topic, or a subscription to this filter.
        case rejected(String)
        /// The broker has accepted a message or a subscription.
        case acknowledged(String)
        /// The session has ended, or none began; the client tries again after the wait.
        case failed(BrokerError, retryAfter: Duration)
    }

    /// Makes a connection without starting it.
    typealias Connection =
        @Sendable (
            BrokerSettings, _ will: BrokerMessage, _ report: @escaping BrokerLink.Report
        ) throws(BrokerError) -> any BrokerLink

    private static let backoff = Backoff(from: .seconds(1), upTo: .seconds(120))
    /// The wait while another board uses this one's name: the two would end each other's sessions again and again.
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
    ///   - will: the will of a session; it contains the session's name, so a late one does not end a newer session.
    ///   - report: is called for each event with the session's name, on the client's thread; must not block.
    /// - Throws: ``ThreadError`` when the process may open no more files.
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

    /// Leaves the broker for about ten minutes: another board uses this one's name.
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
                // Two boards that left at the same moment must not come back together.
                case (.nameInUse, _): Self.nameInUse * Double.random(in: 0.8...1.2)
                // All boards lose a restarted broker at the same moment.
                case (_, true): .seconds(Double.random(in: 0.5...(settings.isHub ? 1.5 : 10)))
                case (_, false): usual / 2 + usual * Double.random(in: 0...1)
                }
            report(.failed(failure, retryAfter: wait), session)
            wake.wait(atMost: wait)
        }
    }

    /// Runs one session; returns why it ended, and whether it had begun.
    private func connect(_ session: String) -> (BrokerError, hasConnected: Bool) {
        let connection: any BrokerLink
        do throws(BrokerError) {
            connection = try self.connection(settings, will(session)) { [report] in report($0, session) }
        } catch {
            return (error, false)
        }
        let isStopped = state.withLock { state in
            state.connection = connection
            return state.isStopped
        }
        defer { state.withLock { $0.connection = nil } }
        guard !isStopped else { return (BrokerError(.lost, "the client is stopped"), false) }
        return (connection.run(), connection.hasConnected)
    }
}

/// Where and as whom a client connects.
struct BrokerSettings: Hashable, Sendable {
    var broker: BrokerAddress
    /// The client identifier; the broker ends a connection when a new one has the same.
    var client: String
    var user: String?
    var password: Secret?
    /// A PEM file of CA certificates; nil: the system's.
    var certificates: String?

    /// Whether others wait for this client: it reconnects within 1.5 s. Other boards spread over 10 s.
    var isHub = false
}

extension BrokerSettings {
    /// A board's connection. Each process has its own client identifier: Mosquitto 2.0 gives no reason when it ends a
    /// connection because another takes its identifier, and the two would take it from each other again and again.
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
    var quality = Quality.atLeastOnce
    /// When sent: whether the broker stores it for later subscribers. When received: whether it is such a stored copy.
    var isRetained = false
    /// How long the broker may deliver it; nil: forever.
    var expiry: Duration?
}

/// Why a connection to the broker ended, or was not made.
struct BrokerError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Kind: UInt8, Sendable {
        /// The name does not resolve, or nothing responds at the address.
        case unreachable
        /// The broker's certificate is not accepted, or the encrypted connection failed otherwise.
        case certificate
        /// The broker rejected the user name or the password, or does not permit the connection.
        case notAuthorised
        /// The broker has no MQTT 5: without its message expiry, an old response would stay forever.
        case oldProtocol
        /// Another board has connected with the same name.
        case nameInUse
        /// The connection broke, or the broker no longer responds.
        case lost
        /// Something the broker sent ended the connection's process.
        case crashed
    }

    let kind: Kind
    /// What happened, for messages.
    let detail: String

    init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    static func nameInUse(at broker: BrokerAddress) -> BrokerError {
        BrokerError(
            .nameInUse,
            "another board has connected to \(broker) with the name of this one; give each board its own: board in [fleet]"
        )
    }

    var description: String { detail }
}
