import BoardCore
import BoardIO
import Dispatch
import Glibc
import ServiceLifecycle
import Synchronization

/// Notifies systemd that the program is ready and alive, only after real progress: when the board loop has iterated and
/// the display thread has ended an attempt, failed or not, since the last time. A failed bus is no reason to restart; a
/// stuck thread is.
final class Watchdog: Sendable {
    /// What the loop must do so that the next notification can be sent.
    struct LoopRequirement: Hashable {
        /// The latest time for the next iteration; nil: no limit.
        var iterateBy: Instant?
        /// Whether the display needs a request for an attempt, because nothing else caused one.
        var needsAttempt = false
    }

    private struct Progress {
        var hasIterated = false
        var hasTried = false
        var isReady = false
        /// When the last notification was sent; nil before the first one.
        var lastNotification: Instant?
    }

    private static let retry = Duration.seconds(1)

    private let manager: SystemdNotifier
    /// Half of systemd's time limit, so that one late attempt does no harm; nil: no watchdog.
    private let interval: Duration?
    private let progress = Mutex(Progress())

    init(manager: SystemdNotifier) {
        self.manager = manager
        interval = manager.watchdog.map { $0 / 2 }
    }

    func iterated(at now: Instant) -> LoopRequirement {
        progress.withLock { progress in
            progress.hasIterated = true
            notify(&progress, at: now)
            guard progress.isReady else {
                // The display's attempt may send READY before anything else wakes the loop, which the watchdog then
                // expects. A message that systemd's socket had no room for is sent again.
                return LoopRequirement(iterateBy: now + Self.retry)
            }
            guard let interval, let last = progress.lastNotification else { return LoopRequirement() }
            // Most attempts come from frames that change anyway; only without one is the display checked.
            if now < last + interval { return LoopRequirement(iterateBy: last + interval) }
            return LoopRequirement(iterateBy: now + interval / 2, needsAttempt: true)
        }
    }

    /// The display thread has ended an attempt.
    func tried(at now: Instant) {
        progress.withLock { progress in
            progress.hasTried = true
            notify(&progress, at: now)
        }
    }

    private func notify(_ progress: inout Progress, at now: Instant) {
        guard progress.hasIterated, progress.hasTried else { return }
        if !progress.isReady {
            // systemd's watchdog starts with this message.
            guard manager.ready() else { return }
            progress.isReady = true
        } else {
            guard let interval, let last = progress.lastNotification, now >= last + interval else { return }
            guard manager.alive() else { return }
        }
        progress.lastNotification = now
        progress.hasIterated = false
        progress.hasTried = false
    }
}

/// Bounds the shutdown: the program ends soon after a signal even when a service hangs. It is the last service of its
/// group, which shuts its services down from the last to the first.
struct ShutdownDeadline: Service {
    /// How long services may take to end by themselves before they are cancelled.
    static let graceful = Duration.seconds(4)
    /// How long they may take after that before they are abandoned with their threads.
    static let cancelled = Duration.seconds(1)

    var limit = graceful + cancelled
    /// Ends the program while services still run.
    let abandon: @Sendable () -> Void

    func run() async throws {
        try? await gracefulShutdown()
        // Not a task, for which the group would wait.
        let milliseconds = Int(limit / .milliseconds(1))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { abandon() }
    }
}

/// Notifies systemd over its datagram socket (sd_notify(3)); does nothing without NOTIFY_SOCKET.
struct SystemdNotifier: Sendable {
    private let socketPath: String?
    /// systemd's watchdog timeout; nil: none.
    let watchdog: Duration?

    /// Reads NOTIFY_SOCKET and WATCHDOG_USEC from the environment.
    init(environment: [String: String]) {
        socketPath = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let isForUs = environment["WATCHDOG_PID"].isNilOr { $0 == "\(getpid())" }
        let period = environment["WATCHDOG_USEC"].flatMap(Int64.init)
        watchdog = isForUs && socketPath != nil ? period.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
    }

    /// Whether systemd started the program and listens.
    var isActive: Bool { socketPath != nil }

    /// The program is ready: an attempt to show its first frame has ended. False when the message was not sent.
    func ready() -> Bool { send("READY=1") }
    func stopping() { _ = send("STOPPING=1") }
    /// The text in `systemctl status`. False when the message was not sent.
    func status(_ text: String) -> Bool { send("STATUS=\(text.asPrintedLine)") }
    /// Restarts the watchdog's timeout. False when the message was not sent.
    func alive() -> Bool { send("WATCHDOG=1") }

    /// Sends a message without blocking: a busy systemd's socket may be full, and must not delay the calling threads.
    ///
    /// - Returns: whether the message needs no retry.
    private func send(_ message: String) -> Bool {
        // A path that is too long never works.
        guard let socketPath, var address = UnixAddress(pathOrName: socketPath) else { return true }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return address.send(message, over: descriptor)
    }
}
