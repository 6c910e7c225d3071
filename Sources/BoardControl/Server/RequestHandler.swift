import BoardIO
import BoardService
import NIOCore
import NIOHTTP1
import Synchronization

/// Assembles a request, runs its action outside the event loop, and sends the response.
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
        /// The next event of a stream, or the client, to read the last ones.
        case streaming(ChildTasks.Job)
        /// The end of the connection.
        case closing
    }

    private let endpoint: HTTPEndpoint
    private let peer: Peer
    private let actions: ActionRunner
    private let connectionGuard: ConnectionGuard
    private let usage: ClientUsage
    private var state = State.waiting
    /// Whether the connection stays open after the current response.
    private var isKeepAlive = true
    /// Whether the current response has no body: one to HEAD (RFC 9110 §9.3.2).
    private var isHead = false
    /// Whether an action or a stream runs: it may outlast its response and the connection.
    private var isActing = false
    private var isDisconnected = false

    init(
        _ endpoint: HTTPEndpoint, _ peer: Peer, _ actions: ActionRunner, _ connectionGuard: ConnectionGuard,
        _ usage: ClientUsage
    ) {
        self.endpoint = endpoint
        self.peer = peer
        self.actions = actions
        self.connectionGuard = connectionGuard
        self.usage = usage
    }

    private var limits: ControlLimits { endpoint.limits }

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
        switch state {
        case .handling(let action), .streaming(let action): action.cancel()
        case .waiting, .receiving, .responding, .closing: break
        }
        state = .closing
        context.fireChannelInactive()
    }

    /// The connection has ended, or never began.
    func disconnected() {
        isDisconnected = true
        releaseIfOver()
    }

    private func ended() {
        isActing = false
        releaseIfOver()
    }

    private func releaseIfOver() {
        if isDisconnected, !isActing { usage.disconnect(peer) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ConnectionGuard.ActionTimedOut, case .handling(let action) = state {
            action.cancel()
            isKeepAlive = false
            send(
                .failure(.init(.unavailable, "the daemon did not finish this within \(limits.action)")), context)
        } else if event is ConnectionGuard.StreamIsQuiet, case .streaming = state {
            // A comment.
            write(Array(":\n\n".utf8), context) { _ in }
        } else if event as? ChannelEvent == .inputClosed {
            // A client that only shut down its own side still needs the current response.
            isKeepAlive = false
            switch state {
            case .waiting, .receiving, .streaming: context.close(promise: nil)
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
        case .handling, .responding, .streaming, .closing:
            break
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        connectionGuard.enter(.receiving)
        isHead = head.method == .HEAD
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
        if let wait = usage.request(from: peer) {
            return send(
                .failure(
                    ServiceError(.rateLimited, "too many requests; try again in \(wait) s", retryAfter: .seconds(wait))),
                context)
        }
        let target: RequestTarget
        do throws(ServiceError) {
            target = try RequestTarget(head.uri)
        } catch {
            return send(.failure(error), context)
        }
        let request = ControlRequest(
            method: head.method.rawValue, target: target, headers: head.headers, body: Array(body.readableBytesView),
            peer: peer)
        connectionGuard.enter(.handling)
        isActing = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        state = .handling(
            actions.start(request) { response in
                let (handler, context) = bound.value
                handler.ended()
                if case .handling = handler.state { handler.send(response, context) }
            })
    }

    private func send(_ response: ControlResponse, _ context: ChannelHandlerContext) {
        if let events = response.events { return stream(events, response, context) }
        state = .responding
        connectionGuard.enter(.responding)
        var headers = headers(of: response)
        if let body = response.body { headers.add(name: "content-length", value: String(body.count)) }
        if !isKeepAlive { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        let left = context.eventLoop.makePromise(of: Void.self)
        left.futureResult.assumeIsolated().whenSuccess { self.finish(context) }
        if let body = response.body, !isHead {
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let bytes = context.channel.allocator.buffer(bytes: body)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: left)
        } else {
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: left)
        }
    }

    private func headers(of response: ControlResponse) -> HTTPHeaders {
        var headers = HTTPHeaders(endpoint.headers().map { ($0.name, $0.value) })
        for header in response.headers { headers.replaceOrAdd(name: header.name, value: header.value) }
        if response.body != nil || response.events != nil {
            headers.add(name: "content-type", value: response.contentType)
        }
        if !headers.contains(name: "cache-control") { headers.add(name: "cache-control", value: "no-store") }
        return headers
    }

    /// Sends events until the client is gone or the board ends; the connection serves no other request.
    private func stream(_ events: EventStream, _ response: ControlResponse, _ context: ChannelHandlerContext) {
        guard usage.openStream(peer) else {
            return send(
                .failure(
                    ServiceError(
                        .unavailable, "too many streams of events are open; poll /v1/live every 10 s instead")),
                context)
        }
        isKeepAlive = false
        var headers = headers(of: response)
        headers.add(name: "connection", value: "close")
        // A proxy must not buffer the events (nginx).
        headers.add(name: "x-accel-buffering", value: "no")
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))), promise: nil)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        isActing = true
        state = .streaming(
            actions.start(events) { bytes, sent in
                let (handler, context) = bound.value
                guard case .streaming = handler.state else { return sent(false) }
                handler.write(bytes, context, then: sent)
            } finished: {
                let (handler, context) = bound.value
                handler.usage.closeStream(handler.peer)
                handler.ended()
                if case .streaming = handler.state { context.close(promise: nil) }
            })
        connectionGuard.enter(.streaming)
    }

    /// Sends a part of a stream, which the client must read within the time for a response.
    private func write(
        _ bytes: [UInt8], _ context: ChannelHandlerContext, then sent: @escaping @Sendable (Bool) -> Void
    ) {
        connectionGuard.enter(.responding)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { result in
            if case .success = result, case .streaming = self.state { self.connectionGuard.enter(.streaming) }
            sent((try? result.get()) != nil)
        }
        let body = context.channel.allocator.buffer(bytes: bytes)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(body))), promise: promise)
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

