import BoardCore
import BoardIO
import NIOCore
import NIOHTTP1
import NIOPosix

/// Accepts the connections of an endpoint and limits their number. With its connections, it is on the event loop.
actor ControlListener {
    /// An accepted connection.
    private typealias Client = (
        channel: NIOAsyncChannel<HTTPServerRequestPart, Never>, input: NIOLoopBound<ConnectionInput>
    )

    private let endpoint: HTTPEndpoint
    private let socket: OpenSocket
    private let executor: EventLoopExecutor
    private let usage: ClientUsage
    private let report: @Sendable (ControlServerEvent) -> Void
    private var listener: (any Channel)?
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// The connections that only get an error response.
    private var rejections = 0
    private var isEnding = false
    /// Whether a client that is not served has been reported: strangers must not fill the log.
    private var hasDisconnected = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(
        _ endpoint: HTTPEndpoint, _ socket: OpenSocket, on executor: EventLoopExecutor,
        report: @escaping @Sendable (ControlServerEvent) -> Void
    ) {
        self.endpoint = endpoint
        self.socket = socket
        self.executor = executor
        usage = ClientUsage(endpoint.limits)
        self.report = report
    }

    /// Serves until ``end()``, and until every action has ended.
    ///
    /// - Throws: if the listening socket closes unexpectedly.
    func run() async throws {
        // Not the channel of an asynchronous `bind`: it ends with the first client whose options cannot be set.
        let (clients, accepted) = AsyncStream.makeStream(of: Client.self)
        let isBroken = await withDiscardingTaskGroup { group in
            do {
                let channel = try await listen(accepted)
                listener = channel
                channel.closeFuture.whenComplete { _ in accepted.finish() }
                if isEnding {
                    channel.close(promise: nil)
                } else {
                    report(.listening(endpoint.name))
                }
                for await client in clients { add(client, to: &group) }
            } catch {}
            defer { end() }
            return !isEnding && !Task.isCancelled
        }
        if isBroken { throw PlainError("\(endpoint.name): the listening socket failed; restarting it") }
    }

    private func listen(_ accepted: AsyncStream<Client>.Continuation) async throws -> any Channel {
        let (name, report, limits) = (endpoint.name, report, endpoint.limits)
        return try await ServerBootstrap(group: executor.loop)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptErrorHandler(name, report))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // The kernel must not buffer megabytes for a client that reads nothing.
            .childChannelOption(.socketOption(.so_sndbuf), value: 65_536)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: 16_384)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { accepted.yield(try Self.client(channel, limits)) }
            }
            .withBoundSocket(socket.descriptor).get()
    }

    private static func client(_ channel: any Channel, _ limits: ControlLimits) throws -> Client {
        let pipeline = channel.pipeline.syncOperations
        let input = ConnectionInput()
        try pipeline.addHandler(input)
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = limits.headers
        decoding.maxHeaderListSize = limits.headers
        decoding.maxHeaderFieldCount = limits.headerCount
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: decoding)
        return (
            try NIOAsyncChannel(wrappingChannelSynchronously: channel),
            NIOLoopBound(input, eventLoop: channel.eventLoop)
        )
    }

    /// Shuts down: no new connections, and a short time for responses in progress.
    func end() {
        guard !isEnding else { return }
        isEnding = true
        socket.remove()
        listener?.close(promise: nil)
        for connection in connections.values { connection.end() }
        executor.loop.scheduleTask(in: TimeAmount(endpoint.limits.shutdown)) {
            self.assumeIsolated { for connection in $0.connections.values { connection.close() } }
        }
    }

    /// Serves a connection. One over the limit gets an error response, or is closed without one if too many get that
    /// response already.
    private func add(_ client: Client, to group: inout DiscardingTaskGroup) {
        let channel = client.channel.channel
        guard !isEnding, let peer = peer(of: channel) else { return channel.close(promise: nil) }
        let isFull = !usage.connect(peer)
        guard !isFull || rejections < endpoint.limits.rejections else { return channel.close(promise: nil) }
        if isFull { rejections += 1 }
        group.addTask { await self.serve(client, peer, isFull: isFull) }
    }

    private func serve(_ client: Client, _ peer: Peer, isFull: Bool) async {
        let connection = Connection(endpoint, client.channel.channel, client.input.value, peer, usage)
        connections[ObjectIdentifier(connection)] = connection
        if isEnding { connection.end() }
        await withDiscardingTaskGroup { actions in
            try? await client.channel.executeThenClose { inbound in
                try await connection.run(inbound, isFull: isFull, actions: &actions)
            }
            connections[ObjectIdentifier(connection)] = nil
            if isFull { rejections -= 1 }
            actions.cancelAll()
        }
        // Only after its last action: otherwise a client that always disconnects could have any number of them running.
        if !isFull { usage.disconnect(peer) }
    }

    /// Who has connected; nil: a client that is not served, as is one that has already gone and has no address.
    private func peer(of channel: any Channel) -> Peer? {
        guard case .network(_, let isServed) = endpoint.socket else { return .process }
        guard let address = channel.remoteAddress?.ipAddress.flatMap({ IPAddress($0) }) else { return nil }
        if isServed(address) { return .address(address) }
        if !hasDisconnected { report(.disconnected("\(address)", endpoint: endpoint.name)) }
        hasDisconnected = true
        return nil
    }
}

/// Reports errors of accept(2), which do not end the server: the next connection may be accepted.
///
/// NIO pauses for a second after each such error; the clients wait in the queue meanwhile.
final class AcceptErrorHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// The endpoint's name in messages.
    private let name: String
    private let report: @Sendable (ControlServerEvent) -> Void
    private var isFailing = false

    init(_ name: String, _ report: @escaping @Sendable (ControlServerEvent) -> Void) {
        self.name = name
        self.report = report
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isFailing {
            isFailing = false
            report(.acceptingAgain(name))
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isFailing {
            isFailing = true
            report(.cannotAccept(name, code: (error as? IOError)?.errnoCode ?? 0))
        }
        context.fireErrorCaught(error)
    }
}
