import BoardCore
import BoardIO
import Glibc
import Synchronization

/// A server on loopback that speaks LCDd's protocol as far as a test needs it.
final class FakeLCDd: Sendable {
    static let greeting = "connect LCDproc 0.5.9 protocol 0.3 lcd wid 20 hgt 4 cellwid 5 cellhgt 8\n"

    let address: ServerAddress
    private let listener: Int32
    private let lines = Mutex<[[UInt8]]>([])
    private let client = Mutex<Int32?>(nil)

    /// - Parameter respond: the bytes to send after a line; nil closes the connection.
    init(_ respond: @escaping @Sendable (String) -> [UInt8]? = FakeLCDd.respond) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe bind(listener, address, length)
                _ = listen(listener, 4)
                _ = unsafe getsockname(listener, address, &length)
            }
        }
        self.address = ServerAddress(host: "127.0.0.1", port: UInt16(bigEndian: address.sin_port))
        try DedicatedThread.start("fake LCDd") { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { break }
                self.client.withLock { $0 = client }
                self.serve(client, respond)
                self.client.withLock { $0 = nil }
                close(client)
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The lines that were received.
    var received: [[UInt8]] { lines.withLock { $0 } }

    /// Stops listening, and ends the connection.
    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
        client.withLock { client in
            if let client { shutdown(client, Int32(SHUT_RDWR)) }
        }
    }

    /// Sends bytes without a command.
    func send(_ bytes: [UInt8]) {
        client.withLock { client in
            if let client { _ = unsafe Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    static func respond(to line: String) -> [UInt8]? {
        if line == "hello" { return Array(greeting.utf8) }
        // LCDd reports between the replies that the screen is shown.
        return Array((line.hasPrefix("screen_add") ? "success\nlisten board\n" : "success\n").utf8)
    }

    private func serve(_ client: Int32, _ respond: (String) -> [UInt8]?) {
        var pending: [UInt8] = []
        while true {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = unsafe recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            pending += buffer.prefix(count)
            while let end = pending.firstIndex(of: 0x0A) {
                let line = Array(pending[..<end])
                pending.removeFirst(end + 1)
                lines.withLock { $0.append(line) }
                guard let reply = respond(String(decoding: line, as: UTF8.self)) else { return }
                // In two pieces, as a network may deliver it.
                for part in [reply.prefix(3), reply.dropFirst(3)] where !part.isEmpty {
                    _ = unsafe Glibc.send(client, Array(part), part.count, Int32(MSG_NOSIGNAL))
                }
            }
        }
    }
}
