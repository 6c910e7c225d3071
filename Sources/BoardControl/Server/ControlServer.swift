import BoardCore
import BoardIO
public import BoardService
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// HTTP/1.1 and JSON over the control socket, and over other endpoints.
///
/// One thread reads and writes; actions run elsewhere, so a slow action delays only its own client. Without connections
/// nothing wakes.
public final class ControlServer: Sendable {
    /// The group whose members may use the socket; the package's sysusers file creates it.
    public static let defaultGroup = "boardd-control"

    private let endpoints: [HTTPEndpoint]
    private let report: @Sendable (ControlServerEvent) -> Void

    private struct State {
        var isStopping = false
        /// Shuts the running server down.
        var stop: (@Sendable () -> Void)?
        /// The endpoint whose listening socket failed before the shutdown.
        var broken: String?
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: the path of the socket, in an existing folder.
    ///   - report: receives events on a thread of the server; must not block.
    public convenience init(
        path: String, group: String = ControlServer.defaultGroup, limits: ControlLimits = ControlLimits(),
        board: any RunningBoard, report: @escaping @Sendable (ControlServerEvent) -> Void
    ) {
        self.init(
            [.control(path: path, group: group, limits: limits, router: Router(board: board))], report: report)
    }

    /// - Parameter report: receives events on a thread of the server; must not block.
    package init(_ endpoints: [HTTPEndpoint], report: @escaping @Sendable (ControlServerEvent) -> Void) {
        self.endpoints = endpoints
        self.report = report
    }

    /// Serves until ``shutDown()``. Cancelling the task also cancels the actions.
    ///
    /// - Throws: if the socket cannot be created or fails, or another server listens there.
    public func run() async throws {
        let running = ChildTasks()
        async let result = withTaskCancellationHandler {
            await serve(running)
        } onCancel: {
            shutDown()
        }
        await running.run()
        try await result.get()
    }

    /// Finishes responses in progress, removes the socket and ends ``run()``, even a later one. From any thread.
    public func shutDown() {
        let stop = state.withLock { state in
            state.isStopping = true
            return state.stop
        }
        stop?()
    }

    /// - Parameter running: the actions; they may end later than the server.
    private func serve(_ running: ChildTasks) async -> Result<Void, any Error> {
        defer { running.finish() }
        do {
            return try await DedicatedThread.run("control") {
                Result { try self.listen(running) }
            }
        } catch {
            return .failure(PlainError("control server: \(error)"))
        }
    }

    /// The server's thread, from start to end.
    private func listen(_ running: ChildTasks) throws {
        var sockets: [OpenSocket] = []
        defer { for socket in sockets { socket.remove() } }
        for endpoint in endpoints {
            do {
                sockets.append(try endpoint.listen(report: report))
            } catch {
                for socket in sockets { close(socket.descriptor) }
                throw error
            }
        }
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
            let gate = EventLoopGate(loop)
            let group = ListenerGroup(count: sockets.count) {
                // Cancelled actions may still end; their responses have no receiver.
                gate.close()
                loop.shutdownGracefully { _ in }
            }
            let listeners = zip(self.endpoints, sockets).map { endpoint, socket in
                ControlListener(
                    endpoint, socket, on: loop, tasks: running, gate: gate, group: group, report: self.report)
            }
            let bound = NIOLoopBound(listeners, eventLoop: loop)
            let stop: @Sendable () -> Void = { gate.execute { for listener in bound.value { listener.end() } } }
            let isStopping = self.state.withLock { state in
                state.stop = stop
                state.broken = nil
                return state.isStopping
            }
            if isStopping { stop() }
            for (endpoint, listener) in zip(self.endpoints, listeners) {
                listener.start {
                    self.state.withLock { if !$0.isStopping { $0.broken = endpoint.name } }
                    for other in listeners { other.end() }
                } listening: {
                    self.report(.listening(endpoint.name))
                }
            }
        }
        guard let name = state.withLock({ $0.broken }) else { return }
        throw PlainError("\(name): the listening socket failed; restarting it")
    }
}

public enum ControlServerEvent: Hashable, Sendable, CustomStringConvertible {
    /// An endpoint accepts connections.
    case listening(String)
    /// A client at an address that is not served was disconnected.
    case disconnected(String, endpoint: String)
    /// The socket's group could not be set, so only the daemon's own user and group may use it.
    case withoutGroup(String, reason: String)
    /// An endpoint cannot accept connections now (`errno`): clients wait. Reported once, until ``acceptingAgain(_:)``.
    case cannotAccept(String, code: Int32)
    case acceptingAgain(String)

    public var description: String {
        switch self {
        case .listening(let endpoint):
            "\(endpoint): listening"
        case .disconnected(let address, let endpoint):
            "\(endpoint): disconnected \(address), which is in no network of this machine; "
                + "add its network to networks in [page] of boardd.toml to serve it"
        case .withoutGroup(let group, let reason):
            "control socket: cannot set group \(group) (\(reason)); run commands as the daemon's user or root"
        case .cannotAccept(let endpoint, let code):
            "\(endpoint): cannot accept connections (\(errnoText(code))); check LimitNOFILE in the unit"
        case .acceptingAgain(let endpoint):
            "\(endpoint): accepting connections again"
        }
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
