import BoardThreads
import Glibc
import Testing

@testable import BoardControl

/// A connection over which a test sends what it likes, on threads of its own. Nothing waits for ever: a call that made no
/// progress gives up after ``patience`` turns, each of which is as long as the socket waits.
final class RawClient: Sendable {
    private static let turn = timeval(tv_sec: 1, tv_usec: 0)
    private static let timeout = 150

    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var turn = Self.turn
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &turn, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &turn, size)
        var address = try #require(UnixAddress(path))
        let code = address.connect(descriptor)
        try #require(code == 0, "errno \(errno)")
    }

    deinit { close(descriptor) }

    /// Sends all of it; false when the other side has closed.
    @discardableResult
    func send(_ bytes: [UInt8]) async throws -> Bool {
        try await DedicatedThread.run("raw") { [self] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let sent = Self.inTurns {
                    unsafe rest.withUnsafeBytes {
                        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                }
                guard sent > 0 else { return false }
                rest = rest.dropFirst(sent)
            }
            return true
        }
    }

    /// Sends a text.
    @discardableResult
    func send(_ text: String) async throws -> Bool { try await send(Array(text.utf8)) }

    /// Reads the head of an answer alone; nil when the connection ends before.
    func head() async throws -> RawAnswer? {
        try await DedicatedThread.run("raw") { [self] in readHead() }
    }

    /// Reads one answer; nil when the connection ends before.
    func answer() async throws -> RawAnswer? {
        try await DedicatedThread.run("raw") { [self] in
            guard var answer = readHead() else { return nil }
            var missing = Int(answer.header("content-length") ?? "0") ?? 0
            while missing > 0 {
                guard let part = read(missing) else { return nil }
                answer.body += part
                missing -= part.count
            }
            return answer
        }
    }

    /// Reads until the other side closes.
    ///
    /// - Returns: how many bytes came.
    @discardableResult
    func drain() async throws -> Int {
        try await DedicatedThread.run("raw") { [self] in
            var count = 0
            while let part = read(65_536) { count += part.count }
            return count
        }
    }

    /// Ends this side.
    func closeWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    private func readHead() -> RawAnswer? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard let byte = read(1) else { return nil }
            head += byte
        }
        return RawAnswer(head: String(decoding: head, as: UTF8.self))
    }

    private func read(_ most: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: most)
        let count = Self.inTurns { unsafe Glibc.recv(descriptor, &buffer, most, 0) }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Calls again while the socket's own time limit ends the call.
    private static func inTurns(_ call: () -> Int) -> Int {
        for _ in 0..<timeout {
            let count = call()
            guard count < 0, errno == EAGAIN || errno == EINTR else { return count }
        }
        return -1
    }
}

/// An answer as it came.
struct RawAnswer: Sendable {
    var head: String
    var body: [UInt8] = []

    var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? {
        for line in head.split(separator: "\r\n") {
            let sides = line.split(separator: ":", maxSplits: 1)
            if sides.count == 2, sides[0].lowercased() == name { return sides[1].drop { $0 == " " }.description }
        }
        return nil
    }
}

/// Sends one request on a connection of its own.
func ask(
    _ served: Served, _ method: String, _ target: String, body: String? = nil, type: String? = "application/json"
) async throws -> RawAnswer {
    let client = try RawClient(served.path)
    var request = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    if let body {
        request += "Content-Length: \(body.utf8.count)\r\n"
        if let type { request += "Content-Type: \(type)\r\n" }
    }
    try await client.send(request + "\r\n" + (body ?? ""))
    return try #require(try await client.answer(), "\(method) \(target)")
}
