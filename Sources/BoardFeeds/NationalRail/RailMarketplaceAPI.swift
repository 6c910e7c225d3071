internal import BoardCore
internal import BoardFormats

/// The Rail Data Marketplace: REST and JSON, with separate products and keys for boards and for service details.
struct RailMarketplaceAPI: RailAPI {
    /// How many minutes before its booked time a train's board begins.
    private static let lead = 1
    /// The largest offset of a board, in minutes.
    private static let maxOffset = 119

    let boardURL: HTTPURL
    let boardKey: APIKeyPlacement
    let detailsURL: HTTPURL
    /// Without it calling points come from the board, which has only ten trains then.
    let detailsKey: APIKeyPlacement
    let transport: any HTTPTransport

    /// - Throws: ``FeedSettingFailure`` for a disallowed URL.
    init(_ context: FeedContext) throws(FeedSettingFailure) {
        boardURL = try context.address("board_url", default: NationalRailFeed.defaultBoardURL)
        boardKey = APIKeyPlacement(RailKey.board.rawValue, context.settings, header: "x-apikey")
        detailsURL = try context.address("details_url", default: NationalRailFeed.defaultDetailsURL)
        detailsKey = APIKeyPlacement(RailKey.details.rawValue, context.settings, header: "x-apikey")
        transport = context.transport
    }

    func board(_ boardRequest: RailBoardRequest) async throws(FeedFailure) -> (board: RailBoard, response: HTTPResponse)
    {
        try await board("GetDepartureBoard", boardRequest, withCalls: false)
    }

    func serviceDetails(of departure: Departure, id: String) async throws(FeedFailure) -> (
        details: RailServiceDetails, response: HTTPResponse
    )? {
        guard detailsKey.secret != nil || transport.hasRecorded(detailsURL) else {
            return try await listedDetails(departure, id: id)
        }
        let request = HTTPRequest(
            detailsURL.appending(["GetServiceDetails", id]), secretHeaders: detailsKey.headers,
            limit: RailBoardRequest.responseLimit)
        let policy = policy(.details, detailsKey.secret, "details_url")
        let (response, body) = try await transport.fetch(request)
        if Self.isExpiredService(response, body) { return nil }
        guard response.isOK else { throw policy.failure(response, body, of: request) }
        if body.allSatisfy(\.isBlank) || body == Array("null".utf8) { return nil }
        do {
            return (try RailServiceDetails(marketplace: body), response)
        } catch {
            throw policy.unreadable(error, in: body, of: request)
        }
    }

    /// Whether a response means that a service is no longer available: its identifiers live for two minutes after the train has
    /// left. A gateway reports an unknown URL with another error code, in Apigee's form `{"fault":{"detail":{"errorcode":…}}}`.
    private static func isExpiredService(_ response: HTTPResponse, _ body: [UInt8]) -> Bool {
        let errors: [ResponseError] = [.noContent, .badRequest, .notFound]
        guard errors.contains(ResponseError(status: response.status)), !body.isMarkup else { return false }
        let fault = (try? JSONDocument(body).row())?.row("fault")
        return fault?.row("detail")?.text("errorcode")?.hasPrefix("messaging.") != true
    }

    /// The departure's row on a board with calling points; nil if it is not among the ten rows.
    private func listedDetails(
        _ departure: Departure, id: String
    ) async throws(FeedFailure) -> (details: RailServiceDetails, response: HTTPResponse)? {
        var boardRequest = RailBoardRequest(code: departure.stop.code, rows: RailBoardRequest.maxDetailedRows)
        // On the board of a busy station, ten rows do not reach a train in an hour.
        let ahead = Int((departure.due - departure.madeAt).components.seconds / 60) - Self.lead
        boardRequest.offset = min(max(0, ahead), Self.maxOffset)
        let (board, response) = try await board("GetDepBoardWithDetails", boardRequest, withCalls: true)
        guard let service = board.services.first(where: { $0.id == id }) else { return nil }
        return (
            RailServiceDetails(madeAt: board.madeAt, name: board.name, code: board.code, service: service), response
        )
    }

    private func board(
        _ operation: String, _ boardRequest: RailBoardRequest, withCalls: Bool
    ) async throws(FeedFailure) -> (board: RailBoard, response: HTTPResponse) {
        let request = HTTPRequest(
            boardURL.appending(
                [operation, boardRequest.code], query: boardRequest.parameters.filter { $0.name != "crs" }),
            secretHeaders: boardKey.headers, limit: RailBoardRequest.responseLimit)
        return try await policy(.board, boardKey.secret, "board_url", station: boardRequest.codes).read(
            request, over: transport
        ) { body, response throws(JSONFault) in
            (try RailBoard(marketplace: body, withCalls: withCalls), response)
        }
    }

    /// - Parameter station: the stations of the request; nil for a service.
    private func policy(
        _ key: RailKey, _ secret: Secret?, _ setting: String, station: String? = nil
    ) -> ResponseStatusPolicy {
        let settings = "\(setting) in boardd.toml, [feed.rail]"
        return ResponseStatusPolicy(
            settings: settings, stop: station, unknownStop: [.badRequest],
            authentication: (.keyRejected, key.advice(onRejectionOf: secret)), hasBlockingGateway: true,
            advice: [.notFound: "not found: compare \(settings), with your subscription"])
    }
}
