import BoardCore
import Synchronization

@testable import BoardFeeds

/// A transport with responses by path and, after a blank, content; it records the requests.
final class CannedTransport: HTTPTransport {
    private let responses: @Sendable (String) -> (status: Int, body: [UInt8])?
    /// Parts of paths and their statuses, nil for no response; and the `Date` of responses.
    private let state: Mutex<(failing: [String: Int?], date: String?)>
    private let headers: [HTTPResponse.Header]
    private let log = Mutex<[HTTPRequest]>([])

    init(
        date: String? = "Mon, 02 Mar 2026 08:00:30 GMT", headers: [HTTPResponse.Header] = [],
        _ responses: @escaping @Sendable (String) -> (Int, [UInt8])?
    ) {
        self.responses = responses
        state = Mutex(([:], date))
        self.headers = headers
    }

    /// From now on, a path that contains a key responds with its status and no body, or not at all.
    func fail(_ parts: [String: Int?], at date: String? = nil) {
        state.withLock { $0 = (parts, date ?? $0.date) }
    }

    var requests: [HTTPRequest] { log.withLock { $0 } }

    /// The requested paths, in order.
    var requested: [String] { requests.map(Self.path) }

    private static func path(_ request: HTTPRequest) -> String {
        HTTPRequest.matchKey(request.url.target, content: request.content?.description)
    }

    func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPError) -> HTTPResponse {
        log.withLock { $0.append(request) }
        let (path, state) = (Self.path(request), state.withLock { $0 })
        let failing = state.failing.first { path.contains($0.key) }
        guard let response = failing.map({ part in part.value.map { ($0, []) } }) ?? responses(path) else {
            throw HTTPError(.timedOut, of: request.url, detail: "no response")
        }
        do {
            try body(response.body.span)
        } catch {
            throw HTTPError(.unusable, of: request.url, detail: "\(error)")
        }
        return HTTPResponse(
            status: response.status, headers: (state.date.map { [.init("Date", $0)] } ?? []) + headers,
            received: Timestamp(seconds: 7))
    }
}
