import BoardIO
import Glibc
import Testing

/// systemd's end of NOTIFY_SOCKET: a real datagram socket, at a path or with an abstract name ("@…").
final class NotifySocket: Sendable {
    /// The longest wait in ``waitForMessage()``.
    static let turn = Duration.seconds(1)

    let name: String
    private let descriptor: Int32

    init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
        let length = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
        let descriptor = descriptor
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
        }
        try #require(status == 0)
    }

    deinit { close(descriptor) }

    /// Blocks until there is a message, or until the end of the turn.
    func waitForMessage() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&entry, 1, Self.turn.pollLimit)
    }

    /// The messages since the last call, in order.
    func messages() -> [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { return messages }
            messages.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}
