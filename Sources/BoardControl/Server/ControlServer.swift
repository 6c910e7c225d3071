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

    /// A server that does not listen yet.
    ///
    /// - Parameters:
    ///   - path: the path of the socket, in an existing folder.
    ///   - group: the group that owns the socket.
    ///   - limits: the limits of a client.
    ///   - board: the service that requests call.
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

    /// Serves until the task is cancelled; then finishes responses in progress and removes the socket.
    ///
    /// - Throws: ``ControlServerFailure`` when the socket cannot be created or fails. Of kind `isTaken` when another
    ///   server listens there.
    public func run() async throws(ControlServerFailure) {
        let end = StopSignal()
        let result: Result<Void, ControlServerFailure> = await withTaskCancellationHandler {
            do throws(ThreadFailure) {
                return try await DedicatedThread.run("control") { self.serve(until: end) }
            } catch {
                return .failure(failure(error.code, "\(error)"))
            }
        } onCancel: {
            end.stop()
        }
        try result.get()
    }

    /// The server's thread, from start to end.
    private func serve(until end: StopSignal) -> Result<Void, ControlServerFailure> {
        do throws(ControlServerFailure) {
            let socket = try ControlSocket(path: path, group: group, report: report)
            defer { socket.remove() }
            MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
                let gate = EventLoopGate(loop)
                let service = ControlListener(
                    socket, on: loop, gate: gate, limits: self.limits, router: Router(board: self.board),
                    report: self.report)
                let bound = NIOLoopBound(service, eventLoop: loop)
                end.onStop { gate.execute { bound.value.end() } }
                service.start {
                    end.socketClosed()
                } listening: {
                    self.report(.listening(path: self.path))
                }
            }
        } catch {
            return .failure(error)
        }
        guard end.isBroken else { return .success(()) }
        return .failure(ControlServerFailure(.broken, path: path, "the listening socket failed; restarting it"))
    }

    private func failure(_ code: Int32, _ reason: String) -> ControlServerFailure {
        ControlServerFailure(.noResources(code: code), path: path, reason)
    }
}

/// A request to stop, or the fact that the listening socket failed.
private final class StopSignal: Sendable {
    private struct State {
        var isRequested = false
        var isBroken = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether the socket failed before a stop was requested.
    var isBroken: Bool { state.withLock { $0.isBroken } }

    /// Requests the stop, from any thread.
    func stop() {
        let action = state.withLock { state in
            state.isRequested = true
            return state.action
        }
        action?()
    }

    /// Sets the action for the stop; runs it at once where the stop was requested before.
    func onStop(_ action: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            state.action = action
            return state.isRequested
        }
        if isRequested { action() }
    }

    func socketClosed() { state.withLock { $0.isBroken = !$0.isRequested } }
}
