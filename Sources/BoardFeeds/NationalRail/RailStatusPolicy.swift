internal import BoardCore

/// What National Rail's services, or a gateway before them, say when they refuse.
enum RailStatusPolicy {
    /// How much of a message goes into a log line.
    private static let longestMessage = 200

    /// Apigee's form, `{"fault":{"faultstring":…,"detail":{"errorcode":…}}}`, and that of other gateways.
    private struct ErrorBody {
        let text: String?
        let code: String?

        /// Reads a body; nil where it is no object.
        init?(_ body: [UInt8]) {
            guard let refusal = try? JSONDocument(body).row() else { return nil }
            let fault = refusal.row("fault")
            code = fault?.row("detail")?.text("errorcode")
            text =
                fault?.text("faultstring") ?? refusal.text("message") ?? refusal.text("Message")
                ?? refusal.text("title") ?? refusal.text("error")
        }
    }

    /// The words of a refusal in JSON; nil where there are none.
    static func message(in body: [UInt8]) -> String? {
        ErrorBody(body)?.text
    }

    /// What the body of a refusal looks like when a person opens it in a browser.
    static func isHTML(_ body: [UInt8]) -> Bool {
        body.first { !$0.isBlank } == UInt8(ascii: "<")
    }

    /// Whether the marketplace's answer means that a service is known no more: its identifiers live for two minutes
    /// after the train has left. A gateway that does not know the address says so in other words.
    static func isExpiredService(_ status: Int, _ body: [UInt8]) -> Bool {
        guard [204, 400, 404, 410].contains(status), !isHTML(body) else { return false }
        let code = ErrorBody(body)?.code ?? ""
        return !code.hasPrefix("messaging.")
    }

    /// What a person can do about a status that says nothing of the question.
    static func advice(onStatus status: Int, setting: String) -> String {
        status >= 500 || status == 200
            ? "it is out of order: boardd goes on asking" : "check \(setting) in boardd.toml, [feed.rail]"
    }

    /// The operator's words as the end of a sentence.
    static func operatorMessage(_ words: String?, _ request: HTTPRequest) -> String {
        words.map { "; National Rail says: " + request.quoting($0, upTo: longestMessage) } ?? ""
    }
}

extension FeedFailure {
    /// What a status other than 200 of the Rail Data Marketplace means.
    ///
    /// - Parameters:
    ///   - key: which key the question had.
    ///   - secret: the key itself.
    ///   - station: the stations of the question; nil where it was about a service.
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
            advice = "the gateway refuses this program or this address, not the key: try again later"
        case 401, 403:
            kind = .keyRejected
            advice = key.advice(onRejectionOf: secret)
        case 400 where station != nil:
            kind = .unknownStop
            advice = "it knows no such station: check \(station ?? "") in favourites.toml"
        case 404:
            kind = .status(404)
            advice = "nothing is there: compare \(setting) in boardd.toml, [feed.rail], with your subscription"
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

    /// What a refusal by OpenLDBWS means: a status other than 200, or a fault.
    ///
    /// - Parameters:
    ///   - words: those of the fault; nil: there is none.
    ///   - fault: what the body is instead, with keys masked; nil: it could be read.
    ///   - station: the stations of the question; nil where it was about a service.
    init(
        darwinStatusOf request: HTTPRequest, _ response: HTTPResponse, _ words: String?, _ fault: XMLFault?,
        _ token: Secret?, station: String?
    ) {
        let folded = words?.lowercased() ?? ""
        let kind: Kind
        let advice: String
        switch response.status {
        case 401, 403:
            kind = .keyRejected
            advice = RailKey.darwin.advice(onRejectionOf: token)
        case 404:
            kind = .status(404)
            advice = "nothing is there: check darwin_url in boardd.toml, [feed.rail]"
        case 429:
            kind = .rateLimited(retryAfter: response.retryAfter)
            advice = "too many requests: poll less often or have fewer favourites"
        default:
            // "Invalid crs code supplied"; not so for most codes that are none.
            let isStation = station != nil && folded.contains("crs")
            kind = isStation ? .unknownStop : .status(response.status == 200 ? 500 : response.status)
            let codes = station ?? ""
            if isStation {
                advice = "it knows no such station: check \(codes) in favourites.toml"
            } else if words != nil, station != nil {
                advice =
                    "it is out of order, or \(codes) is no station, which it answers in the same way: check the code"
            } else {
                advice =
                    fault.map { "\($0): the service is down" }
                    ?? RailStatusPolicy.advice(onStatus: response.status, setting: "darwin_url")
            }
        }
        self.init(
            kind, detail: Self.sentence(request, response, advice, words), retryAfter: response.retryAfter)
    }

    /// An answer that is not what the format promises, with what is said in it.
    ///
    /// - Parameter setting: the setting that names the address.
    init(
        unreadable fault: JSONFault, in body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse,
        setting: String
    ) {
        self.init(
            unreadable: fault.masked(in: body, of: request).description, of: request, response, setting,
            RailStatusPolicy.message(in: body))
    }

    /// An answer that is not what the format promises.
    init(unreadable fault: XMLFault, in body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse) {
        self.init(
            unreadable: fault.masked(in: body, of: request).description, of: request, response, "darwin_url", nil)
    }

    private init(
        unreadable found: String, of request: HTTPRequest, _ response: HTTPResponse, _ setting: String, _ words: String?
    ) {
        let advice = "; if that stays so, check \(setting) in boardd.toml, [feed.rail]"
        self.init(
            .unreadable,
            detail: "\(request.url): " + found + advice + RailStatusPolicy.operatorMessage(words, request))
    }

    private static func sentence(
        _ request: HTTPRequest, _ response: HTTPResponse, _ advice: String, _ words: String?
    ) -> String {
        let end = advice.isEmpty ? "" : ", " + request.masking(advice)
        return "\(request.url): status \(response.status)\(end)\(RailStatusPolicy.operatorMessage(words, request))"
    }
}
