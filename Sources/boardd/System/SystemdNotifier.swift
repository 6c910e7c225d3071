internal import BoardCore
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
        guard let socketPath else { return true }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract socket is written with @ and begins with a NUL byte.
        var path = Array(socketPath.utf8)
        let isAbstract = path.first == UInt8(ascii: "@")
        if isAbstract { path[0] = 0 }
        let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
        let capacity = MemoryLayout<sockaddr_un>.size - offset
        // A path needs room for its NUL byte, an abstract name has none.
        guard path.count < capacity || isAbstract && path.count == capacity else { return true }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let length = socklen_t(offset + path.count + (isAbstract ? 0 : 1))
        let bytes = Array(message.utf8)
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        let sent = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(descriptor, bytes, bytes.count, flags, address, length)
            }
        }
        return sent >= 0
    }
}
