import BoardCore
import Synchronization

@testable import BoardFeeds

/// Answers by path, with what is posted after a blank, from memory, and remembers what it was asked.
final class CannedTransport: HTTPTransport {
    private let answers: @Sendable (String) -> (status: Int, body: [UInt8])?
    private let date: String?
    private let headers: [HTTPResponse.Header]
    private let log = Mutex<[String]>([])

    init(
        date: String? = "Mon, 02 Mar 2026 08:00:30 GMT", headers: [HTTPResponse.Header] = [],
        _ answers: @escaping @Sendable (String) -> (Int, [UInt8])?
    ) {
        self.answers = answers
        self.date = date
        self.headers = headers
    }

    /// The paths that were asked for, in order.
    var asked: [String] { log.withLock { $0 } }

    func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        let question = HTTPRequest.matchKey(request.url.target, content: request.content?.description)
        log.withLock { $0.append(question) }
        guard let answer = answers(question) else {
            throw HTTPFailure(.timedOut, of: request.url, detail: "nobody answers")
        }
        do {
            try body(answer.body.span)
        } catch {
            throw HTTPFailure(.bodyRejected, of: request.url, detail: "\(error)")
        }
        return HTTPResponse(
            status: answer.status, headers: (date.map { [.init("Date", $0)] } ?? []) + headers,
            received: Timestamp(seconds: 7))
    }
}
