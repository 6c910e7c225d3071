import BoardCore

/// A service with National Rail's boards: both take the same requests.
protocol RailAPI: Sendable {
    func board(_ request: RailBoardRequest) async throws(FeedError) -> RailBoard

    /// Fetches the calling points of a departure by its identifier; nil: it is no longer available.
    func serviceDetails(of departure: Departure, id: String) async throws(FeedError) -> RailServiceDetails?
}

struct RailBoardRequest: Hashable, Sendable {
    /// The most rows in a request without calling points: half an hour of the busiest station, 50 kB. The operator's
    /// own limit is 150.
    static let maximumRows = 60
    /// The most rows in a response with calling points, whatever the request.
    static let maximumDetailedRows = 10

    /// The most bytes of a response; the largest recorded one, 150 rows, has 172 kB.
    static let responseLimit = 2_000_000

    let code: String
    /// Only services that also call at this station.
    var towards: String?
    var rows = maximumRows
    /// How far ahead the board begins, in minutes.
    var offset = 0
    /// How long the board is, in minutes.
    var window = 120

    /// The stations of the request, for an error message.
    var codes: String { towards.map { "\(code) or \($0)" } ?? code }

    /// Names and values in the order of the SOAP schema, which is a sequence; REST has `crs` in its path.
    var parameters: [(name: String, value: String)] {
        var parameters = [("numRows", String(rows)), ("crs", code)]
        if let towards { parameters += [("filterCrs", towards), ("filterType", "to")] }
        return parameters + [("timeOffset", String(offset)), ("timeWindow", String(window))]
    }
}

/// OpenLDBWS, Darwin's public service: SOAP by POST, with the token in the envelope.
struct DarwinAPI: RailAPI {
    /// The content type of SOAP 1.1; the response has the version of the request.
    private static let type = "text/xml; charset=utf-8"
    private static let soap = "http://schemas.xmlsoap.org/soap/envelope/"
    private static let tokens = "http://thalesgroup.com/RTTI/2013-11-28/Token/types"
    /// The version of `ldb12.asmx`; a service of another version accepts it, too, or returns an error.
    private static let schema = "http://thalesgroup.com/RTTI/2021-11-01/ldb/"

    let url: HTTPURL
    let token: Secret?
    let transport: any HTTPTransport

    init(_ context: FeedContext) throws(FeedSettingError) {
        url = try context.address("darwin_url", default: NationalRailFeed.defaultDarwinURL)
        token = context.settings.secret(RailKey.darwin.rawValue)
        transport = context.transport
    }

    func board(_ boardRequest: RailBoardRequest) async throws(FeedError) -> RailBoard {
        let request = request("GetDepartureBoardRequest", boardRequest.parameters)
        guard case .board(let board) = try await fetch(request, station: boardRequest.codes) else {
            throw unreadable(request)
        }
        return board
    }

    func serviceDetails(of departure: Departure, id: String) async throws(FeedError) -> RailServiceDetails? {
        let request = request("GetServiceDetailsRequest", [("serviceID", id)])
        guard case .details(let details) = try await fetch(request, station: nil) else { throw unreadable(request) }
        return details
    }

    func request(_ operation: String, _ parameters: [(name: String, value: String)]) -> HTTPRequest {
        let elements = parameters.map { "<ldb:\($0.name)>\(XMLText.escaped($0.value))</ldb:\($0.name)>" }.joined()
        let content = HTTPContent(
            type: Self.type,
            pieces: [
                .text(
                    "<soap:Envelope xmlns:soap=\"\(Self.soap)\" xmlns:typ=\"\(Self.tokens)\" xmlns:ldb=\"\(Self.schema)\">"
                        + "<soap:Header><typ:AccessToken><typ:TokenValue>"), .secret(token ?? Secret("")),
                .text(
                    "</typ:TokenValue></typ:AccessToken></soap:Header>"
                        + "<soap:Body><ldb:\(operation)>\(elements)</ldb:\(operation)></soap:Body></soap:Envelope>"),
            ])
        return HTTPRequest(url, content: content, limit: RailBoardRequest.responseLimit)
    }

    /// Fetches and decodes a response; throws for an error status or a fault.
    private func fetch(_ request: HTTPRequest, station: String?) async throws(FeedError) -> DarwinResponse {
        let (response, body) = try await transport.fetch(request)
        let content: DarwinResponse
        do {
            content = try DarwinResponse(body, response)
        } catch {
            throw response.isOK
                ? Self.policy(nil, token).unreadable(
                    "\(error.masked(in: body, of: request, expecting: .xml))", message: nil, of: request)
                : Self.policy(nil, token).failure(response, [], of: request)
        }
        if case .fault(let message) = content {
            // "Invalid crs code supplied"; most invalid codes cause another fault.
            let isStation = station != nil && message.lowercased().contains("crs")
            let error = response.isOK ? .serverError : ResponseError(status: response.status)
            throw Self.policy(station, token).failure(
                isStation && error == .serverError ? .unknownStop : error, response, message: message, of: request)
        }
        guard response.isOK else { throw Self.policy(nil, token).failure(response, body, of: request) }
        return content
    }

    private func unreadable(_ request: HTTPRequest) -> FeedError {
        Self.policy(nil, token).unreadable("\(FormatError.unexpectedXML)", message: nil, of: request)
    }

