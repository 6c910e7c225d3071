import BoardCore
import BoardIO
import BoardStore
import CMosquitto
import Glibc
import Synchronization

/// One connection to a broker through libmosquitto.
///
/// ``run()`` blocks its thread until the connection ends. All other methods only queue packets, from any thread.
final class BrokerConnection: BrokerLink {
    /// In seconds. The broker counts a board as gone after 1.5 times this long without a packet (MQTT 5, 3.1.2.10).
    private static let keepalive: Int32 = 30
    /// In bytes: the largest packet the broker may send. A payload above the fleet's limit must arrive to be reported.
    static let maximumPacketSize: UInt32 = 1_048_576
    /// The longest sleep in milliseconds; libmosquitto shortens it to the next keepalive.
    private static let maximumSleep: Int32 = 60_000

    private static let maximumEndDuration = Duration.seconds(1)

    private let settings: BrokerSettings
    private let report: Report
    private let handle: BrokerHandle
    /// Lives as long as the handle, whose callbacks may run on any thread that sends.
    private let session = BrokerSession()
    private let state = Mutex(State())

    private struct State {
        var isOpen = true
        /// Nil: ``disconnect()`` was not called.
        var endBy: ContinuousClock.Instant?
        /// The topics of unacknowledged packets, by packet identifier.
        var pending: [Int32: String] = [:]
    }

    /// - Parameters:
    ///   - will: what the broker publishes when the connection ends without ``disconnect()``.
    ///   - report: is called for each event, on the thread of ``run()``.
    /// - Throws: ``BrokerError`` when libmosquitto rejects a setting, such as the certificate file.
    init(_ settings: BrokerSettings, will: BrokerMessage, report: @escaping Report) throws(BrokerError) {
        self.settings = settings
        self.report = report
        handle = try BrokerHandle(settings, will: will)
    }

    deinit { handle.destroy() }

    var hasConnected: Bool { session.facts.hasConnected }

    func run() -> BrokerError {
        session.start(self)
        defer { state.withLock { $0.isOpen = false } }
        let code = handle.run(
            session, host: settings.broker.hostText, port: Int32(settings.broker.port), keepalive: Self.keepalive,
            maximumPacketSize: Self.maximumPacketSize, sleep: Self.maximumSleep, mayEnd: { self.mayEnd })
        return session.facts.failure(of: code, at: settings.broker)
    }

    fileprivate func handle(_ event: BrokerSession.Event) {
        switch event {
        case .connected: report(.connected)
        case .received(let message): report(.received(message))
        case .acknowledged(let identifier, let isRejected):
            guard let topic = state.withLock({ $0.pending.removeValue(forKey: identifier) }) else { return }
            report(isRejected ? .rejected(topic) : .acknowledged(topic))
        }
    }

    func publish(_ message: BrokerMessage) {
        send(message.topic, isAcknowledged: message.quality == .atLeastOnce) { handle.publish(message, &$0) }
    }

    func subscribe(_ filter: String, _ quality: BrokerMessage.Quality) {
        send(filter, isAcknowledged: true) { handle.subscribe(filter, quality, &$0) }
    }

    func unsubscribe(_ filter: String) {
        send(filter, isAcknowledged: false) { handle.unsubscribe(filter, &$0) }
    }

    func disconnect() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.endBy = state.endBy ?? ContinuousClock.now + Self.maximumEndDuration
        }
        handle.wake()
    }

    /// After ``disconnect()``: whether all packets are acknowledged or the time is up; nil: it was not called.
    private var mayEnd: Bool? {
        state.withLock { state in
            state.endBy.map { state.pending.isEmpty || $0 <= ContinuousClock.now }
        }
    }

    /// - Parameter send: queues a packet in libmosquitto; sets the packet's identifier, and returns whether it could.
    private func send(_ topic: String, isAcknowledged: Bool, _ send: (inout Int32) -> Bool) {
        state.withLock { state in
            var identifier: Int32 = 0
            // Within the lock: the acknowledgement may come before this thread continues.
            guard state.isOpen, send(&identifier), isAcknowledged else { return }
            state.pending[identifier] = topic
        }
    }
}

