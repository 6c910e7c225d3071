import BoardCore
import BoardIO
package import Glibc
import Synchronization

/// A recorded request and response, as stored in a file.
///
/// The file has a readable head, an empty line, and the decoded bytes of the body:
///
///     GET https://api.example.org/stops/490008660N/arrivals
///     at: 2026-04-22T11:19:38.201Z
///     status: 200
///     Date: Wed, 22 Apr 2026 11:19:38 GMT
///     Content-Type: application/json; charset=utf-8
///
///     [{"stop":"490008660N","line":"24","expected":"2026-04-22T11:21:05Z"…
///
/// For a POST the first line begins with that word, and a line `content: <soap:Envelope…` with the content follows.
/// `at` is the wall clock at receipt; every line after `status` is a header. Keys, cookies, and headers about the
/// body's transfer coding are left out.
struct RecordedResponse: Hashable, Sendable {
    /// The most bytes of a head: all headers that a response may have, with each invalid byte replaced by a character
    /// of three bytes, and the lines before them.
    static let headLimit = 3 * HTTPResponse.headerLimit + 16_384

    /// Headers that are not recorded, in lower case.
    private static let unrecorded: Set<String> = [
        "set-cookie", "cookie", "authorization", "proxy-authorization", "app_key", "x-apikey", "content-encoding",
        "content-length", "transfer-encoding", "connection", "keep-alive",
    ]

    /// The URL without keys.
    let url: String
    /// The content of a POST, without keys; nil for a GET.
    let content: String?
    let response: HTTPResponse
    /// The identity of the request, as ``HTTPRequest/matchKey``.
    var matchKey: String { HTTPRequest.matchKey(url, content: content) }
    /// The number of bytes of the head, including the empty line.
    let headLength: Int

    /// The file's bytes for a request and its response.
    static func file(_ request: HTTPRequest, _ response: HTTPResponse, body: [UInt8]) -> [UInt8] {
        var head = "\(request)\n"
        if let content = request.content { head += "content: \(content)\n" }
        head += "at: \(response.received.rfc3339)\nstatus: \(response.status)\n"
        for header in response.headers where !unrecorded.contains(header.name.lowercased()) {
            head += "\(header.name): \(request.masking(header.value))\n"
        }
        return Array((head + "\n").utf8) + request.masking(body)
    }

    /// Parses the head from a file's first bytes.
    init(head bytes: [UInt8], file: String) throws {
        var lines = HeadLines(bytes: bytes, file: file)
        let first = try lines.next("a line \"GET address\"")
        let isPost = first.hasPrefix("POST ")
        guard isPost || first.hasPrefix("GET "), let address = HTTPURL(String(first.dropFirst(isPost ? 5 : 4))) else {
            throw lines.failure("found \"\(first)\" where \"GET address\" or \"POST address\" was expected")
        }
        content = isPost ? try lines.value(of: "content") : nil
        let time = try lines.value(of: "at")
        guard let at = Timestamp(rfc3339: time) else {
            throw lines.failure("found \"\(time)\" where a time such as 2026-04-22T11:19:38Z was expected")
        }
        let code = try lines.value(of: "status")
        guard let status = Int(code), (100...999).contains(status) else {
            throw lines.failure("found \"\(code)\" where a status such as 200 was expected")
        }
        var headers: [HTTPResponse.Header] = []
        while true {
            let line = try lines.next("a header or an empty line")
            if line.isEmpty { break }
            guard let header = HTTPResponse.Header(line: line) else {
                throw lines.failure("found \"\(line)\" where \"Name: value\" was expected")
            }
            headers.append(header)
        }
        url = address.description
        response = HTTPResponse(status: status, headers: headers, received: at)
        headLength = lines.position
    }
}

private struct HeadLines {
    let bytes: [UInt8]
    let file: String
    /// Where the next line begins.
    private(set) var position = 0
    var number = 0

    /// The next line without its end.
    mutating func next(_ expected: String) throws -> String {
        number += 1
        guard position < bytes.count, let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else {
            throw failure("the file ends where \(expected) was expected")
        }
        defer { position = end + 1 }
        let line = bytes[position..<end]
        return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }

    /// The value of the next line, which must have this name.
    mutating func value(of name: String) throws -> String {
        let line = try next("\"\(name): …\"")
        guard let header = HTTPResponse.Header(line: line), header.name == name else {
            throw failure("found \"\(line)\" where \"\(name): …\" was expected")
        }
        return header.value
    }

