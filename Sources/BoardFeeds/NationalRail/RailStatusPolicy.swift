internal import BoardCore
internal import BoardFormats

/// The interpretation of error responses from National Rail's services and their gateways.
enum RailStatusPolicy {
    /// How much of a message goes into a log line, in characters.
    private static let longestMessage = 200

    /// An error body in Apigee's form, `{"fault":{"faultstring":…,"detail":{"errorcode":…}}}`, or in that of other gateways.
    private struct ErrorBody {
        let text: String?
        let code: String?

        /// Nil if the body is not an object.
        init?(_ body: [UInt8]) {
            guard let root = try? JSONDocument(body).row() else { return nil }
            let fault = root.row("fault")
            code = fault?.row("detail")?.text("errorcode")
            text =
                fault?.text("faultstring") ?? root.text("message") ?? root.text("Message")
                ?? root.text("title") ?? root.text("error")
        }
    }

    /// The message of an error response in JSON; nil if absent.
    static func message(in body: [UInt8]) -> String? {
        ErrorBody(body)?.text
    }

    /// Whether the body of an error response is an HTML page.
    static func isHTML(_ body: [UInt8]) -> Bool {
        body.first { !$0.isBlank } == UInt8(ascii: "<")
    }

    /// Whether the marketplace's response means that a service is no longer available: its identifiers live for two minutes
    /// after the train has left. A gateway reports an unknown URL with another error code.
    static func isExpiredService(_ status: Int, _ body: [UInt8]) -> Bool {
        guard [204, 400, 404, 410].contains(status), !isHTML(body) else { return false }
        let code = ErrorBody(body)?.code ?? ""
        return !code.hasPrefix("messaging.")
    }

    /// Advice for a status that does not concern the request itself.
    static func advice(onStatus status: Int, setting: String) -> String {
        status >= 500 || status == 200
            ? "server error. Retrying" : "check \(setting) in boardd.toml, [feed.rail]"
    }

    /// The operator's message as the end of a sentence.
    static func operatorMessage(_ message: String?, _ request: HTTPRequest) -> String {
        message.map { "; National Rail message: " + request.quoting($0, upTo: longestMessage) } ?? ""
    }
}

extension FeedFailure {
    /// The failure for a status other than 200 of the Rail Data Marketplace.
    ///
    /// - Parameters:
    ///   - key: the kind of key in the request.
    ///   - secret: the key itself.
    ///   - station: the stations of the request; nil for a service.
    init(
        marketplaceStatusOf request: HTTPRequest, _ response: HTTPResponse, _ body: [UInt8], key: RailKey,
        _ secret: Secret?, station: String?
    ) {
        let setting = key == .board ? "board_url" : "details_url"
        let kind: Kind
        let advice: String
        switch response.status {
        case 403 where RailStatusPolicy.isHTML(body):
            kind = .status(403)
            advice = "blocked by the gateway (HTML page, not a key error): try again later"
        case 401, 403:
            kind = .keyRejected
            advice = key.advice(onRejectionOf: secret)
        case 400 where station != nil:
            kind = .unknownStop
            advice = "unknown station: check \(station ?? "") in favourites.toml"
        case 404:
            kind = .status(404)
            advice = "not found: compare \(setting) in boardd.toml, [feed.rail], with your subscription"
        case 429:
            kind = .rateLimited(retryAfter: response.retryAfter)
            advice = "too many requests: poll less often or have fewer favourites"
        default:
            kind = .status(response.status)
            advice =
                RailStatusPolicy.isHTML(body)
                ? "found HTML where JSON was expected: the service is down"
                : RailStatusPolicy.advice(onStatus: response.status, setting: setting)
        }
        self.init(
            kind, detail: Self.sentence(request, response, advice, RailStatusPolicy.message(in: body)),
            retryAfter: response.retryAfter)
    }

    /// The failure for an error of OpenLDBWS: a status other than 200, or a fault.
    ///
    /// - Parameters:
    ///   - message: the fault's text; nil: no fault.
    ///   - fault: why the body is unreadable, with keys masked; nil: it is readable.
    ///   - station: the stations of the request; nil for a service.
    init(
        darwinStatusOf request: HTTPRequest, _ response: HTTPResponse, _ message: String?, _ fault: JSONFault?,
        _ token: Secret?, station: String?
    ) {
        let folded = message?.lowercased() ?? ""
        let kind: Kind
        let advice: String
        switch response.status {
        case 401, 403:
            kind = .keyRejected
            advice = RailKey.darwin.advice(onRejectionOf: token)
        case 404:
            kind = .status(404)
            advice = "not found: check darwin_url in boardd.toml, [feed.rail]"
        case 429:
            kind = .rateLimited(retryAfter: response.retryAfter)
            advice = "too many requests: poll less often or have fewer favourites"
        default:
            // "Invalid crs code supplied"; most invalid codes cause another fault.
            let isStation = station != nil && folded.contains("crs")
            kind = isStation ? .unknownStop : .status(response.status == 200 ? 500 : response.status)
            let codes = station ?? ""
            if isStation {
                advice = "unknown station: check \(codes) in favourites.toml"
            } else if message != nil, station != nil {
                advice =
                    "server error, or \(codes) is not a station (same response): check the code"
            } else {
                advice =
                    fault.map { "\($0): the service is down" }
                    ?? RailStatusPolicy.advice(onStatus: response.status, setting: "darwin_url")
            }
        }
        self.init(
            kind, detail: Self.sentence(request, response, advice, message), retryAfter: response.retryAfter)
    }

    /// The failure for an unreadable response, with the operator's message in it.
    ///
    /// - Parameter setting: the setting of the URL.
    init(
        unreadable fault: JSONFault, in body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse,
        setting: String
    ) {
        self.init(
            unreadable: fault.masked(in: body, of: request).description, of: request, response, setting,
            RailStatusPolicy.message(in: body))
    }

    /// The failure for an unreadable response.
    init(unreadable fault: JSONFault, in body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse) {
        self.init(
            unreadable: fault.masked(in: body, of: request, expecting: .xml).description, of: request, response,
            "darwin_url", nil)
    }

    private init(
        unreadable found: String, of request: HTTPRequest, _ response: HTTPResponse, _ setting: String,
        _ message: String?
    ) {
        let advice = "; if this persists, check \(setting) in boardd.toml, [feed.rail]"
        self.init(
            .unreadable,
            detail: "\(request.url): " + found + advice + RailStatusPolicy.operatorMessage(message, request))
    }

    private static func sentence(
        _ request: HTTPRequest, _ response: HTTPResponse, _ advice: String, _ message: String?
    ) -> String {
        let end = advice.isEmpty ? "" : ", " + request.masking(advice)
        return "\(request.url): status \(response.status)\(end)\(RailStatusPolicy.operatorMessage(message, request))"
    }
}