/// The events and the facts of a connection, as libmosquitto's callbacks report them.
final class BrokerSession: Sendable {
    enum Event: Sendable {
        case connected
        case received(BrokerMessage)
        case acknowledged(Int32, isRejected: Bool)
    }

    struct Facts: Sendable {
        /// The reason code with which the broker accepted, rejected or ended the connection (MQTT 5, 2.4).
        var reason: Int32 = 0
        /// libmosquitto's last error text.
        var error = ""
        /// Whether the broker has accepted the connection.
        var hasConnected = false
    }

    private struct State {
        var facts = Facts()
        // Not a closure in a tuple: Swift 6.3 leaks two blocks of memory for each one that `withLock` returns.
        weak var connection: BrokerConnection?
    }

    private let state = Mutex(State())

    var facts: Facts { state.withLock { $0.facts } }

    func start(_ connection: BrokerConnection) { state.withLock { $0.connection = connection } }

    func note(_ change: (inout Facts) -> Void) { state.withLock { change(&$0.facts) } }

    func report(_ event: Event) { state.withLock { $0.connection }?.handle(event) }
}

extension BrokerSession.Facts {
    /// Why a connection ended, from libmosquitto's code and the broker's reason.
    func failure(of code: Int32, at broker: BrokerAddress) -> BrokerError {
        switch UInt32(bitPattern: reason) {
        case 1, MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue:
            return BrokerError(.oldProtocol, "\(broker) has no MQTT 5, which a fleet needs; update the broker")
        case MQTT_RC_SESSION_TAKEN_OVER.rawValue:
            return .nameInUse(at: broker)
        case 4, 5, MQTT_RC_BAD_USERNAME_OR_PASSWORD.rawValue, MQTT_RC_NOT_AUTHORIZED.rawValue,
            MQTT_RC_CLIENTID_NOT_VALID.rawValue, MQTT_RC_BANNED.rawValue:
            return BrokerError(
                .notAuthorised,
                "\(broker) rejects this board (\(BrokerHandle.text(ofReason: reason))); "
                    + "check FLEET_USER and FLEET_PASSWORD in keys.env, and the name of the board")
        default: break
        }
        let text = BrokerHandle.text(ofError: code)
        switch mosq_err_t(rawValue: code) {
        case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE:
            return BrokerError(
                .certificate,
                "\(broker): the encrypted connection failed (\(error.isEmpty ? text : error)); check ca in [fleet]")
        case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP:
            return BrokerError(.unreachable, "\(broker): the name does not resolve; check broker in [fleet]")
        case MOSQ_ERR_ERRNO, MOSQ_ERR_CONN_REFUSED:
            return BrokerError(.unreachable, "\(broker): no connection (\(text)); check that the broker runs")
        case MOSQ_ERR_PROTOCOL where reason == 0 && !hasConnected:
            return BrokerError(.oldProtocol, "\(broker) does not respond with MQTT 5, which a fleet needs")
        case MOSQ_ERR_KEEPALIVE: return BrokerError(.lost, "\(broker) does not respond")
        case _ where !hasConnected && reason <= 0:
            return BrokerError(
                .unreachable, "\(broker) accepts the connection, but does not respond as an MQTT 5 broker")
        default:
            return BrokerError(
                .lost, "\(broker): connection lost (\(reason > 0 ? BrokerHandle.text(ofReason: reason) : text))")
        }
    }
}

