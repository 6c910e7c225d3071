import BoardCore
package import BoardIO
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Counts the listeners of an event loop, and acts when the last one has ended.
final class ListenerGroup {
    private var count: Int
    private let finish: () -> Void

    init(count: Int, finish: @escaping () -> Void) {
        self.count = count
        self.finish = finish
    }

    func ended() {
        count -= 1
        if count == 0 { finish() }
    }
}

/// The part of the server that runs on the event loop: a listening channel and its connections.
final class ControlListener {
    private let endpoint: HTTPEndpoint
    private let socket: OpenSocket
    private let eventLoop: any EventLoop
    private let actions: ActionRunner
    private let group: ListenerGroup
    private let usage: ClientUsage
    private let report: @Sendable (ControlServerEvent) -> Void
    private var connections: [ObjectIdentifier: (channel: any Channel, isCounted: Bool)] = [:]
    private var listener: (any Channel)?
    private var isEnding = false
    private var isListening = true
    private var isFinished = false
    /// Whether a client that is not served has been reported: strangers must not fill the log.
    private var hasDisconnected = false
    private var shutdown: Scheduled<Void>?

    init(
        _ endpoint: HTTPEndpoint, _ socket: OpenSocket, on eventLoop: any EventLoop, tasks: ChildTasks,
        gate: EventLoopGate, group: ListenerGroup, report: @escaping @Sendable (ControlServerEvent) -> Void
    ) {
        self.endpoint = endpoint
        self.socket = socket
        self.eventLoop = eventLoop
        actions = ActionRunner(respond: endpoint.respond, tasks: tasks, gate: gate)
        self.group = group
        usage = ClientUsage(endpoint.limits)
        self.report = report
    }

    private var limits: ControlLimits { endpoint.limits }

    /// Accepts connections.
    ///
    /// - Parameters:
    ///   - broken: called when the listening socket closes unexpectedly.
    ///   - listening: called when the server accepts connections.
    func start(broken: @escaping () -> Void, listening: @escaping () -> Void) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let (name, report) = (endpoint.name, report)
        ServerBootstrap(group: eventLoop)
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
                channel.eventLoop.makeCompletedFuture { try bound.value.add(channel) }
            }
            .withBoundSocket(socket.descriptor)
            .assumeIsolated()
            .whenComplete { result in
                guard case .success(let channel) = result else { return self.listenerClosed(broken) }
                self.listener = channel
                channel.closeFuture.assumeIsolated().whenComplete { _ in self.listenerClosed(broken) }
                if self.isEnding {
                    channel.close(promise: nil)
                } else {
                    listening()
                }
            }
    }

    private func listenerClosed(_ broken: () -> Void) {
        if !isEnding { broken() }
        end()
        isListening = false
        finishIfOver()
    }

    /// Shuts down: no new connections, and a short time for responses in progress.
    func end() {
        guard !isEnding else { return }
        isEnding = true
        socket.remove()
        listener?.close(promise: nil)
        shutdown = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.shutdown)) {
            for (channel, _) in self.connections.values { channel.close(promise: nil) }
        }
        // Closes idle connections, and the others after their current response.
        for (channel, _) in connections.values {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    private func finishIfOver() {
        guard isEnding, !isListening, connections.isEmpty, !isFinished else { return }
        isFinished = true
        shutdown?.cancel()
        group.ended()
    }

    /// Serves a connection. One over the limit gets an error response, or is closed without one if too many get that
    /// response already.
    private func add(_ channel: any Channel) throws {
        guard let peer = peer(of: channel) else { return channel.close(promise: nil) }
        let isCounted = usage.connect(peer)
        guard isCounted || connections.values.count(where: { !$0.isCounted }) < limits.rejections else {
            return channel.close(promise: nil)
        }
        let connectionGuard = ConnectionGuard(endpoint, isFull: !isCounted)
        let handler = isCounted ? RequestHandler(endpoint, peer, actions, connectionGuard, usage) : nil
        let key = ObjectIdentifier(channel)
        connections[key] = (channel, isCounted)
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            self.connections[key] = nil
            handler?.disconnected()
            self.finishIfOver()
        }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(connectionGuard)
        guard let handler else { return }
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = limits.headers
        decoding.maxHeaderListSize = limits.headers
        decoding.maxHeaderFieldCount = limits.headerCount
        try pipeline.configureHTTPServerPipeline(
            withErrorHandling: false, withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoding)
        try pipeline.addHandler(handler)
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

/// Where a server listens, and how it responds there.
package struct HTTPEndpoint: Sendable {
    package enum Socket: Sendable {
        /// A Unix socket that the server makes and removes.
        case unix(path: String, group: String)
        /// A listening TCP descriptor, which stays open after the server ends. Clients at an address that is not served
        /// are disconnected.
        case network(Int32, isServed: @Sendable (IPAddress) -> Bool)
    }

    let socket: Socket
    /// The name in messages: "control socket /run/boardd/control.sock".
    let name: String
    let limits: ControlLimits
    /// Headers of every response.
    let headers: @Sendable () -> [ControlResponse.Header]
    let respond: @Sendable (ControlRequest) async -> ControlResponse

    package init(
        _ socket: Socket, name: String, limits: ControlLimits,
        headers: @escaping @Sendable () -> [ControlResponse.Header] = { [] },
        respond: @escaping @Sendable (ControlRequest) async -> ControlResponse
    ) {
        self.socket = socket
        self.name = name
        self.limits = limits
        self.headers = headers
        self.respond = respond
    }

    package static func control(
        path: String, group: String = ControlServer.defaultGroup, limits: ControlLimits = ControlLimits(),
        router: Router
    ) -> HTTPEndpoint {
        HTTPEndpoint(.unix(path: path, group: group), name: "control socket \(path)", limits: limits) {
            await router.response($0)
        }
    }

    func listen(report: @Sendable (ControlServerEvent) -> Void) throws -> OpenSocket {
        switch socket {
        case .unix(let path, let group):
            let socket = try ControlSocket(path: path, group: group, report: report)
            return OpenSocket(descriptor: socket.descriptor, remove: socket.remove)
        case .network(let descriptor, _):
            // NIO closes its descriptor, and the supervisor may start the server again.
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw PlainError("\(name): cannot be used: \(errnoText(errno))") }
            return OpenSocket(descriptor: copy, remove: {})
        }
    }
}

/// A listening descriptor, which its receiver closes.
struct OpenSocket {
    let descriptor: Int32
    /// Removes the socket's file, if it has one.
    let remove: () -> Void
}
