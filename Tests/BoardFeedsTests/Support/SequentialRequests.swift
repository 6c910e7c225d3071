/// Requests one after the other, and the most connections that they may need: libcurl closes a connection that nothing used for 118 s, as
/// beside hundreds of tests on an emulated machine.
struct SequentialRequests {
    private static let longestPause = Duration.seconds(100)

    private let clock = ContinuousClock()
    private var lastEnd: ContinuousClock.Instant?
    private(set) var mostConnections = 1

    mutating func perform<Response>(_ request: () async throws -> Response) async rethrows -> Response {
        let response = try await request()
        let end = clock.now
        if let lastEnd, end - lastEnd > Self.longestPause { mostConnections += 1 }
        lastEnd = end
        return response
    }
}
