import BoardIO
import BoardService
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// One request over the control socket and its response.
struct ControlCall: Sendable {
    struct Response: Sendable {
        let status: Int
        let body: [UInt8]
    }

    /// The maximum length of a response, far beyond what the daemon sends.
    private static let maximumResponse = 16_777_216

    let path: String
    let method: String
    let target: String
    let body: [UInt8]?
    let timeout: Duration

    /// Sends the request, on a thread that ends with it.
    func run() async throws(ServiceError) -> Response {
        let result: Result<Response, ServiceError>
        do throws(ThreadError) {
            result = try await DedicatedThread.run("control-client") { onThread() }
        } catch {
            throw .connectionLost(code: error.code)
        }
        return try result.get()
    }

    private func onThread() -> Result<Response, ServiceError> {
        let result = Mutex(Result<Response, ServiceError>.failure(.connectionLost(code: 0)))
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
            let promise = loop.makePromise(of: Response.self)
            let deadline = loop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
                promise.fail(ServiceError.timedOut(after: timeout))
            }
            connect(on: loop, promise)
            promise.futureResult.assumeIsolated().whenComplete { outcome in
                deadline.cancel()
                result.withLock { $0 = outcome.mapError { $0 as? ServiceError ?? .connectionLost(code: 0) } }
                loop.shutdownGracefully { _ in }
            }
        }
        return result.withLock { $0 }
    }

    private func connect(on loop: any EventLoop, _ promise: EventLoopPromise<Response>) {
        ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(NIOHTTPClientResponseAggregator(maxContentLength: Self.maximumResponse))
                    try pipeline.addHandler(ResponseHandler(promise))
                }
            }
            .connect(unixDomainSocketPath: path)
            .assumeIsolated()
            .whenComplete { connected in
                switch connected {
                case .success(let channel): send(on: channel)
                case .failure(let error):
                    promise.fail(ServiceError.connecting(to: path, code: (error as? IOError)?.errnoCode ?? 0))
                }
            }
    }

    private func send(on channel: any Channel) {
        var headers = HTTPHeaders([("host", "localhost"), ("connection", "close")])
        if let body {
            headers.add(name: "content-type", value: "application/json")
            headers.add(name: "content-length", value: String(body.count))
        }
        let method = HTTPMethod(rawValue: method)
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
        let pipeline = channel.pipeline.syncOperations
        pipeline.write(NIOAny(HTTPClientRequestPart.head(head)), promise: nil)
        if let body {
            let bytes = channel.allocator.buffer(bytes: body)
            pipeline.write(NIOAny(HTTPClientRequestPart.body(.byteBuffer(bytes))), promise: nil)
        }
        pipeline.writeAndFlush(NIOAny(HTTPClientRequestPart.end(nil)), promise: nil)
    }
}

/// Passes on the response or the error.
private final class ResponseHandler: ChannelInboundHandler {
    typealias InboundIn = NIOHTTPClientResponseFull

    private let promise: EventLoopPromise<ControlCall.Response>

    init(_ promise: EventLoopPromise<ControlCall.Response>) {
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let response = unwrapInboundIn(data)
        let body = response.body.map { Array($0.readableBytesView) } ?? []
        promise.succeed(.init(status: Int(response.head.status.code), body: body))
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ServiceError.connectionLost(code: 0))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError {
            promise.fail(ServiceError.connectionLost(code: error.errnoCode))
        } else {
            promise.fail(ServiceError.unexpectedResponse("\(error)"))
        }
        context.close(promise: nil)
    }
}
