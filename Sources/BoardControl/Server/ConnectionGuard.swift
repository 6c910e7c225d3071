import BoardCore
package import BoardIO
import BoardService
import NIOCore

/// Limits the time and the bytes of one connection, as the first handler of its pipeline.
///
/// One deadline is set at any time; a connection has no other timer, and without connections there is none.
final class ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What the connection is waiting for.
    enum Phase {
        /// The first byte of a request.
        case idle
        /// The rest of a request.
        case receiving
        /// An action.
        case handling
        /// The client, to read the response.
        case responding
        /// The next event of a stream.
        case streaming
        /// The client, to close: all responses are sent, and further input is discarded.
        case lingering
    }

    /// The action took too long; passes through the pipeline to the ``RequestHandler``.
    struct ActionTimedOut {}

    /// A stream had no event for a while; passes through the pipeline to the ``RequestHandler``.
    struct StreamIsQuiet {}

    private let endpoint: HTTPEndpoint
    private let isFull: Bool
    private var phase = Phase.idle
    private var deadline: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    /// - Parameter isFull: whether the connection exceeds the limit and only gets an error response.
    init(_ endpoint: HTTPEndpoint, isFull: Bool = false) {
        self.endpoint = endpoint
        self.isFull = isFull
    }

    private var limits: ControlLimits { endpoint.limits }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        if isFull {
            reject(
                ControlResponse.failure(
                    .init(.unavailable, "too many connections are open already; try again later")))
        } else {
            enter(.idle)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase != .lingering else { return }
        if phase == .idle { enter(.receiving) }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        let isOver =
            switch phase {
            case .lingering: event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed
            // It would not end by itself.
            case .streaming: event is ChannelShouldQuiesceEvent
            case .idle, .receiving, .handling, .responding: false
            }
        if isOver {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func enter(_ phase: Phase) {
        self.phase = phase
        deadline?.cancel()
        guard let context, context.channel.isActive else { return }
        let limit =
            switch phase {
            case .idle: limits.idle
            case .receiving: limits.request
            case .handling: limits.action
            case .responding: limits.response
            case .streaming: limits.keepAlive
            case .lingering: limits.linger
            }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { self.expire() }
    }

    private func expire() {
        guard let context else { return }
        switch phase {
        case .idle, .responding, .lingering:
            context.close(promise: nil)
        case .receiving:
            reject(.failure(status: 408, "the request was not complete within \(limits.request)"))
        case .handling:
            context.fireUserInboundEventTriggered(ActionTimedOut())
        case .streaming:
            context.fireUserInboundEventTriggered(StreamIsQuiet())
        }
    }

    /// Sends an error response outside the pipeline's order, while no other is being sent, and closes the connection.
    private func reject(_ response: ControlResponse) {
        guard let context else { return }
        let body = response.body ?? []
        var bytes = context.channel.allocator.buffer(capacity: 512)
        let headers = endpoint.headers().map { "\($0.name): \($0.value)\r\n" }.joined()
        bytes.writeString(
            "HTTP/1.1 \(response.status) \(response.status == 408 ? "Request Timeout" : "Service Unavailable")\r\n"
                + headers
                + "content-type: application/json\r\ncontent-length: \(body.count)\r\nconnection: close\r\n\r\n")
        bytes.writeBytes(body)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        enter(.lingering)
        context.close(mode: .output, promise: nil)
    }
}

/// Who sends requests.
package enum Peer: Hashable, Sendable {
    /// A process on this machine, over the Unix socket.
    case process
    case address(IPAddress)

    /// The address of a client on the network; nil: this machine, where a proxy passes on the requests of all clients.
    package var remote: IPAddress? {
        guard case .address(let address) = self, !address.isLoopback else { return nil }
        return address
    }

    /// Whose use is limited; nil: nobody's.
    var limited: IPAddress? { remote?.own }
}

/// What the clients of an endpoint are using now; on its event loop.
///
/// A connection counts until its last action has ended, which may be later than the connection: otherwise a client that
/// always disconnects at once could have any number of actions running.
final class ClientUsage {
    private struct Client {
        var connections = 0
        var streams = 0
        /// The requests allowed at `at`; the rate has added more since.
        var allowed: Double
        var at: NIODeadline
    }

    private let limits: ControlLimits
    private var clients: [IPAddress: Client] = [:]
    private var connections = 0
    private var streams = 0

    init(_ limits: ControlLimits) {
        self.limits = limits
    }

    /// Whether one more connection is allowed; if so, counts it.
    func connect(_ peer: Peer) -> Bool {
        guard connections < limits.connections else { return false }
        if let address = peer.limited, let limit = limits.connectionsPerAddress {
            var client = client(address, at: .now())
            guard client.connections < Self.limit(limit, of: address) else { return false }
            client.connections += 1
            clients[address] = client
        }
        connections += 1
        return true
    }

    /// An IPv6 network may be a whole household.
    private static func limit(_ limit: Int, of address: IPAddress) -> Int { address.isIPv4 ? limit : 2 * limit }

    /// A connection and its last action have ended.
    func disconnect(_ peer: Peer) {
        connections -= 1
        guard let address = peer.limited, var client = clients[address] else { return }
        client.connections -= 1
        clients[address] = client
        forget(at: .now())
    }

    /// Counts a request.
    ///
    /// - Returns: the whole seconds until the next one is allowed; nil: it is allowed now.
    func request(from peer: Peer) -> Int? {
        guard let address = peer.limited, let rate = limits.rate else { return nil }
        var client = client(address, at: .now())
        defer { clients[address] = client }
        guard client.allowed >= 1 else { return Int((1 / Double(rate.perSecond)).rounded(.up)) }
        client.allowed -= 1
        return nil
    }

    /// Whether one more stream is allowed; if so, counts it.
    func openStream(_ peer: Peer) -> Bool {
        guard streams < limits.streams else { return false }
        if let address = peer.limited {
            var client = client(address, at: .now())
            guard client.streams < Self.limit(limits.streamsPerAddress, of: address) else { return false }
            client.streams += 1
            clients[address] = client
        }
        streams += 1
        return true
    }

    func closeStream(_ peer: Peer) {
        streams -= 1
        if let address = peer.limited { clients[address]?.streams -= 1 }
    }

    /// A client with the requests that it may send now.
    private func client(_ address: IPAddress, at now: NIODeadline) -> Client {
        let burst = Double(limits.rate?.burst ?? 0)
        guard var client = clients[address] else { return Client(allowed: burst, at: now) }
        let seconds = Double((now - client.at).nanoseconds) / 1e9
        client.allowed = min(burst, client.allowed + seconds * Double(limits.rate?.perSecond ?? 0))
        client.at = now
        return client
    }

    /// Forgets the clients that are not connected and may send a full burst again.
    private func forget(at now: NIODeadline) {
        for address in Array(clients.keys) {
            let client = client(address, at: now)
            let isFull = client.allowed >= Double(limits.rate?.burst ?? 0)
            clients[address] = client.connections == 0 && isFull ? nil : client
        }
    }
}
