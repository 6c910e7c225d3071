internal import BoardThreads
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// The control socket: HTTP/1.1 and JSON over a Unix socket.
///
/// One thread reads and writes; what is asked is done elsewhere, so a slow action holds up its own client alone. While
/// nobody is connected nothing wakes.
public final class ControlServer: Sendable {
    /// The group whose members may use the socket, made by the package's sysusers file.
    public static let defaultGroup = "boardd-control"

    private let path: String
    private let group: String
    private let limits: ControlLimits
    private let actions: any ControlActions
    private let report: @Sendable (ControlServerEvent) -> Void

    /// A server that does not listen yet.
    ///
    /// - Parameters:
    ///   - path: the socket's place; its folder exists.
    ///   - group: the group to which the socket is given.
    ///   - limits: how much a client may take.
    ///   - actions: what is asked.
    ///   - report: hears what there is to say, on a thread of the server's own; must not wait.
    public init(
        path: String, group: String = ControlServer.defaultGroup, limits: ControlLimits = ControlLimits(),
        actions: any ControlActions, report: @escaping @Sendable (ControlServerEvent) -> Void
    ) {
        self.path = path
        self.group = group
        self.limits = limits
        self.actions = actions
        self.report = report
    }

    /// Serves until the task is cancelled; answers under way are then finished, and the socket is removed.
    ///
    /// - Throws: ``ControlServerFailure`` when there can be no socket, or it breaks. Of kind `isTaken` when another
    ///   server answers there.
    public func run() async throws(ControlServerFailure) {
        let end = StopSignal()
        let result: Result<Void, ControlServerFailure> = await withTaskCancellationHandler {
            do throws(ThreadFailure) {
                return try await DedicatedThread.run("control") { self.serve(until: end) }
            } catch {
                return .failure(failure(error.code, "\(error)"))
            }
        } onCancel: {
            end.ask()
        }
        try result.get()
    }

    /// The whole life of the server's thread.
    private func serve(until end: StopSignal) -> Result<Void, ControlServerFailure> {
        do throws(ControlServerFailure) {
            let socket = try ControlSocket(path: path, group: group, report: report)
            defer { socket.remove() }
            MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
                let gate = EventLoopGate(loop)
                let service = ControlListener(
                    socket, on: loop, gate: gate, limits: self.limits, router: Router(actions: self.actions),
                    report: self.report)
                let bound = NIOLoopBound(service, eventLoop: loop)
                end.whenAsked { gate.execute { bound.value.end() } }
                service.start {
                    end.isBroken()
                } listening: {
                    self.report(.listening(path: self.path))
                }
            }
        } catch {
            return .failure(error)
        }
        guard end.wasBroken else { return .success(()) }
        return .failure(ControlServerFailure(.broken, path: path, "the socket broke: it is to be made anew"))
    }

    private func failure(_ code: Int32, _ reason: String) -> ControlServerFailure {
        ControlServerFailure(.noResources(code: code), path: path, reason)
    }
}

/// That the server is to end, or has ended by itself.
private final class StopSignal: Sendable {
    private struct State {
        var isAsked = false
        var isBroken = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether it ended by itself.
    var wasBroken: Bool { state.withLock { $0.isBroken } }

    /// Asks for it, from any thread.
    func ask() {
        let action = state.withLock { state in
            state.isAsked = true
            return state.action
        }
        action?()
    }

    /// Says what asking does; done at once where it was asked for already.
    func whenAsked(_ action: @escaping @Sendable () -> Void) {
        let isAsked = state.withLock { state in
            state.action = action
            return state.isAsked
        }
        if isAsked { action() }
    }

    /// It ended by itself.
    func isBroken() { state.withLock { $0.isBroken = !$0.isAsked } }
}
