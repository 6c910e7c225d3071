internal import BoardService
internal import NIOCore

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

    /// Sends an error response outside of the pipeline's order, where no response is being sent, and closes the connection.
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