/// Access to the event loop from other threads, closed before the loop ends: a loop that has ended logs a complaint
/// about every task that it is given.
final class EventLoopGate: Sendable {
    private let eventLoop: Mutex<(any EventLoop)?>

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = Mutex(eventLoop)
    }

    /// Runs a closure on the event loop; once the gate is closed, does nothing and returns false.
    @discardableResult
    func execute(_ body: @escaping @Sendable () -> Void) -> Bool {
        // Within the lock, so that the loop has every accepted closure before it is shut down.
        eventLoop.withLock { eventLoop in
            eventLoop?.execute(body)
            return eventLoop != nil
        }
    }

    func close() {
        eventLoop.withLock { $0 = nil }
    }
}

/// Runs the actions of requests outside the event loop.
struct ActionRunner: Sendable {
    let respond: @Sendable (ControlRequest) async -> ControlResponse
    let tasks: ChildTasks
    let gate: EventLoopGate

    /// Starts an action, unless it is cancelled first; `receive` runs on the event loop, unless that has ended.
    func start(_ request: ControlRequest, receive: @escaping @Sendable (ControlResponse) -> Void) -> ChildTasks.Job {
        tasks.start { _ in
            let response = Task.isCancelled ? .failure(.cancelled) : await respond(request)
            gate.execute { receive(response) }
        }
    }

    /// Starts a stream.
    ///
    /// - Parameters:
    ///   - send: sends events on the event loop, and then calls its second parameter: with false if the client is gone.
    ///   - finished: runs on the event loop when there are no more events.
    func start(
        _ events: EventStream, send: @escaping @Sendable ([UInt8], @escaping @Sendable (Bool) -> Void) -> Void,
        finished: @escaping @Sendable () -> Void
    ) -> ChildTasks.Job {
        tasks.start { _ in
            while let bytes = await events.next() {
                let isSent = await withCheckedContinuation { continuation in
                    let isAccepted = gate.execute { send(bytes) { continuation.resume(returning: $0) } }
                    if !isAccepted { continuation.resume(returning: false) }
                }
                guard isSent else { break }
            }
            gate.execute { finished() }
        }
    }
}
