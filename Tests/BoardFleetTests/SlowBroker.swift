internal import Glibc
internal import Testing

/// Accepts connections on loopback, and responds only by ``send(_:)``.
///
/// A client connects again where the descriptor of its socket is 1024 or more, which `pselect` cannot watch: beside all other tests
/// there are so many.
final class SlowBroker {
    /// MQTT 5, 3.2: the connection is accepted, without an earlier session.
    static let accepted: [UInt8] = [0x20, 3, 0, 0, 0]

    let port: UInt16
    private let listener: Int32
    private var connection: Int32 = -1
    /// What the client has sent so far on the newest connection.
    private var received: [UInt8] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) | listen(listener, 8) | getsockname(listener, pointer, &length)
            }
        }
        try #require(status == 0)
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(connection)
        close(listener)
    }

    /// What the client has sent on its newest connection, as text; does not wait.
    var text: String {
        let newer = accept(listener, nil, nil)
        if newer >= 0 {
            close(connection)
            (connection, received) = (newer, [])
        }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(connection, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count > 0 { received += bytes.prefix(count) }
        return String(decoding: received, as: UTF8.self)
    }

    func send(_ bytes: [UInt8]) throws {
        let count = unsafe Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        try #require(count == bytes.count)
    }
}
