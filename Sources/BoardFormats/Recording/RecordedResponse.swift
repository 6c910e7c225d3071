internal import BoardCore

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
/// For a POST the first line begins with that word, and a line `content: <soap:Envelope…` with the content follows. `at` is
/// the wall clock at receipt; every line after `status` is a header. Keys, cookies, and headers about the body's transfer
/// coding are left out.
struct RecordedResponse: Hashable, Sendable {
    /// The most bytes of a head: all headers that a response may have, in which each invalid byte is replaced by a character of
    /// three bytes, and the lines before them.
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
    /// Status, headers and time of receipt.
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
    ///
    /// - Throws: ``RecordingFailure`` with the invalid line.
    init(head bytes: [UInt8], file: String) throws(RecordingFailure) {
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

/// The lines of a head.
private struct HeadLines {
    let bytes: [UInt8]
    let file: String
    /// Where the next line begins.
    private(set) var position = 0
    var number = 0

    /// The next line without its end.
    mutating func next(_ expected: String) throws(RecordingFailure) -> String {
        number += 1
        guard position < bytes.count, let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else {
            throw failure("the file ends where \(expected) was expected")
        }
        defer { position = end + 1 }
        let line = bytes[position..<end]
        return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }

    /// The value of the next line, which must have this name.
    mutating func value(of name: String) throws(RecordingFailure) -> String {
        let line = try next("\"\(name): …\"")
        guard let header = HTTPResponse.Header(line: line), header.name == name else {
            throw failure("found \"\(line)\" where \"\(name): …\" was expected")
        }
        return header.value
    }

    /// A failure at the last line read.
    func failure(_ detail: String) -> RecordingFailure {
        RecordingFailure(file: file, line: number, detail: detail)
    }
}
