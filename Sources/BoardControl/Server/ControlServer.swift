internal import BoardIO
public import BoardService
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// The control socket: HTTP/1.1 and JSON over a Unix socket.
///
/// One thread reads and writes; actions run elsewhere, so a slow action delays only its own client. Without connections
/// nothing wakes.
public final class ControlServer: Sendable {
    /// The group whose members may use the socket; the package's sysusers file creates it.
    public static let defaultGroup = "boardd-control"

    private let path: String
    private let group: String
    private let limits: ControlLimits
    private let board: any BoardService
    private let report: @Sendable (ControlServerEvent) -> Void

    private struct State {
        var isStopping = false
        /// Shuts the running server down.
        var stop: (@Sendable () -> Void)?
        /// Whether the listening socket failed before that.
        var isBroken = false
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: the path of the socket, in an existing folder.
    ///   - report: receives events on a thread of the server; must not block.
    public init(
        path: String, group: String = ControlServer.defaultGroup, limits: ControlLimits = ControlLimits(),
        board: any BoardService, report: @escaping @Sendable (ControlServerEvent) -> Void
    ) {
        self.path = path
        self.group = group
        self.limits = limits
        self.board = board
        self.report = report
    }

    /// Serves until ``shutDown()``. Cancelling the task also cancels the actions.
    ///
    /// - Throws: ``ControlServerFailure`` when the socket cannot be created or fails, and when another server
    ///   listens there.
    public func run() async throws(ControlServerFailure) {
        let running = ChildTasks()
        async let result = withTaskCancellationHandler {
            await serve(running)
        } onCancel: {
            shutDown()
        }
        await running.run()
        try await result.get()
    }

    /// Finishes responses in progress, removes the socket and ends ``run()``, also one that begins later. From any thread.
    public func shutDown() {
        let stop = state.withLock { state in
            state.isStopping = true
            return state.stop
        }
        stop?()
    }

    /// - Parameter running: the actions; they may end later than the server.
    private func serve(_ running: ChildTasks) async -> Result<Void, ControlServerFailure> {
        defer { running.finish() }
        do throws(ThreadFailure) {
            return try await DedicatedThread.run("control") {
                Result { () throws(ControlServerFailure) in try self.listen(running) }
            }
        } catch {
            return .failure(ControlServerFailure(path: path, reason: "\(error)"))
        }
    }

    /// The server's thread, from start to end.
    private func listen(_ running: ChildTasks) throws(ControlServerFailure) {
        let socket = try ControlSocket(path: path, group: group, report: report)
        defer { socket.remove() }
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
            let gate = EventLoopGate(loop)
            let listener = ControlListener(
                socket, on: loop,
                actions: ActionRunner(router: Router(board: self.board), tasks: running, gate: gate),
                limits: self.limits, report: self.report)
            let bound = NIOLoopBound(listener, eventLoop: loop)
            let stop: @Sendable () -> Void = { gate.execute { bound.value.end() } }
            let isStopping = self.state.withLock { state in
                (state.stop, state.isBroken) = (stop, false)
                return state.isStopping
            }
            if isStopping { stop() }
            listener.start {
                self.state.withLock { $0.isBroken = !$0.isStopping }
            } listening: {
                self.report(.listening(path: self.path))
            }
        }
        guard state.withLock({ $0.isBroken }) else { return }
        throw ControlServerFailure(path: path, reason: "the listening socket failed; restarting it")
    }
}

/// Why the control socket is not available.
public struct ControlServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    let path: String
    /// What was found and what to do.
    let reason: String

    public var description: String { "control socket \(path): \(reason)" }
}
