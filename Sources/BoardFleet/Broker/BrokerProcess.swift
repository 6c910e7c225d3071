import BoardCore
import BoardIO
import BoardStore
import CLinux
import Glibc
import Synchronization

/// A connection to a broker: ``BrokerConnection``, or one in a process of its own.
protocol BrokerLink: Sendable {
    typealias Report = @Sendable (BrokerClient.Event) -> Void

    /// Whether the broker has accepted the connection.
    var hasConnected: Bool { get }
    /// Connects, and runs until the connection ends; call once. Returns why it did; after ``disconnect()``, any reason.
    func run() -> BrokerError
    /// Sends a message; it is dropped if the connection has ended.
    func publish(_ message: BrokerMessage)
    func subscribe(_ filter: String, _ quality: BrokerMessage.Quality)
    func unsubscribe(_ filter: String)
    /// Ends the connection with DISCONNECT, so that the broker does not publish the will: once the broker has accepted
    /// the messages sent before, or after a second at the latest.
    func disconnect()
}

/// A ``BrokerConnection`` in a process of its own: this program, started with ``argument``.
///
/// Some packets make libmosquitto end its process, and it reads packets of any size: a broker, or a program that
/// poses as one, could end the board. Only ``BrokerFrame``s come over the socket (docs/decisions/fleet.md).
public final class BrokerProcess: BrokerLink {
    /// The only argument of the process.
    public static let argument = "connect-to-broker"

    /// The maximum private memory of the process in bytes; with a well-behaved broker it uses a few megabytes.
    private static let maximumDataSize: rlim_t = 96 << 20
    /// The maximum number of bytes queued for the process.
    private static let maximumQueueSize = 32 << 20
    private static let maximumEndDuration = Duration.milliseconds(1_500)

    private struct State {
        var socket: Int32 = -1
        /// The process's end of the socket; nil once the process has it.
        var remote: Int32?
        /// What the socket has not taken yet.
        var queue: ArraySlice<UInt8> = []
        var hasConnected = false
        /// Nil: ``disconnect()`` was not called.
        var endBy: ContinuousClock.Instant?

        /// Sends as much as the socket takes now.
        mutating func flush() {
            while !queue.isEmpty {
                let count = unsafe queue.withUnsafeBytes {
                    unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                queue = queue.dropFirst(count)
            }
        }
    }

    private let settings: BrokerSettings
    private let report: Report
    private let wake: WakeEvent
    private let state = Mutex(State())

    init(_ settings: BrokerSettings, will: BrokerMessage, report: @escaping Report) throws(BrokerError) {
        self.settings = settings
        self.report = report
        var ends: [Int32] = [-1, -1]
        do throws(ThreadError) {
            wake = try WakeEvent()
        } catch {
            throw BrokerError(.lost, "\(error)")
        }
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw BrokerError(.lost, "no socket for the connection to \(settings.broker): \(errnoText(errno))")
        }
        let (local, remote) = (ends[0], ends[1])
        state.withLock { ($0.socket, $0.remote) = (local, remote) }
        let texts: [(BrokerFrame.Kind, String?)] = [
            (.broker, settings.broker.description), (.client, settings.client), (.user, settings.user),
            (.password, settings.password?.revealed), (.certificates, settings.certificates),
        ]
        for (kind, text) in texts { if let text { send(BrokerFrame(kind, text)) } }
        send(BrokerFrame(.will, will))
    }

    deinit {
        state.withLock { state in
            close(state.socket)
            if let remote = state.remote { close(remote) }
        }
    }

    var hasConnected: Bool { state.withLock { $0.hasConnected } }

