internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// The part of the server that runs on the event loop: the listening channel and its connections.
final class ControlListener {
    private let socket: ControlSocket
    private let eventLoop: any EventLoop
    private let actions: ActionRunner
    private let limits: ControlLimits
    private let report: @Sendable (ControlServerEvent) -> Void
    private var connections: [ObjectIdentifier: (channel: any Channel, isServed: Bool)] = [:]
    private var listener: (any Channel)?
    private var isEnding = false
    private var isListening = true
    private var shutdown: Scheduled<Void>?

    init(
        _ socket: ControlSocket, on eventLoop: any EventLoop, actions: ActionRunner, limits: ControlLimits,
        report: @escaping @Sendable (ControlServerEvent) -> Void
    ) {
        self.socket = socket
        self.eventLoop = eventLoop
        self.actions = actions
        self.limits = limits
        self.report = report
    }

    /// Accepts connections.
    ///
    /// - Parameters:
    ///   - broken: called when the listening socket closes unexpectedly.
    ///   - listening: called when the server accepts connections.
    func start(broken: @escaping () -> Void, listening: @escaping () -> Void) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let report = report
        ServerBootstrap(group: eventLoop)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptErrorHandler(report))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
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
        guard isEnding, !isListening, connections.isEmpty else { return }
        shutdown?.cancel()
        // Cancelled actions may still end; their responses have no receiver.
        actions.gate.close()
        eventLoop.shutdownGracefully { _ in }
    }

    /// Serves a connection. One that exceeds the limit gets an error response; when so many get that response already, it is
    /// closed without one.
    private func add(_ channel: any Channel) throws {
        let served = connections.values.count(where: \.isServed)
        let isServed = served < limits.connections
        guard isServed || connections.count - served < limits.connections else { return channel.close(promise: nil) }
        let key = ObjectIdentifier(channel)
        connections[key] = (channel, isServed)
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            self.connections[key] = nil
            self.finishIfOver()
        }
        let pipeline = channel.pipeline.syncOperations
        let connectionGuard = ConnectionGuard(limits, isFull: !isServed)
        try pipeline.addHandler(connectionGuard)
        guard isServed else { return }
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = limits.headers
        decoding.maxHeaderListSize = limits.headers
        decoding.maxHeaderFieldCount = limits.headerCount
        try pipeline.configureHTTPServerPipeline(
            withErrorHandling: false, withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoding)
        try pipeline.addHandler(RequestHandler(actions, limits, connectionGuard))
    }
}
