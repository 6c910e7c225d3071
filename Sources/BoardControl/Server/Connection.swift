import BoardService
import NIOCore
import NIOHTTP1

/// One connection: its requests one after another, each of whose phases has a time limit.
///
/// A request is taken only after the response to the one before has left, so a client that does not read its responses
/// causes no further ones.
final class Connection {
    typealias Inbound = NIOAsyncChannelInboundStream<HTTPServerRequestPart>

    private let endpoint: HTTPEndpoint
    private let channel: any Channel
    private let input: ConnectionInput
    private let peer: Peer
    private let usage: ClientUsage
    /// Whether a request has begun whose response is awaited also where the server ends.
    private var isBusy = false
    private var isEnding = false
    /// Whether the connection stays open after the current response.
    private var isKeepAlive = true
    /// Whether the current response has no body: one to HEAD (RFC 9110 §9.3.2).
    private var isHead = false

    init(
        _ endpoint: HTTPEndpoint, _ channel: any Channel, _ input: ConnectionInput, _ peer: Peer, _ usage: ClientUsage
    ) {
        self.endpoint = endpoint
        self.channel = channel
        self.input = input
        self.peer = peer
        self.usage = usage
    }

    private var limits: ControlLimits { endpoint.limits }

    /// The server ends: closes the connection, or lets it close after its current response.
    func end() {
        isEnding = true
        if !isBusy { close() }
    }

    func close() { channel.close(promise: nil) }

    /// Serves the connection until it may be closed.
    ///
    /// - Parameters:
    ///   - isFull: whether the connection exceeds the limit and only gets an error response.
    ///   - actions: runs what must not be on the event loop.
    func run(_ inbound: Inbound, isFull: Bool, actions: inout DiscardingTaskGroup) async throws {
        var parts = inbound.makeAsyncIterator()
        do {
            if isFull {
                throw ControlResponse.failure(
                    .init(.unavailable, "too many connections are open already; try again later"))
            }
            repeat {
                isBusy = false
                guard let (head, body) = try await receive(&parts) else { return }
                let response = try await act(head, body, &actions)
                if let events = response.events { return try await stream(events, response, &actions) }
                try await send(response)
            } while isKeepAlive && !isEnding
        } catch {
            guard let response = response(to: error) else { throw error }
            actions.cancelAll()
            (isBusy, isKeepAlive) = (true, false)
            try await send(response)
        }
        if !isEnding { try await linger() }
    }

    // MARK: - Phases

