internal import BoardCore

/// The Rail Data Marketplace: REST and JSON, a product of its own for boards and for service details, each with its
/// key.
struct RailMarketplace: RailAPI {
    /// How much earlier than its booked time a train is looked for on a board.
    private static let lead = 1
    /// The furthest that a board can begin, in minutes.
    private static let furthest = 119

    let boardURL: HTTPURL
    let boardKey: Secret?
    let detailsURL: HTTPURL
    /// Nil: calling points are told by the board alone, for the next ten trains of a moment.
    let detailsKey: Secret?
    let transport: any HTTPTransport

    func board(_ question: RailBoardRequest) async throws(FeedFailure) -> (board: RailBoard, response: HTTPResponse) {
        try await board("GetDepartureBoard", question, withCalls: false)
    }

    func run(of departure: Departure, id: String) async throws(FeedFailure) -> (
        run: RailServiceDetails, response: HTTPResponse
    )? {
        guard detailsKey != nil || transport.hasRecorded(detailsURL) else {
            return try await listed(departure, id: id)
        }
        let request = HTTPRequest(
            detailsURL.appending(["GetServiceDetails", id]), secretHeaders: header(detailsKey),
            limit: RailBoardRequest.answerLimit)
        let (response, body) = try await transport.fetch(to: request)
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

    /// The departure on a board with calling points; nil where it is not among the ten rows.
    private func listed(
        _ departure: Departure, id: String
    ) async throws(FeedFailure) -> (run: RailServiceDetails, response: HTTPResponse)? {
        var question = RailBoardRequest(code: departure.stop.code, rows: RailBoardRequest.mostDetailedRows)
        // The board of a busy station has no room for a train that goes in an hour.
        let ahead = Int((departure.due - departure.madeAt).components.seconds / 60) - Self.lead
        question.offset = min(max(0, ahead), Self.furthest)
        let (board, response) = try await board("GetDepBoardWithDetails", question, withCalls: true)
        guard let service = board.services.first(where: { $0.id == id }) else { return nil }
        return (
            RailServiceDetails(madeAt: board.madeAt, name: board.name, code: board.code, service: service), response
        )
    }

    private func board(
        _ operation: String, _ question: RailBoardRequest, withCalls: Bool
    ) async throws(FeedFailure) -> (board: RailBoard, response: HTTPResponse) {
        let request = HTTPRequest(
            boardURL.appending(
                [operation, question.code], query: question.parameters.filter { $0.name != "crs" }),
            secretHeaders: header(boardKey), limit: RailBoardRequest.answerLimit)
        let (response, body) = try await transport.fetch(to: request)
        guard response.status == 200 else {
            throw FeedFailure(
                marketplaceStatusOf: request, response, body, key: .board, boardKey, station: question.codes)
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
