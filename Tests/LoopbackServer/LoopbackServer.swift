import BoardIO
import Glibc
import Synchronization

/// A real HTTP/1.1 server on the loopback interface for tests: one accepting thread, one thread per connection.
package final class LoopbackServer: Sendable {
    /// An action of the server after a request.
    package enum Step: Sendable {
        /// Sends bytes unchanged.
        case send([UInt8])
        /// Sends a piece repeatedly; ends early when the peer closes.
        case flood([UInt8], times: Int)
        /// Waits until ``resume()`` or ``stop()``.
        case wait
        /// Sends bytes every half second until ``resume()`` or ``stop()``, so that the transfer never stalls.
        case trickle([UInt8])
        case close
    }

    /// What has happened so far.
    package struct Record: Sendable {
        package var requests: [String] = []
        package var connections = 0
        /// The connections that have not ended.
        package var openConnections = 0
        package var bytesSent = 0
        package var atOnce = 0
        package var mostAtOnce = 0
    }

    package let port: UInt16
    private let listener: Listener
    private let respond: @Sendable (String) -> [Step]
    private let state = Mutex(Record())
    /// Signalled by ``resume()`` and ``stop()``, and by each thread that it wakes, for the next one.
    private let release: WakeEvent

    /// - Parameter respond: returns the steps after a request, given its head and body.
    package init(_ respond: @escaping @Sendable (String) -> [Step]) throws {
        self.respond = respond
        release = try WakeEvent()
        listener = Listener(descriptor: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener.descriptor, address, length) == 0 && listen(listener.descriptor, 16) == 0
                    && getsockname(listener.descriptor, address, &length) == 0
            }
        }
        guard isBound else { throw ServerFailure() }
        port = UInt16(bigEndian: address.sin_port)
        try DedicatedThread.start("loopback") { [weak self] in
            while true {
                let client = accept(listener.descriptor, nil, nil)
                guard client >= 0 else { break }
                guard let server = self else {
                    close(client)
                    break
                }
                server.state.withLock {
                    $0.connections += 1
                    $0.openConnections += 1
                }
                do {
                    try DedicatedThread.start("loopback") { server.serve(client) }
                } catch {
                    server.end(client)
                }
            }
        }
    }

    package func url(_ path: String = "") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// What has happened so far.
    package var record: Record { state.withLock { $0 } }

    /// Waits for ``resume()`` or ``stop()``; true where the limit comes first.
    private func isHolding(after limit: Duration? = nil) -> Bool {
        guard release.wait(atMost: limit) else { return true }
        release.signal()
        return false
    }

    /// Ends every `wait` and `trickle`.
    package func resume() { release.signal() }

    /// Stops the server.
    package func stop() {
        release.signal()
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
    }

    private func end(_ client: Int32) {
        close(client)
        state.withLock { $0.openConnections -= 1 }
    }

    private func serve(_ client: Int32) {
        defer { end(client) }
        // A connection between two requests of a test stays open as long as the test needs.
        var timeout = timeval(tv_sec: 3_600, tv_usec: 0)
        unsafe setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        unsafe setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        while let head = readRequest(client) {
            state.withLock {
                $0.requests.append(head)
                $0.atOnce += 1
                $0.mostAtOnce = max($0.mostAtOnce, $0.atOnce)
            }
            defer { state.withLock { $0.atOnce -= 1 } }
            for step in respond(head) {
                switch step {
                case .send(let bytes):
                    guard send(bytes, to: client) else { return }
                case .flood(let bytes, let times):
                    for _ in 0..<times { guard send(bytes, to: client) else { return } }
                case .wait:
                    while isHolding() {}
                case .trickle(let bytes):
                    var pause = Duration.zero
                    while isHolding(after: pause) {
                        guard send(bytes, to: client) else { return }
                        pause = .milliseconds(500)
                    }
                case .close:
                    return
                }
            }
        }
    }

    /// The next request: its head, the empty line, and the body according to `Content-Length`.
    private func readRequest(_ client: Int32) -> String? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < 65_536 {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe recv(client, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return nil }
            bytes += piece[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else {
                continue
            }
            let length = text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.split(separator: " ").last ?? "") }
            if bytes.count >= end + 4 + (length ?? 0) { return text }
        }
        return nil
    }

    private func send(_ bytes: [UInt8], to client: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.send(
                    client, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
            state.withLock { $0.bytesSent += count }
        }
        return true
    }
}

/// The listening socket. Closed when both the server and the accepting thread have released it: closed earlier, its number
/// could belong to another server when that thread accepts again.
private final class Listener: Sendable {
    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}

private struct ServerFailure: Error {}

extension LoopbackServer.Step {
    /// A complete response.
    package static func reply(
        _ status: Int = 200, _ headers: [String] = ["Content-Type: application/json"], body: [UInt8] = []
    ) -> Self {
        .send(Array(head(status, headers + ["Content-Length: \(body.count)"]).utf8) + body)
    }

    /// A complete response with text.
    package static func reply(_ status: Int = 200, _ headers: [String] = [], text: String) -> Self {
        .reply(status, headers, body: Array(text.utf8))
    }

    /// The head of a response with its empty line.
    package static func head(_ status: Int, _ headers: [String]) -> String {
        "HTTP/1.1 \(status) Whatever\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    package static func send(_ text: String) -> Self { .send(Array(text.utf8)) }
}
