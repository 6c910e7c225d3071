internal import BoardCore
internal import BoardFormats

extension SIRIErrorCondition {
    /// Words that indicate a key problem, in lower case.
    private static let keyWords = [
        "api key", "apikey", "api-key", "not authori", "unauthori", "access denied", "forbidden", "requestor",
        "authentication", "credential",
    ]
    /// Terms for a stop, each a whole word; `unknownWords` indicate an unknown one.
    private static let stopWords = [
        "stop", "stopcode", "stopid", "stoppoint", "stoppointref", "monitoringref", "monitoring ref",
        "monitoring point",
        "arrêt",
    ]
    private static let unknownWords = [
        "no such", "unknown", "not found", "invalid", "not valid", "does not exist", "doesn't exist", "not exist",
        "n'existe pas", "inconnu",
    ]

    /// The kind, derived from the text if the operator sends no specific one (`OtherError`, gateways).
    var meaning: Kind {
        guard kind == .other, let text = text?.lowercased() else { return kind }
        if Self.keyWords.contains(where: text.contains) { return .access }
        let words = text.split { !$0.isLetter && !$0.isNumber }
        // The service's own name contains "stop".
        let others = zip(words, words.dropFirst() + [""]).filter { $0 != "stop" || $1 != "monitoring" }
        let line = " \(others.map { String($0.0) }.joined(separator: " ")) "
        let isStop = Self.stopWords.contains { line.contains(" \($0) ") }
        return isStop && Self.unknownWords.contains(where: text.contains) ? .reference : .other
    }

    /// The condition of a gateway's message and status. A 5xx concerns the gateway's own parts, never keys or stops.
    init(gateway message: String?, status: Int) {
        self.init(kind: status >= 500 ? .unavailable : .other, text: message)
    }
}

extension FeedFailure {
    /// How much of an operator's message goes into a log line, in characters.
    private static let longestWords = 200

    /// The failure for an error condition in a response, or for a status other than 200.
    init(
        siriErrorOf request: HTTPRequest, _ response: HTTPResponse, _ error: SIRIErrorCondition,
        _ configuration: SIRIConfiguration,
        stop: String
    ) {
        let key = configuration.key
        let kind: Kind
        let advice: String
        switch (response.status, error.meaning) {
        case (429, _), (_, .usage):
            kind = .rateLimited(retryAfter: response.retryAfter)
            advice = "too many requests: poll less often (interval) or have fewer favourites"
        case (401, _), (_, .access), (403, .other):
            kind = key.secret == nil ? .keyMissing : .keyRejected
            let settings =
                configuration.requestFormat == .get
                ? "key_header or key_parameter" : "key_header, key_parameter or requestor"
            advice =
                key.secret == nil
                ? "API key required: put the operator's key into keys.env as \(key.name), "
                    + "set \(settings) in boardd.toml, and restart boardd"
                : "\(key.name) rejected: check it in keys.env, and \(settings) in boardd.toml, then restart boardd"
        case (_, .reference), (..<500, .noInformation):
            kind = .unknownStop
            advice = "unknown stop \(stop): check it in favourites.toml"
        case (404, _), (410, _), (301...308, _):
            kind = .status(response.status)
            advice = "no Stop Monitoring at this URL: check url in boardd.toml"
        case (_, .unavailable):
            kind = .status(response.status == 200 ? 503 : response.status)
            advice = "server error. Retrying"
        default:
            kind = .status(response.status == 200 ? 500 : response.status)
            advice =
                response.status >= 500 || response.status == 200
                ? "server error. Retrying" : "check url and parameters in boardd.toml"
        }
        let detail = "\(configuration.title), \(request.url): status \(response.status), \(advice)"
        self.init(
            kind, detail: request.masking(detail) + Self.operatorMessage(error.text, request),
            retryAfter: response.retryAfter)
    }

    /// The failure for a response that is not SIRI.
    init(
        siriFault fault: SIRIFault, in body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse,
        _ configuration: SIRIConfiguration, stop: String
    ) {
        guard response.status == 200 else {
            self.init(
                siriErrorOf: request, response, SIRIErrorCondition(gateway: fault.message, status: response.status),
                configuration,
                stop: stop)
            return
        }
        let masked = fault.masked(in: body, of: request)
        // Some gateways send errors with status 200.
        let error = SIRIErrorCondition(gateway: fault.message, status: 200)
        if error.meaning != .other {
            self.init(siriErrorOf: request, response, error, configuration, stop: stop)
            return
        }
        self.init(
            .unreadable,
            detail: request.masking("\(configuration.title), \(request.url): ") + masked.description
                + "; if this persists, check url and request in boardd.toml"
                + Self.operatorMessage(fault.message, request))
    }

    /// The failure for a response with departures and without situations. The user can do nothing about it.
    init(
        siriSituationsOf request: HTTPRequest, _ response: HTTPResponse, _ error: SIRIErrorCondition,
        _ configuration: SIRIConfiguration
    ) {
        self.init(
            .status(503),
            detail: request.masking(
                "\(configuration.title), \(request.url): no situations in the response, so there are no alerts")
                + Self.operatorMessage(error.text, request))
    }

    /// The failure for a response without a readable time.
    init(
        siriTimesOf request: HTTPRequest, _ response: HTTPResponse, _ configuration: SIRIConfiguration, feed: FeedName,
        lackZone: Bool
    ) {
        let advice =
            lackZone
            ? "its times have no zone: set zone in boardd.toml, [feed.\(feed)], to the operator's, such as Europe/Paris"
            : "its visits have no readable time"
        self.init(
            .unreadable, detail: request.masking("\(configuration.title), \(request.url): ") + advice)
    }

    /// The operator's message as the end of a sentence, in one paragraph. Keys are masked before the text is cut.
    private static func operatorMessage(_ message: String?, _ request: HTTPRequest) -> String {
        let text = message.map { HTMLText.plain(request.masking($0)).prefix(longestWords) } ?? ""
        return text.isEmpty ? "" : "; server message: " + text
    }
}
