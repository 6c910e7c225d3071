internal import BoardCore
internal import BoardIO
internal import Glibc

/// Notifies systemd over its datagram socket (sd_notify(3)); does nothing without NOTIFY_SOCKET.
struct SystemdNotifier: Sendable {
    private let socketPath: String?
    /// systemd's watchdog timeout; nil: none.
    let watchdog: Duration?

    /// Reads NOTIFY_SOCKET and WATCHDOG_USEC from the environment.
    init(environment: [String: String]) {
        socketPath = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
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

    /// Sends a message without blocking: the socket of a busy systemd may be full, and must not delay the calling threads.
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
