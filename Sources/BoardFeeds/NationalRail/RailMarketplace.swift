internal import BoardCore
internal import BoardFormats

/// The Rail Data Marketplace: REST and JSON, with separate products and keys for boards and for service details.
struct RailMarketplace: RailAPI {
    /// How many minutes before its booked time a train's board begins.
    private static let lead = 1
    /// The largest offset of a board, in minutes.
    private static let maxOffset = 119

    let boardURL: HTTPURL
    let boardKey: Secret?
    let detailsURL: HTTPURL
    /// Nil: calling points come from the board, which has only ten trains then.
    let detailsKey: Secret?
    let transport: any HTTPTransport

    func board(_ boardRequest: RailBoardRequest) async throws(FeedFailure) -> (board: RailBoard, response: HTTPResponse)
    {
        try await board("GetDepartureBoard", boardRequest, withCalls: false)
    }

    func serviceDetails(of departure: Departure, id: String) async throws(FeedFailure) -> (
        details: RailServiceDetails, response: HTTPResponse
    )? {
        guard detailsKey != nil || transport.hasRecorded(detailsURL) else {
            return try await listedDetails(departure, id: id)
        }
        let request = HTTPRequest(
            detailsURL.appending(["GetServiceDetails", id]), secretHeaders: header(detailsKey),
            limit: RailBoardRequest.responseLimit)
        let (response, body) = try await transport.fetch(request)
        if RailStatusPolicy.isExpiredService(response.status, body) { return nil }
        guard response.status == 200 else {
            throw FeedFailure(marketplaceStatusOf: request, response, body, key: .details, detailsKey, station: nil)
        }
        if body.allSatisfy(\.isBlank) || body == Array("null".utf8) { return nil }
        do {
            return (try RailServiceDetails(marketplace: body), response)
        } catch {
            throw FeedFailure(unreadable: error, in: body, of: request, response, setting: "details_url")
        }
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
            secretHeaders: header(boardKey), limit: RailBoardRequest.responseLimit)
        let (response, body) = try await transport.fetch(request)
        guard response.status == 200 else {
            throw FeedFailure(
                marketplaceStatusOf: request, response, body, key: .board, boardKey, station: boardRequest.codes)
        }
        do {
            return (try RailBoard(marketplace: body, withCalls: withCalls), response)
        } catch {
            throw FeedFailure(unreadable: error, in: body, of: request, response, setting: "board_url")
        }
    }

    private func header(_ key: Secret?) -> [(name: String, value: Secret)] {
        key.map { [("x-apikey", $0)] } ?? []
    }
}
