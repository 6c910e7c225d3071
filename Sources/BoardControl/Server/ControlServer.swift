import BoardCore
import BoardIO
import Glibc
import NIOCore
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
    }

    private let state = Mutex(State())

    /// - Parameter report: receives events on a thread of the server; must not block.
    package init(_ endpoints: [HTTPEndpoint], report: @escaping @Sendable (ControlServerEvent) -> Void) {
        self.endpoints = endpoints
        self.report = report
    }

    /// Serves until ``shutDown()``. Cancelling the task also cancels the actions.
    ///
    /// - Throws: if the socket cannot be created or fails, or another server listens there.
    public func run() async throws {
        try await withTaskCancellationHandler {
            try await serve()
        } onCancel: {
            shutDown()
        }
    }

    /// Finishes responses in progress, removes the socket and ends ``run()``, even a later one. From any thread.
    public func shutDown() {
        state.withLock { state in
            state.isStopping = true
            // Within the lock: the event loop has not ended yet.
            state.stop?()
        }
    }

    private func serve() async throws {
        let (loop, sockets) = try await withCheckedThrowingContinuation { start in
            do throws(ThreadError) {
                try DedicatedThread.start("control") { self.startLoop(start) }
            } catch {
                start.resume(throwing: PlainError("control server: \(error)"))
            }
        }
        let executor = EventLoopExecutor(loop)
        let listeners = zip(endpoints, sockets).map { ControlListener($0, $1, on: executor, report: report) }
        let stop: @Sendable () -> Void = {
            loop.execute { for listener in listeners { listener.assumeIsolated { $0.end() } } }
        }
        state.withLock { state in
            state.stop = stop
            if state.isStopping { stop() }
        }
        let failure = await withTaskExecutorPreference(executor) {
            await withTaskGroup(of: (any Error)?.self) { group in
                for listener in listeners {
                    group.addTask {
                        do {
                            try await listener.run()
                            return nil
                        } catch {
                            stop()
                            return error
                        }
                    }
                }
                return await group.reduce(nil) { $0 ?? $1 }
            }
        }
        state.withLock { $0.stop = nil }
        try await loop.shutdownGracefully()
        if let failure { throw failure }
    }

    /// The server's thread, from start to end.
    private func startLoop(_ start: CheckedContinuation<(any EventLoop, [OpenSocket]), any Error>) {
        var sockets: [OpenSocket] = []
        do {
            for endpoint in endpoints { sockets.append(try endpoint.listen(report: report)) }
        } catch {
            for socket in sockets {
                close(socket.descriptor)
                socket.remove()
            }
            return start.resume(throwing: error)
        }
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { [sockets] loop in
            start.resume(returning: (loop, sockets))
        }
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

/// Runs actors and tasks on an event loop, which must outlive them.
final class EventLoopExecutor: SerialExecutor, TaskExecutor {
    let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute {
            unsafe job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }

    func checkIsolated() { loop.preconditionInEventLoop() }
}
