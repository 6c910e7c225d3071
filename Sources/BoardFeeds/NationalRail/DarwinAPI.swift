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

    func board(_ boardRequest: RailBoardRequest) async throws(FeedFailure) -> (board: RailBoard, response: HTTPResponse)
    {
        let request = request("GetDepartureBoardRequest", boardRequest.parameters)
        let (response, body) = try await transport.fetch(request)
        guard case .board(let board) = try read(body, of: request, response, station: boardRequest.codes) else {
            throw FeedFailure(unreadable: JSONFault.unexpectedXML, in: body, of: request, response)
        }
        return (board, response)
    }

    func serviceDetails(of departure: Departure, id: String) async throws(FeedFailure) -> (
        details: RailServiceDetails, response: HTTPResponse
    )? {
        let request = request("GetServiceDetailsRequest", [("serviceID", id)])
        let (response, body) = try await transport.fetch(request)
        guard case .details(let details) = try read(body, of: request, response, station: nil) else {
            throw FeedFailure(unreadable: JSONFault.unexpectedXML, in: body, of: request, response)
        }
        return details.map { ($0, response) }
    }

    /// A request in its envelope.
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

    /// Decodes a response; throws for an error status or a fault.
    private func read(
        _ body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse, station: String?
    ) throws(FeedFailure) -> DarwinResponse {
        let content: DarwinResponse
        do {
            content = try DarwinResponse(body, withCalls: false)
        } catch {
            guard response.status == 200 else {
                let fault = error.masked(in: body, of: request, expecting: .xml)
                throw FeedFailure(darwinStatusOf: request, response, nil, fault, token, station: station)
            }
            throw FeedFailure(unreadable: error, in: body, of: request, response)
        }
        if case .fault(let message) = content {
            throw FeedFailure(darwinStatusOf: request, response, message, nil, token, station: station)
        }
        guard response.status == 200 else {
            throw FeedFailure(darwinStatusOf: request, response, nil, nil, token, station: station)
        }
        return content
    }
}
