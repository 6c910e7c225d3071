internal import BoardCore
internal import Glibc

/// What the program and its ``BrokerProcess`` send each other: a kind, and a message whose fields mean what the kind needs.
///
/// On the socket it is the number of the bytes that follow (4 bytes, least significant first), the kind (1), flags (1), the expiry in
/// seconds (4), the length of the topic (4), the topic and the payload.
struct BrokerFrame: Hashable, Sendable {
    enum Kind: UInt8 {
        /// A setting of the connection, whose text is the topic. After ``will`` the process connects.
        case broker = 1
        case client, user, password, certificates, will
        /// Packets to the broker. The topic of a subscription is its filter.
        case publish, subscribe, unsubscribe, disconnect
        /// From the broker.
        case connected, received, acknowledged, rejected
        /// The connection has ended: the topic is the reason, the payload its kind.
        case ended
    }

    /// The most bytes of a frame: of the largest packet of a broker, and its header.
    static let longest = Int(BrokerConnection.largestPacket) + 65_536
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

    /// Parses what follows the length; nil where it is no frame.
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

    /// The number at the start of some bytes, which loses it; nil where they are too few.
    static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt32? {
        guard bytes.count >= 4 else { return nil }
        defer { bytes = bytes.dropFirst(4) }
        return bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Reads frames from a socket.
struct BrokerFrames {
    /// There is no frame, and none will come: the other process has ended, or does not send frames.
    struct End: Error {}

    private let socket: Int32
    private var bytes: ArraySlice<UInt8> = []
    private var chunk = [UInt8](repeating: 0, count: 65_536)

    init(_ socket: Int32) { self.socket = socket }

    /// Receives some bytes.
    ///
    /// - Parameter isBlocking: whether it waits for the first one.
    mutating func receive(isBlocking: Bool) throws(End) {
        let count = unsafe recv(socket, &chunk, chunk.count, isBlocking ? 0 : Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { throw End() }
        bytes = ArraySlice(Array(bytes) + chunk[..<count])
    }

    /// The next frame that was received whole; nil: there is none yet.
    mutating func next() throws(End) -> BrokerFrame? {
        var rest = bytes
        guard let length = BrokerFrame.number(&rest).map(Int.init) else { return nil }
        guard length <= BrokerFrame.longest else { throw End() }
        guard rest.count >= length else { return nil }
        guard let frame = BrokerFrame(rest.prefix(length)) else { throw End() }
        bytes = rest.dropFirst(length)
        return frame
    }

    /// Waits for the next frame.
    mutating func awaitNext() throws(End) -> BrokerFrame {
        while true {
            if let frame = try next() { return frame }
            try receive(isBlocking: true)
        }
    }
}