    /// - Parameter station: the stations of a request that failed with a fault; nil for a service, and without a fault.
    private static func policy(_ station: String?, _ token: Secret?) -> ResponseStatusPolicy {
        ResponseStatusPolicy(
            settings: "darwin_url in boardd.toml, [feed.rail]", stop: station, unknownStop: [],
            authentication: (.keyRejected, RailKey.darwin.advice(onRejectionOf: token)),
            advice: station.map {
                [.serverError: "server error, or \($0) is not a station (same response): check the code"]
            } ?? [:])
    }
}

/// A decoded response of OpenLDBWS, in any version of the schema since 2012.
enum DarwinResponse {
    case board(RailBoard)
    /// A service; nil: it is no longer available.
    case details(RailServiceDetails?)
    case fault(String)

    /// The class and toilets of every coach at every call.
    private static let skipped: Set = ["formation", "coaches"]

    init(_ body: [UInt8], _ response: HTTPResponse) throws(FormatError) {
        let root = try JSONDocument(xml: body, skipping: Self.skipped).root
        func first(_ names: String...) -> JSONValue? { names.lazy.compactMap { root.descendants($0).first }.first }
        if let fault = first("Fault") {
            // SOAP 1.1, then 1.2.
            let text = fault.row?.text("faultstring") ?? fault.row?.row("Reason")?.text("Text")
            self = .fault(text ?? "SOAP fault without text")
        } else if let board = first("GetStationBoardResult", "DeparturesBoard")?.row {
            self = .board(RailBoard(board, response))
        } else if let details = first("GetServiceDetailsResult") {
            self = .details(details.nonEmptyRow.map { RailServiceDetails($0, response) })
        } else if first("GetServiceDetailsResponse") != nil {
            self = .details(nil)
        } else {
            throw .unexpectedXML
        }
    }
}

/// The Rail Data Marketplace: REST and JSON, with separate products and keys for boards and for service details.
struct RailMarketplaceAPI: RailAPI {
    /// How many minutes before the train is due its board begins.
    private static let lead = 1
    /// The largest offset of a board, in minutes.
    private static let maximumOffset = 119

    let boardURL: HTTPURL
    let boardKey: APIKeyPlacement
    let detailsURL: HTTPURL
    /// Without it, calling points come from the board, which then has only ten trains.
    let detailsKey: APIKeyPlacement
    let transport: any HTTPTransport

    init(_ context: FeedContext) throws(FeedSettingError) {
        boardURL = try context.address("board_url", default: NationalRailFeed.defaultBoardURL)
        boardKey = APIKeyPlacement(RailKey.board.rawValue, context.settings, header: "x-apikey")
        detailsURL = try context.address("details_url", default: NationalRailFeed.defaultDetailsURL)
        detailsKey = APIKeyPlacement(RailKey.details.rawValue, context.settings, header: "x-apikey")
        transport = context.transport
    }

    func board(_ boardRequest: RailBoardRequest) async throws(FeedError) -> RailBoard {
        try await board("GetDepartureBoard", boardRequest)
    }

    func serviceDetails(of departure: Departure, id: String) async throws(FeedError) -> RailServiceDetails? {
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
            return RailServiceDetails(try JSONDocument(body).row(), response)
        } catch {
            throw policy.unreadable(error, in: body, of: request)
        }
    }

    /// Whether a service is no longer available: its identifiers expire two minutes after the train left. For an
    /// unknown URL a gateway has another error code, in Apigee's form `{"fault":{"detail":{"errorcode":…}}}`.
    private static func isExpiredService(_ response: HTTPResponse, _ body: [UInt8]) -> Bool {
        let errors: [ResponseError] = [.noContent, .badRequest, .notFound]
        guard errors.contains(ResponseError(status: response.status)), !body.isMarkup else { return false }
        let fault = (try? JSONDocument(body).row())?.row("fault")
        return fault?.row("detail")?.text("errorcode")?.hasPrefix("messaging.") != true
    }

    /// The departure's row on a board with calling points; nil if it is not among the ten rows.
    private func listedDetails(_ departure: Departure, id: String) async throws(FeedError) -> RailServiceDetails? {
        var boardRequest = RailBoardRequest(code: departure.stop.code, rows: RailBoardRequest.maximumDetailedRows)
        // On a busy station's board, ten rows do not reach a train an hour away.
        let ahead = Int((departure.due - departure.madeAt).components.seconds / 60) - Self.lead
        boardRequest.offset = min(max(0, ahead), Self.maximumOffset)
        let board = try await board("GetDepBoardWithDetails", boardRequest)
        guard let service = board.services.good.first(where: { $0.id == id }) else { return nil }
        return RailServiceDetails(service, at: board)
    }

    private func board(_ operation: String, _ boardRequest: RailBoardRequest) async throws(FeedError) -> RailBoard {
        let request = HTTPRequest(
            boardURL.appending(
                [operation, boardRequest.code], query: boardRequest.parameters.filter { $0.name != "crs" }),
            secretHeaders: boardKey.headers, limit: RailBoardRequest.responseLimit)
        return try await policy(.board, boardKey.secret, "board_url", station: boardRequest.codes).read(
            request, over: transport
        ) { body, response in try RailBoard(marketplace: body, response) }
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
