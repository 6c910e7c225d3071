internal import BoardCore

extension SIRIErrorCondition {
    /// What the words say of a key, in small letters.
    private static let keyWords = [
        "api key", "apikey", "api-key", "not authori", "unauthori", "access denied", "forbidden", "requestor",
        "authentication", "credential",
    ]
    /// What the words call a stop, each a whole word, and what they say of one that is none.
    private static let stopWords = [
        "stop", "stopcode", "stopid", "stoppoint", "stoppointref", "monitoringref", "monitoring ref",
        "monitoring point",
        "arrêt",
    ]
    private static let unknownWords = [
        "no such", "unknown", "not found", "invalid", "not valid", "does not exist", "doesn't exist", "not exist",
        "n'existe pas", "inconnu",
    ]

    /// The kind, by the words where the operator has no other for it (`OtherError`, gateways).
    var meaning: Kind {
        guard kind == .other, let text = text?.lowercased() else { return kind }
        if Self.keyWords.contains(where: text.contains) { return .access }
        let words = text.split { !$0.isLetter && !$0.isNumber }
        // The service itself has a stop in its name.
        let others = zip(words, words.dropFirst() + [""]).filter { $0 != "stop" || $1 != "monitoring" }
        let line = " \(others.map { String($0.0) }.joined(separator: " ")) "
        let isStop = Self.stopWords.contains { line.contains(" \($0) ") }
        return isStop && Self.unknownWords.contains(where: text.contains) ? .reference : .other
    }

    /// What a gateway before the operator says with a status. One that is out of order talks of its own parts, and knows
    /// nothing of keys and stops.
    init(gateway words: String?, status: Int) {
        self.init(kind: status >= 500 ? .unavailable : .other, text: words)
    }
}

extension FeedFailure {
    /// How much of an operator's words goes into a log line.
    private static let longestWords = 200

    /// What a refusal means: one in the answer, or a status other than 200.
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
            let place =
                configuration.requestFormat == .get
                ? "key_header or key_parameter" : "key_header, key_parameter or requestor"
            advice =
                key.secret == nil
                ? "it lets nobody in without a key: put the one that the operator gave you into keys.env as \(key.name), "
                    + "say in boardd.toml where it goes (\(place)), and restart boardd"
                : "it refuses \(key.name): check it in keys.env, and \(place) in boardd.toml, then restart boardd"
        case (_, .reference), (..<500, .noInformation):
            kind = .unknownStop
            advice = "it knows nothing of the stop \(stop): check it in favourites.toml"
        case (404, _), (410, _), (301...308, _):
            kind = .status(response.status)
            advice = "there is no Stop Monitoring at this address: check url in boardd.toml"
        case (_, .unavailable):
            kind = .status(response.status == 200 ? 503 : response.status)
            advice = "it is out of order: boardd goes on asking"
        default:
            kind = .status(response.status == 200 ? 500 : response.status)
            advice =
                response.status >= 500 || response.status == 200
                ? "it is out of order: boardd goes on asking" : "check url and parameters in boardd.toml"
        }
        let detail = "\(configuration.title), \(request.url): status \(response.status), \(advice)"
        self.init(
            kind, detail: request.masking(detail) + Self.operatorMessage(error.text, request),
            retryAfter: response.retryAfter)
    }

    /// What an answer means that is no SIRI.
    init(
        siriFault fault: SIRIFault, in body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse,
        _ configuration: SIRIConfiguration, stop: String
    ) {
        guard response.status == 200 else {
            self.init(
                siriErrorOf: request, response, SIRIErrorCondition(gateway: fault.words, status: response.status),
                configuration,
                stop: stop)
            return
        }
        let masked = fault.masked(in: body, of: request)
        // Some gateways refuse with status 200.
        let error = SIRIErrorCondition(gateway: fault.words, status: 200)
        if error.meaning != .other {
            self.init(siriErrorOf: request, response, error, configuration, stop: stop)
            return
        }
        self.init(
            .unreadable,
            detail: request.masking("\(configuration.title), \(request.url): ") + masked.description
                + "; if that stays so, check url and request in boardd.toml"
                + Self.operatorMessage(fault.words, request))
    }

    /// What it means that an operator tells departures and no situations: nothing that a person at the stop could mend, or
    /// must know of.
    init(
        siriSituationsOf request: HTTPRequest, _ response: HTTPResponse, _ error: SIRIErrorCondition,
        _ configuration: SIRIConfiguration
    ) {
        self.init(
            .status(503),
            detail: request.masking(
                "\(configuration.title), \(request.url): it tells no situations, so that there are no alerts")
                + Self.operatorMessage(error.text, request))
    }

    /// What it means that no time of an answer can be read.
    init(
        siriTimesOf request: HTTPRequest, _ response: HTTPResponse, _ configuration: SIRIConfiguration, feed: FeedName,
        lackZone: Bool
    ) {
        let advice =
            lackZone
            ? "its times name no zone: set zone in boardd.toml, [feed.\(feed)], to the operator's, such as Europe/Paris"
            : "its visits have no time that can be read"
        self.init(
            .unreadable, detail: request.masking("\(configuration.title), \(request.url): ") + advice)
    }

    /// The operator's words as the end of a sentence, in one paragraph. Keys are masked before anything is cut.
    private static func operatorMessage(_ words: String?, _ request: HTTPRequest) -> String {
        let text = words.map { HTMLText.plain(request.masking($0)).prefix(longestWords) } ?? ""
        return text.isEmpty ? "" : "; it says: " + text
    }
}
