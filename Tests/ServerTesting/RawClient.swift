import BoardIO
import Glibc
import Testing

/// A connection over which a test sends any bytes, on dedicated threads. A call without progress gives up after ``timeout``
/// turns, each as long as the socket's time-out.
package final class RawClient: Sendable {
    private static let turn = timeval(tv_sec: 1, tv_usec: 0)
    private static let timeout = 150

    private let descriptor: Int32

    /// Connects to a Unix socket.
    package init(_ path: String) throws {
        descriptor = Self.socket(AF_UNIX)
        var address = try #require(UnixAddress(path))
        let code = address.connect(descriptor)
        try #require(code == 0, "errno \(errno)")
    }

    /// Connects to a port of 127.0.0.1.
    package init(port: UInt16) throws {
        descriptor = Self.socket(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let descriptor = descriptor
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(code == 0, "errno \(errno)")
    }

    private static func socket(_ family: Int32) -> Int32 {
        let descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var turn = turn
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &turn, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &turn, size)
        return descriptor
    }

    deinit { close(descriptor) }

    /// A client that has sent this to a Unix socket.
    package static func sending(_ text: String, to path: String) async throws -> RawClient {
        let client = try RawClient(path)
        try await client.send(text)
        return client
    }

    /// Sends all bytes; false when the peer has closed.
    @discardableResult
    package func send(_ bytes: [UInt8]) async throws -> Bool {
        let isSent = try await DedicatedThread.run("raw") { [self] () -> Bool? in
            var rest = bytes[...]
            while !rest.isEmpty {
                let sent = Self.inTurns {
                    unsafe rest.withUnsafeBytes {
                        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                }
                guard sent > 0 else { return errno == EAGAIN ? nil : false }
                rest = rest.dropFirst(sent)
            }
            return true
        }
        return try #require(isSent as Bool?, "the peer neither reads nor closes")
    }

    @discardableResult
    package func send(_ text: String) async throws -> Bool { try await send(Array(text.utf8)) }

    /// Reads the head of a response; nil when the connection ends before.
    package func head() async throws -> RawResponse? {
        try await DedicatedThread.run("raw") { [self] in readHead() }
    }

    /// Reads one response; nil when the connection ends before.
    package func response() async throws -> RawResponse? {
        try await DedicatedThread.run("raw") { [self] in
            guard var response = readHead() else { return nil }
            var missing = Int(response.header("content-length") ?? "0") ?? 0
            while missing > 0 {
                guard let part = read(missing) else { return nil }
                response.body += part
                missing -= part.count
            }
            return response
        }
    }

    /// Reads until the peer closes.
    ///
    /// - Returns: the number of bytes.
    @discardableResult
    package func drain() async throws -> Int {
        try await DedicatedThread.run("raw") { [self] in
            var count = 0
            while let part = read(65_536) { count += part.count }
            return count
        }
    }

    /// Reads until the received bytes contain a text; nil when the connection ends before.
    package func text(until end: String) async throws -> String? {
        try await DedicatedThread.run("raw") { [self] in
            var bytes: [UInt8] = []
            while true {
                guard let part = read(65_536) else { return nil }
                bytes += part
                let text = String(decoding: bytes, as: UTF8.self)
                if text.contains(end) { return text }
            }
        }
    }

    /// Lets the end of the connection be a reset, which discards what the peer has not read yet.
    package func resetAtEnd() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Whether the kernel still has a connection to a port of this machine that has not ended: the end of one takes a busy machine some time.
    package static func isConnected(to port: UInt16) throws -> Bool {
        let text = try SmallFile.read("/proc/self/net/tcp", limit: 16 << 20).text
        let digits = String(port, radix: 16, uppercase: true)
        let local = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return text.split(separator: "\n").map { $0.split(separator: " ") }
            .contains { $0.count > 3 && $0[1].hasSuffix(local) && $0[3] == "01" }
    }

    package func closeWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    private func readHead() -> RawResponse? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard let byte = read(1) else { return nil }
            head += byte
        }
        return RawResponse(head: String(decoding: head, as: UTF8.self))
    }

    private func read(_ maximum: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: maximum)
        let count = Self.inTurns { unsafe Glibc.recv(descriptor, &buffer, maximum, 0) }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Repeats a call that the socket's time-out interrupts.
    private static func inTurns(_ call: () -> Int) -> Int {
        for _ in 0..<timeout {
            let count = call()
            guard count < 0, errno == EAGAIN || errno == EINTR else { return count }
        }
        return -1
    }
}

package struct RawResponse: Sendable {
    package var head: String
    package var body: [UInt8] = []

    package var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    package var text: String { String(decoding: body, as: UTF8.self) }

    package func header(_ name: String) -> String? {
        for line in head.split(separator: "\r\n") {
            let sides = line.split(separator: ":", maxSplits: 1)
            if sides.count == 2, sides[0].lowercased() == name { return sides[1].drop { $0 == " " }.description }
        }
        return nil
    }
}
