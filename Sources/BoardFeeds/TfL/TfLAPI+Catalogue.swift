internal import BoardCore
internal import BoardFormats

extension TfLAPI {
    /// The largest page: all modes' stops at once have about 60 MB, should TfL ever send them so.
    private static let listLimit = 80_000_000
    /// Such a page may arrive over a slow line, and is written to a slow disk meanwhile.
    private static let listTimeout: Duration = .seconds(900)
    /// A tube line with all its branches has 600 kB.
    private static let routeLimit = 2_000_000

    /// `/StopPoint/Mode/{modes}?page=`: a page of all stops, decoded while it arrives.
    func stopList(of modes: [String], page: Int, into reader: TfLStopPageReader) async throws(FeedFailure) -> StopPage {
        let request = request(
            ["StopPoint", "Mode", modes.joined(separator: ",")], query: [("page", String(page))],
            limit: Self.listLimit, timeout: Self.listTimeout)
        let response: HTTPResponse
        do {
            response = try await transport.get(request, body: reader.receive)
        } catch {
            if let error = reader.sinkError {
                throw FeedFailure(.cancelled, detail: request.masking("\(request.url): reading stopped: \(error)"))
            }
            guard let errorResponse = error.errorResponse else { throw FeedFailure(error) }
            response = errorResponse
        }
        guard response.status == 200 else {
            throw FeedFailure(
                errorStatusOf: request, response, body: reader.beginning, hasKey: key != nil, unknown: .status(404))
        }
        return try read(reader.beginning, of: request, response) { _ throws(JSONFault) in try reader.finish() }
    }

    /// `/Line/{id}/Route/Sequence/all`: the route of a line in both directions.
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
