internal import BoardCore
internal import BoardFormats

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

    /// - Throws: ``FeedSettingFailure`` for a disallowed URL.
    init(_ context: FeedContext) throws(FeedSettingFailure) {
        url = try context.address("darwin_url", default: NationalRailFeed.defaultDarwinURL)
        token = context.settings.secret(RailKey.darwin.rawValue)
        transport = context.transport
    }

    func board(_ boardRequest: RailBoardRequest) async throws(FeedFailure) -> (board: RailBoard, response: HTTPResponse)
    {
        let request = request("GetDepartureBoardRequest", boardRequest.parameters)
        let (content, response) = try await fetch(request, station: boardRequest.codes)
        guard case .board(let board) = content else { throw unreadable(request) }
        return (board, response)
    }

    func serviceDetails(of departure: Departure, id: String) async throws(FeedFailure) -> (
        details: RailServiceDetails, response: HTTPResponse
    )? {
        let request = request("GetServiceDetailsRequest", [("serviceID", id)])
        let (content, response) = try await fetch(request, station: nil)
        guard case .details(let details) = content else { throw unreadable(request) }
        return details.map { ($0, response) }
    }

    func request(_ operation: String, _ parameters: [(name: String, value: String)]) -> HTTPRequest {
        let elements = parameters.map { "<ldb:\($0.name)>\(XMLText.escaped($0.value))</ldb:\($0.name)>" }.joined()
        let content = HTTPContent(
            type: Self.type,
            [
                .text(
                    "<soap:Envelope xmlns:soap=\"\(Self.soap)\" xmlns:typ=\"\(Self.tokens)\" xmlns:ldb=\"\(Self.schema)\">"
                        + "<soap:Header><typ:AccessToken><typ:TokenValue>"),
                .secret(token ?? Secret("")),
                .text(
                    "</typ:TokenValue></typ:AccessToken></soap:Header>"
                        + "<soap:Body><ldb:\(operation)>\(elements)</ldb:\(operation)></soap:Body></soap:Envelope>"),
            ])
        return HTTPRequest(url, content: content, limit: RailBoardRequest.responseLimit)
    }

    /// Fetches and decodes a response; throws for an error status or a fault.
    private func fetch(
        _ request: HTTPRequest, station: String?
    ) async throws(FeedFailure) -> (content: DarwinResponse, response: HTTPResponse) {
        let (response, body) = try await transport.fetch(request)
        let content: DarwinResponse
        do {
            content = try DarwinResponse(body, withCalls: false)
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
        return (content, response)
    }

    private func unreadable(_ request: HTTPRequest) -> FeedFailure {
        Self.policy(nil, token).unreadable("\(JSONFault.unexpectedXML)", message: nil, of: request)
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
