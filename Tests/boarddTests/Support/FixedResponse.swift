import BoardCore
import BoardFeeds

@testable import BoardFormats

/// The same response to every request.
struct FixedResponse: HTTPTransport {
    let status: Int
    let body: [UInt8]
    var received = Timestamp(seconds: 1_772_438_400)

    func get(_ request: HTTPRequest, body sink: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        try? sink(body.span)
        return HTTPResponse(status: status, received: received)
    }
}

/// A clock for code that does not read it.
struct NoClock: MachineClock {
    func now() -> Instant { Instant(microseconds: 0) }
    func reading() -> CorrectedClock.Reading { .init(wall: Timestamp(seconds: 0), isSynchronised: false) }
}
