internal import BoardCore

extension TfLAPI {
    /// The largest page: all modes' stops at once, should TfL ever send them so, have about 60 MB.
    private static let listLimit = 80_000_000
    /// Such a page may come over a slow line, and is written to a slow disk as it comes.
    private static let listTimeout: Duration = .seconds(900)
    /// A tube line with all its branches has 600 kB.
    private static let routeLimit = 2_000_000

    /// `/StopPoint/Mode/{modes}?page=`: a page of all stops, read as it comes.
    func stopList(of modes: [String], page: Int, into reader: TfLStopPageReader) async throws(FeedFailure) -> StopPage {
        let request = request(
            ["StopPoint", "Mode", modes.joined(separator: ",")], query: [("page", String(page))],
            limit: Self.listLimit, timeout: Self.listTimeout)
        let response: HTTPResponse
        do {
            response = try await transport.get(request, body: reader.take)
        } catch {
            if let error = reader.sinkError {
                throw FeedFailure(.cancelled, detail: request.masking("\(request.url): not taken: \(error)"))
            }
            guard let refusal = error.errorResponse else { throw FeedFailure(error) }
            response = refusal
        }
        guard response.status == 200 else {
            throw FeedFailure(
                errorStatusOf: request, response, body: reader.opening, hasKey: key != nil, unknown: .status(404))
        }
        return try read(reader.opening, of: request, response) { _ throws(JSONFault) in try reader.finish() }
    }

    /// `/Line/{id}/Route/Sequence/all`: where a line runs, in both directions.
    func routeSequence(of line: String) async throws(FeedFailure) -> LineRoute {
        let request = request(
            ["Line", line, "Route", "Sequence", "all"],
            query: [("serviceTypes", "Regular,Night"), ("excludeCrowding", "true")], limit: Self.routeLimit)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLRouteSequence(body).route
        }
    }
}