    func run() -> BrokerError {
        let remote = state.withLock { state in
            defer { state.remote = nil }
            return state.remote
        }
        guard let remote else { return BrokerError(.lost, "the connection has run already") }
        let process = Self.start(remote)
        close(remote)
        guard let process else {
            return BrokerError(.lost, "no process for the connection to \(settings.broker): \(errnoText(errno))")
        }
        let reason = receive()
        kill(process, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return reason
            ?? BrokerError(.crashed, "\(settings.broker): the process of the connection crashed: \(Self.text(status))")
    }

    func publish(_ message: BrokerMessage) { send(BrokerFrame(.publish, message)) }

    func subscribe(_ filter: String, _ quality: BrokerMessage.Quality) {
        send(BrokerFrame(.subscribe, BrokerMessage(topic: filter, payload: [], quality: quality)))
    }

    func unsubscribe(_ filter: String) { send(BrokerFrame(.unsubscribe, filter)) }

    func disconnect() {
        state.withLock { $0.endBy = $0.endBy ?? ContinuousClock.now + Self.maximumEndDuration }
        send(BrokerFrame(.disconnect))
        wake.signal()
    }

    private func send(_ frame: BrokerFrame) {
        let isLeft = state.withLock { state in
            let bytes = frame.bytes
            guard state.queue.count + bytes.count <= Self.maximumQueueSize else {
                // The process reads nothing, and ends with its socket.
                shutdown(state.socket, Int32(SHUT_RDWR))
                return true
            }
            state.queue += bytes
            state.flush()
            return !state.queue.isEmpty
        }
        if isLeft { wake.signal() }
    }

    /// Reports what the process sends, until it ends. Returns why the connection ended; nil: the process did not say.
    private func receive() -> BrokerError? {
        let socket = state.withLock { $0.socket }
        var frames = BrokerFrames(socket)
        while true {
            let (isQueued, endBy) = state.withLock { (!$0.queue.isEmpty, $0.endBy) }
            let left = endBy.map { $0 - ContinuousClock.now }
            if let left, left <= .zero { return BrokerError(.lost, "the connection was ended") }
            var entries = [
                pollfd(fd: socket, events: Int16(isQueued ? POLLIN | POLLOUT : POLLIN), revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            unsafe poll(&entries, 2, left?.pollLimit ?? -1)
            wake.wait(atMost: .zero)
            state.withLock { $0.flush() }
            do {
                try frames.receive(isBlocking: false)
                while let frame = try frames.next() {
                    if frame.kind == .ended { return BrokerError(frame) }
                    handle(frame)
                }
            } catch {
                return nil
            }
        }
    }

    private func handle(_ frame: BrokerFrame) {
        switch frame.kind {
        case .connected:
            state.withLock { $0.hasConnected = true }
            report(.connected)
        case .received: report(.received(frame.message))
        case .acknowledged: report(.acknowledged(frame.message.topic))
        case .rejected: report(.rejected(frame.message.topic))
        default: break
        }
    }

    /// Starts the process with the socket as its standard input. What libraries print when they end it is not logged: a
    /// broker could fill the log.
    private static func start(_ remote: Int32) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, remote, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Libraries may have sockets open.
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var words = unsafe [strdup("boardd"), strdup(argument), nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, "/proc/self/exe", &actions, nil, &words, environ)
        errno = code
        return code == 0 ? process : nil
    }

    private static func text(_ status: Int32) -> String {
        let signal = status & 0x7F
        guard signal != 0 else { return "status \(status >> 8 & 0xFF)" }
        return unsafe "signal \(signal), \(String(cString: strsignal(signal)))"
    }
}

// MARK: - In the process

extension BrokerProcess {
    /// Connects with the settings in frames on standard input. Blocks until the connection ends; returns the status.
    public static func main() -> Int32 {
        // The process ends with its socket: a signal to all processes of the unit would end it before DISCONNECT.
        for number in [SIGTERM, SIGINT] { signal(number, SIG_IGN) }
        // Crashes are to be expected here, and Swift's crash report takes time and memory.
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { signal(number, SIG_DFL) }
        var limit = rlimit(rlim_cur: maximumDataSize, rlim_max: maximumDataSize)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
        do {
            var frames = BrokerFrames(STDIN_FILENO)
            let (settings, will) = try settings(&frames)
            let connection = try BrokerConnection(settings, will: will) { write(BrokerFrame($0)) }
            let rest = frames
            try DedicatedThread.start("frames") { pass(rest, to: connection) }
            write(BrokerFrame(connection.run()))
        } catch let failure as BrokerError {
            write(BrokerFrame(failure))
        } catch {
            return 1
        }
        return 0
    }

    private static func settings(_ frames: inout BrokerFrames) throws -> (BrokerSettings, will: BrokerMessage) {
        let first = try frames.awaitNext()
        guard first.kind == .broker, let broker = BrokerAddress(first.message.topic) else { throw BrokerFrames.end }
        var settings = BrokerSettings(broker: broker, client: "")
        while true {
            let frame = try frames.awaitNext()
            let text = frame.message.topic
            switch frame.kind {
            case .client: settings.client = text
            case .user: settings.user = text
            case .password: settings.password = Secret(text)
            case .certificates: settings.certificates = text
            case .will: return (settings, frame.message)
            default: throw BrokerFrames.end
            }
        }
    }

    /// Passes packets to the connection. When the program has ended, it ends the process: at once, or after a
    /// ``disconnect()`` within ``maximumEndDuration``.
    private static func pass(_ rest: BrokerFrames, to connection: BrokerConnection) {
        var frames = rest
        var isEnding = false
        while let frame = try? frames.awaitNext() {
            let message = frame.message
            switch frame.kind {
            case .publish: connection.publish(message)
            case .subscribe: connection.subscribe(message.topic, message.quality)
            case .unsubscribe: connection.unsubscribe(message.topic)
            case .disconnect:
                isEnding = true
                connection.disconnect()
            default: break
            }
        }
        if isEnding { poll(nil, 0, maximumEndDuration.pollLimit) }
        _exit(0)
    }

    private static let writing = Mutex(())

    /// Sends a frame, from any thread, and waits until the socket has taken it.
    private static func write(_ frame: BrokerFrame) {
        writing.withLock { _ in
            var rest = frame.bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe Glibc.send(STDIN_FILENO, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count < 0, errno == EINTR { continue }
                // The program has ended, and this process ends too.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}

extension BrokerFrame {
    fileprivate init(_ event: BrokerClient.Event) {
        switch event {
        case .connected: self.init(Kind.connected)
        case .received(let message): self.init(Kind.received, message)
        case .rejected(let topic): self.init(Kind.rejected, topic)
        case .acknowledged(let topic): self.init(Kind.acknowledged, topic)
        case .failed(let failure, _): self.init(failure)
        }
    }

    fileprivate init(_ failure: BrokerError) { self.init(.ended, failure.detail, [failure.kind.rawValue]) }
}

extension BrokerError {
    fileprivate init?(_ frame: BrokerFrame) {
        guard let kind = frame.message.payload.first.flatMap(Kind.init) else { return nil }
        self.init(kind, frame.message.topic)
    }
}
