internal import BoardIO
internal import BoardService
internal import NIOCore
internal import NIOHTTP1

/// Assembles a request, runs its action outside of the event loop, and sends the response.
///
/// A connection handles one request at a time; the preceding pipeline handler buffers the next ones and stops reading.
/// The end of a response is written when everything before it has been sent, so a client that does not read its
/// responses causes no further ones to be buffered.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// What the handler is waiting for.
    private enum State {
        /// A request.
        case waiting
        /// The rest of a body.
        case receiving(HTTPRequestHead, ByteBuffer)
        /// An action.
        case handling(ChildTasks.Job)
        /// The client, to read the response.
        case responding
        /// The end of the connection.
        case closing
    }

    private let actions: ActionRunner
    private let limits: ControlLimits
    private let connectionGuard: ConnectionGuard
    private var state = State.waiting
    /// Whether the connection stays open after the current response.
    private var isKeepAlive = true

    init(_ actions: ActionRunner, _ limits: ControlLimits, _ connectionGuard: ConnectionGuard) {
        self.limits = limits
        self.connectionGuard = connectionGuard
        self.actions = actions
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), state) {
        case (.head(let head), .waiting):
            begin(head, context)
        case (.body(var part), .receiving(let head, var body)):
            guard body.readableBytes + part.readableBytes <= limits.body else { return rejectSize(context) }
            // The state must not hold a second reference, or the buffer would copy itself.
            state = .waiting
            body.writeBuffer(&part)
            state = .receiving(head, body)
        case (.end, .receiving(let head, let body)):
            act(head, body, context)
        default:
            // Input after the last response.
            break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .handling(let action) = state { action.cancel() }
        state = .closing
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ConnectionGuard.ActionTimedOut, case .handling(let action) = state {
            action.cancel()
            isKeepAlive = false
            send(
                .failure(.init(.unavailable, "the daemon did not finish this within \(limits.action)")), context)
        } else if event as? ChannelEvent == .inputClosed {
            // A client that only shut down its own side still needs the current response.
            isKeepAlive = false
            switch state {
            case .waiting, .receiving: context.close(promise: nil)
            case .handling, .responding, .closing: break
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let fault = error as? HTTPParserError else { return context.close(promise: nil) }
        switch state {
        case .waiting, .receiving:
            isKeepAlive = false
            send(Self.failure(fault, limits), context)
        case .handling, .responding, .closing:
            break
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        connectionGuard.enter(.receiving)
        // After an upgrade, which is not supported, and after CONNECT the parser reads nothing more.
        isKeepAlive =
            head.version == .http1_1 && head.isKeepAlive && !head.headers.contains(name: "upgrade")
            && head.method != .CONNECT
        state = .receiving(head, context.channel.allocator.buffer(capacity: 0))
        if let length = head.headers.first(name: "content-length").flatMap(Int.init), length > limits.body {
            return rejectSize(context)
        }
        if head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }) {
            let next = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(next)), promise: nil)
        }
    }

    private func rejectSize(_ context: ChannelHandlerContext) {
        isKeepAlive = false
        send(.failure(status: 413, "the body is too long; \(limits.body) bytes are allowed"), context)
    }

    private func act(_ head: HTTPRequestHead, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        let target: RequestTarget
        do throws(ServiceError) {
            target = try RequestTarget(head.uri)
        } catch {
            return send(.failure(error), context)
        }
        let request = ControlRequest(
            method: head.method.rawValue, target: target, contentType: head.headers.first(name: "content-type"),
            body: Array(body.readableBytesView))
        connectionGuard.enter(.handling)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        state = .handling(
            actions.start(request) { response in
                let (handler, context) = bound.value
                if case .handling = handler.state { handler.send(response, context) }
            })
    }

    private func send(_ response: ControlResponse, _ context: ChannelHandlerContext) {
        state = .responding
        connectionGuard.enter(.responding)
        var headers = HTTPHeaders()
        for header in response.headers { headers.add(name: header.name, value: header.value) }
        if let body = response.body {
            headers.add(name: "content-type", value: "application/json")
            headers.add(name: "content-length", value: String(body.count))
        }
        headers.add(name: "cache-control", value: "no-store")
        if !isKeepAlive { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        let left = context.eventLoop.makePromise(of: Void.self)
        left.futureResult.assumeIsolated().whenSuccess { self.finish(context) }
        if let body = response.body {
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let bytes = context.channel.allocator.buffer(bytes: body)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: left)
        } else {
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: left)
        }
    }

    private func finish(_ context: ChannelHandlerContext) {
        guard case .responding = state else { return }
        if isKeepAlive {
            state = .waiting
            connectionGuard.enter(.idle)
            // The next request may come out of the pipeline handler before this returns.
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        } else {
            state = .closing
            connectionGuard.enter(.lingering)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            context.close(mode: .output, promise: nil)
        }
    }

    private static func failure(_ fault: HTTPParserError, _ limits: ControlLimits) -> ControlResponse {
        switch fault {
        case .headerOverflow:
            .failure(
                status: 431,
                "address and headers are too long; \(limits.headers) bytes in \(limits.headerCount) "
                    + "headers are allowed")
        case .invalidVersion:
            .failure(status: 505, "only HTTP/1.1 and HTTP/1.0 are supported")
        default:
            .failure(status: 400, "malformed HTTP/1.1 request (\(fault))")
        }
    }
}