    /// The next request; nil: the client sends no more.
    private func receive(_ parts: inout Inbound.AsyncIterator) async throws -> (HTTPRequestHead, ByteBuffer)? {
        isHead = false
        input.limit(limits.idle)
        input.begun = { [input, channel, limits] in
            input.limit(limits.request) {
                channel.pipeline.fireErrorCaught(
                    ControlResponse.failure(status: 408, "the request was not complete within \(limits.request)"))
            }
        }
        guard case .head(let head)? = try await parts.next(isolation: #isolation) else { return nil }
        // Its first bytes may have come with those of the request before.
        input.begin()
        isBusy = true
        isHead = head.method == .HEAD
        // After an upgrade, which is not supported, and after CONNECT the parser reads nothing more.
        isKeepAlive =
            head.version == .http1_1 && head.isKeepAlive && !head.headers.contains(name: "upgrade")
            && head.method != .CONNECT
        var maximum = limits.body
        let length = head.headers.first(name: "content-length").flatMap(Int.init) ?? 0
        // Few requests may be longer, from few clients, which say so.
        if length > maximum, let target = try? RequestTarget(head.uri) {
            let request = ControlRequest(
                method: head.method.rawValue, target: target, headers: head.headers, peer: peer)
            maximum = await endpoint.maximumBody(request) ?? maximum
        }
        let tooLong = ControlResponse.failure(status: 413, "the body is too long; \(maximum) bytes are allowed")
        guard length <= maximum else { throw tooLong }
        if head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }) {
            channel.writeAndFlush(
                HTTPServerResponsePart.head(.init(version: .http1_1, status: .continue)), promise: nil)
        }
        var body = ByteBuffer()
        while let part = try await parts.next(isolation: #isolation) {
            guard case .body(var bytes) = part else { return (head, body) }
            guard body.readableBytes + bytes.readableBytes <= maximum else { throw tooLong }
            body.writeBuffer(&bytes)
        }
        return nil
    }

    /// Runs the action of a request, outside of the event loop.
    private func act(
        _ head: HTTPRequestHead, _ body: ByteBuffer, _ actions: inout DiscardingTaskGroup
    ) async throws -> ControlResponse {
        if let wait = usage.request(from: peer) {
            return .failure(
                ServiceError(.rateLimited, "too many requests; try again in \(wait) s", retryAfter: .seconds(wait)))
        }
        let target: RequestTarget
        do throws(ServiceError) {
            target = try RequestTarget(head.uri)
        } catch {
            return .failure(error)
        }
        let request = ControlRequest(
            method: head.method.rawValue, target: target, headers: head.headers, body: Array(body.readableBytesView),
            peer: peer)
        guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
        // Nil: the time is over; the end: the connection is closed.
        let (responses, sender) = AsyncStream.makeStream(of: ControlResponse?.self)
        actions.addTask(executorPreference: globalConcurrentExecutor) { [endpoint] in
            if !Task.isCancelled { sender.yield(await endpoint.respond(request)) }
        }
        input.closed = { sender.finish() }
        input.limit(limits.action) { sender.yield(nil) }
        switch await responses.first(where: { _ in true }) {
        case .some(let response?): return response
        case .some(nil):
            throw ControlResponse.failure(.init(.unavailable, "the daemon did not finish this within \(limits.action)"))
        case nil: throw ChannelError.ioOnClosedChannel
        }
    }

    private func send(_ response: ControlResponse) async throws {
        if isEnding { isKeepAlive = false }
        writeHead(of: response)
        if let body = response.body, !isHead { channel.write(Self.body(body), promise: nil) }
        try await complete(.end(nil))
    }

    /// Sends events until the client is gone or the board ends; the connection serves no other request.
    private func stream(
        _ events: EventStream, _ response: ControlResponse, _ actions: inout DiscardingTaskGroup
    ) async throws {
        guard usage.openStream(peer) else {
            throw ControlResponse.failure(
                .init(.unavailable, "too many streams of events are open; poll /v1/live every 10 s instead"))
        }
        defer { usage.closeStream(peer) }
        // It would not end by itself.
        isBusy = false
        guard !isEnding else { return }
        (isKeepAlive, input.isLast) = (false, true)
        writeHead(of: response)
        // Nil: there was no event for a while; the end: there are no more, or the connection is closed.
        let (batches, sender) = AsyncStream.makeStream(of: [UInt8]?.self)
        input.closed = { sender.finish() }
        var isNextAwaited = false
        while true {
            if !isNextAwaited {
                // On the event loop: elsewhere each viewer would wake a thread of Swift's pool after each event.
                actions.addTask {
                    if let batch = await events.next() { sender.yield(batch) } else { sender.finish() }
                }
            }
            input.limit(limits.keepAlive) { sender.yield(nil) }
            guard let batch = await batches.first(where: { _ in true }) else { return }
            // A comment, where there are no events.
            try await complete(Self.body(batch ?? Array(":\n\n".utf8)))
            isNextAwaited = batch == nil
        }
    }

    /// Discards input for a while, so that the client can read the last response before it sees the connection closed.
    private func linger() async throws {
        isBusy = false
        input.discard()
        input.limit(limits.linger)
        channel.close(mode: .output, promise: nil)
        try await channel.closeFuture.get()
    }

    // MARK: - Output

    private func writeHead(of response: ControlResponse) {
        var headers = HTTPHeaders(endpoint.headers(response.contentType).map { ($0.name, $0.value) })
        for header in response.headers { headers.replaceOrAdd(name: header.name, value: header.value) }
        if response.body != nil || response.events != nil {
            headers.add(name: "content-type", value: response.contentType)
        }
        if !headers.contains(name: "cache-control") { headers.add(name: "cache-control", value: "no-store") }
        if let body = response.body { headers.add(name: "content-length", value: String(body.count)) }
        if !isKeepAlive { headers.add(name: "connection", value: "close") }
        // A proxy must not buffer the events (nginx).
        if response.events != nil { headers.add(name: "x-accel-buffering", value: "no") }
        let status = HTTPResponseStatus(statusCode: response.status)
        channel.write(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: status, headers: headers)), promise: nil)
    }

    private static func body(_ bytes: [UInt8]) -> HTTPServerResponsePart {
        .body(.byteBuffer(ByteBuffer(bytes: bytes)))
    }

    /// Writes a last part, and waits until the client has taken all of them.
    private func complete(_ part: HTTPServerResponsePart) async throws {
        input.limit(limits.response)
        try await channel.writeAndFlush(part)
    }

    /// The last response, where an error ends the connection; nil: there is none.
    private func response(to error: any Error) -> ControlResponse? {
        switch error {
        case let response as ControlResponse: response
        case HTTPParserError.headerOverflow:
            .failure(
                status: 431,
                "address and headers are too long; \(limits.headers) bytes in \(limits.headerCount) "
                    + "headers are allowed")
        case HTTPParserError.invalidVersion: .failure(status: 505, "only HTTP/1.1 and HTTP/1.0 are supported")
        case let fault as HTTPParserError: .failure(status: 400, "malformed HTTP/1.1 request (\(fault))")
        default: nil
        }
    }
}

/// Thrown by a phase: the last response of a connection.
extension ControlResponse: Error {}
