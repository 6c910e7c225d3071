import Glibc
import ServerTesting
import Testing

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
        (listener, port) = try listenOnLoopback(isBlocking: false)
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
