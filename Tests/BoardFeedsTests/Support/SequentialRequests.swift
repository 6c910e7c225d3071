/// Requests one after the other, and the most connections that they may need: libcurl closes a connection that nothing used for 118 s, as
/// beside hundreds of tests on an emulated machine.
struct SequentialRequests {
    private static let longestPause = Duration.seconds(100)

    private let clock = ContinuousClock()
    private var lastBegin: ContinuousClock.Instant?
    private(set) var mostConnections = 1

    mutating func perform<Response>(_ request: () async throws -> Response) async rethrows -> Response {
        let begin = clock.now
        let response = try await request()
        // The end of a request is earlier than the return to this task: its begin is surely before it.
        if let lastBegin, clock.now - lastBegin > Self.longestPause { mostConnections += 1 }
        lastBegin = begin
        return response
    }
}
