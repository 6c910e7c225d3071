import Glibc
import Synchronization
import Testing

/// A server on this machine that gives every request the same answer, or accepts and never answers.
final class QuietServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let heads = Mutex<[String]>([])
    private let clients = Mutex<[Int32]>([])

    /// - Parameter answer: the bytes of every response; nil: none comes, ever.
    init(_ answer: String?) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        try #require(isBound)
        port = UInt16(bigEndian: address.sin_port)
        Task.detached { [weak self] in
            // A thread of the pool must not sleep in accept(2): it looks, and sleeps between looks.
            _ = fcntl(listener, F_SETFL, O_NONBLOCK)
            while let self, !Task.isCancelled {
                self.accept(answer)
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    deinit {
        for client in clients.withLock({ $0 }) { close(client) }
        close(listener)
    }

    var url: String { "http://127.0.0.1:\(port)" }
    /// The heads of the requests so far.
    var requests: [String] { heads.withLock { $0 } }

    private func accept(_ answer: String?) {
        let client = Glibc.accept(listener, nil, nil)
        if client >= 0 {
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            clients.withLock { $0.append(client) }
        }
        for client in clients.withLock({ $0 }) {
            var buffer = [UInt8](repeating: 0, count: 8_192)
            let count = unsafe recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { continue }
            heads.withLock { $0.append(String(decoding: buffer[..<count], as: UTF8.self)) }
            guard let answer else { continue }
            let bytes = Array(answer.utf8)
            _ = unsafe send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }
}
