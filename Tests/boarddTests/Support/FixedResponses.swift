import BoardCore
import BoardFeeds

@testable import BoardFormats

/// Fixed responses by the path and query of a request.
struct FixedResponses: HTTPTransport {
    var status = 200
    var received = Timestamp(seconds: 1_772_438_400)
    /// Returns a body; nil: status 404.
    let body: @Sendable (String) -> [UInt8]?

    func get(_ request: HTTPRequest, body sink: @escaping HTTPBodySink) async throws(HTTPError) -> HTTPResponse {
        let found = body(request.url.target)
        let bytes = found ?? []
        try? sink(bytes.span)
        return HTTPResponse(status: found == nil ? 404 : status, received: received)
    }
}