    /// A failure at the last line read.
    func failure(_ detail: String) -> FileError { FileError(recording: file, line: number, detail) }
}

extension FileError {
    /// A recording cannot be written or read.
    ///
    /// - Parameters:
    ///   - file: the file or the folder.
    ///   - line: from 1; nil if no line is at fault.
    ///   - detail: what was found and what was expected, without a full stop.
    init(recording file: String, line: Int? = nil, _ detail: String) {
        self.init(.recording, line.map { "\(file):\($0): \(detail)" } ?? "\(file): \(detail)")
    }
}

/// File operations for recordings. All of them block: do not call them on Swift's cooperative pool.
package enum RecordingFiles {
    static let suffix = ".http"

    /// The file name for a number, padded so that names sort as numbers.
    static func name(_ number: Int) -> String { number.padded(to: 5) + suffix }

    /// Calls `body`; its failure says what cannot be done with the file or folder.
    private static func reporting<Value>(
        _ path: String, _ what: String, _ body: () throws(FileError) -> Value
    ) throws -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw FileError(recording: path, "cannot be \(what): \(error)")
        }
    }

    /// The names of the recorded files in `directory`, in their order.
    static func names(in directory: String) throws -> [String] {
        try reporting(directory, "opened") { () throws(FileError) in try SmallFile.names(in: directory) }
            .filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
            .sorted { $0.utf8.count == $1.utf8.count ? $0 < $1 : $0.utf8.count < $1.utf8.count }
    }

    /// Creates `directory` if it does not exist.
    static func makeDirectory(_ directory: String) throws {
        guard unsafe mkdir(directory, 0o755) != 0, errno != EEXIST else { return }
        throw FileError(recording: directory, "cannot be created: \(errnoText(errno))")
    }

    /// Whether the file does not exist, as opposed to being unreadable.
    package static func isAbsent(_ path: String) -> Bool { unsafe access(path, F_OK) != 0 && errno == ENOENT }

    /// A file's bytes, or at most the first `limit`.
    package static func read(_ path: String, limit: Int = .max) throws -> [UInt8] {
        let bytes = try reporting(path, "read") { () throws(FileError) in try SmallFile.read(path, limit: limit).bytes }
        return bytes.count > limit ? Array(bytes.prefix(limit)) : bytes
    }

    /// Writes a file atomically.
    ///
    /// - Parameter mode: the permissions; a recording is private to its owner: its stops reveal where the user lives.
    package static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
        _ = try reporting(path, "written") { () throws(FileError) in
            try AtomicFile.write(bytes.span, to: path, through: path + ".part", mode: mode)
        }
    }
}

/// Wraps a transport and records every response in a file of its own.
///
/// A failed write, such as on a full disk, does not affect the response.
public final class RecordingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let directory: String
    private let onFailure: @Sendable (any Error) -> Void
    private let next: Mutex<Int>

    /// Records the traffic of `inner` into `directory`, which is created if it does not exist.
    ///
    /// Responses of an earlier recording remain; new ones are numbered after them.
    ///
    /// - Parameter onFailure: receives the failure of every write.
    /// - Throws: ``FileError`` of the kind `recording` if the directory can be neither read nor made.
    public init(
        wrapping inner: any HTTPTransport, directory: String,
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        try RecordingFiles.makeDirectory(directory)
        let last = try RecordingFiles.names(in: directory).last
        let number = last.flatMap { Int($0.dropLast(RecordingFiles.suffix.count)) } ?? 0
        self.inner = inner
        self.directory = directory
        self.onFailure = onFailure
        next = Mutex(number + 1)
    }

    /// Passes the request on; the response is on disk when this returns.
    public func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPError) -> HTTPResponse {
        let copy = CollectedBody()
        let response = try await inner.get(request) { chunk in
            copy.append(chunk)
            try body(chunk)
        }
        await record(request, response, copy.bytes)
        return response
    }

    public func hasRecorded(_ base: HTTPURL) -> Bool { inner.hasRecorded(base) }

    private func record(_ request: HTTPRequest, _ response: HTTPResponse, _ body: [UInt8]) async {
        let number = next.withLock { number in
            defer { number += 1 }
            return number
        }
        let path = directory + "/" + RecordingFiles.name(number)
        do {
            let file = RecordedResponse.file(request, response, body: body)
            try await DedicatedThread.run("recording") { Result { try RecordingFiles.write(file, to: path) } }.get()
        } catch {
            onFailure(error)
        }
    }
}