/// What the program and its ``BrokerProcess`` send each other: a kind, and a message whose meaning depends on it.
///
/// On the socket: the number of bytes that follow (4 bytes, least significant first), the kind (1), flags (1), the
/// expiry in seconds (4), the length of the topic (4), the topic and the payload.
struct BrokerFrame: Hashable, Sendable {
    enum Kind: UInt8 {
        /// A setting of the connection; its text is in the topic. After ``will`` the process connects.
        case broker = 1
        case client, user, password, certificates, will
        /// Packets to the broker. The topic of a subscription is its filter.
        case publish, subscribe, unsubscribe, disconnect
        /// From the broker.
        case connected, received, acknowledged, rejected
        /// The connection has ended: the topic is the reason, the payload its kind.
        case ended
    }

    /// The maximum size of a frame in bytes: a broker's largest packet, and the header.
    static let maximumSize = Int(BrokerConnection.maximumPacketSize) + 65_536
    private static let header = 10

    let kind: Kind
    let message: BrokerMessage

    init(_ kind: Kind, _ message: BrokerMessage) {
        self.kind = kind
        self.message = message
    }

    init(_ kind: Kind, _ text: String = "", _ payload: [UInt8] = []) {
        self.init(kind, BrokerMessage(topic: text, payload: payload))
    }

    /// Parses what follows the length; nil if it is not a frame.
    init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let kind = rest.popFirst().flatMap(Kind.init), let flags = rest.popFirst(),
            let quality = BrokerMessage.Quality(rawValue: Int32(flags & 1)), let seconds = Self.number(&rest),
            let length = Self.number(&rest).map(Int.init), length <= rest.count
        else { return nil }
        self.init(
            kind,
            BrokerMessage(
                topic: String(decoding: rest.prefix(length), as: UTF8.self), payload: Array(rest.dropFirst(length)),
                quality: quality, isRetained: flags & 2 != 0, expiry: seconds > 0 ? .seconds(Int64(seconds)) : nil))
    }

    var bytes: [UInt8] {
        let topic = Array(message.topic.utf8)
        let seconds = message.expiry.map { max(1, UInt32(clamping: Int64(($0 / .seconds(1)).rounded(.up)))) } ?? 0
        return Self.bytes(UInt32(Self.header + topic.count + message.payload.count))
            + [kind.rawValue, UInt8(message.quality.rawValue) | (message.isRetained ? 2 : 0)]
            + Self.bytes(seconds) + Self.bytes(UInt32(topic.count)) + topic + message.payload
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// Removes a number from the start of the bytes; nil if there are too few.
    static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt32? {
        guard bytes.count >= 4 else { return nil }
        defer { bytes = bytes.dropFirst(4) }
        return bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Reads frames from a socket.
struct BrokerFrames {
    /// No more frames will come: the other process has ended, or does not send frames.
    static let end = PlainError("the other process sends no more frames")

    private let socket: Int32
    private var bytes: ArraySlice<UInt8> = []
    private var chunk = [UInt8](repeating: 0, count: 65_536)

    init(_ socket: Int32) { self.socket = socket }

    /// Receives the bytes that have arrived.
    ///
    /// - Parameter isBlocking: whether it waits for the first one.
    mutating func receive(isBlocking: Bool) throws {
        let count = unsafe recv(socket, &chunk, chunk.count, isBlocking ? 0 : Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { throw Self.end }
        bytes = ArraySlice(Array(bytes) + chunk[..<count])
    }

    /// The next complete frame; nil: there is none yet.
    mutating func next() throws -> BrokerFrame? {
        var rest = bytes
        guard let length = BrokerFrame.number(&rest).map(Int.init) else { return nil }
        guard length <= BrokerFrame.maximumSize else { throw Self.end }
        guard rest.count >= length else { return nil }
        guard let frame = BrokerFrame(rest.prefix(length)) else { throw Self.end }
        bytes = rest.dropFirst(length)
        return frame
    }

    mutating func awaitNext() throws -> BrokerFrame {
        while true {
            if let frame = try next() { return frame }
            try receive(isBlocking: true)
        }
    }
}
