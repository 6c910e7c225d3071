internal import BoardCore

/// What TfL, or a gateway before it, says when it refuses.
enum TfLStatusPolicy {
    /// How much of a message goes into a log line.
    private static let longestMessage = 200

    /// The `message` of an ApiError or of the gateway's own error; nil where the body is no such object.
    static func message(in body: [UInt8]) -> String? {
        let error = try? JSONDocument(body).row()
        return error?.text("message")
    }

    /// TfL's words as the end of a sentence.
    static func operatorMessage(_ message: String?, _ request: HTTPRequest) -> String {
        message.map { "; TfL says: " + request.quoting($0, upTo: longestMessage) } ?? ""
    }

    /// N of "Rate limit is exceeded. Try again in N seconds.", the words of Azure's gateway; nil where there are none,
    /// and where N is no wait at all.
    static func delay(in message: String) -> Duration? {
        let words = message.split(separator: " ")
        guard let unit = words.firstIndex(where: { $0.lowercased().hasPrefix("second") }), unit > words.startIndex,
            let seconds = Int64(words[words.index(before: unit)]), seconds > 0
        else { return nil }
        return .seconds(min(seconds, 86_400))
    }

    /// What a person can do about a refusal; empty where there is nothing to be done but to wait.
    static func advice(on kind: FeedFailure.Kind, hasKey: Bool) -> String {
        switch kind {
        case .keyRejected: ", TfL refuses the key: check \(TfLFeed.keyName) in keys.env and restart boardd"
        case .keyMissing: ", TfL wants a key: put \(TfLFeed.keyName) (from api-portal.tfl.gov.uk) into keys.env"
        case .unknownStop: ", TfL knows no such stop: check its code in favourites.toml"
        case .rateLimited where !hasKey: ", too many requests: \(TfLFeed.keyName) in keys.env allows ten times as many"
        case .rateLimited: ", too many requests: poll less often or have fewer favourites"
        default: ""
        }
    }
}

extension FeedFailure {
    /// What a status other than 200 means.
    ///
    /// A refusal by 401 or 403 without a key is a missing one; with a key it is a wrong one. A 404 is final. A 429
    /// waits as long as `Retry-After` says, else as the body's words say, else as the policy decides.
    ///
    /// - Parameter unknown: what a 404 means, where the question names no stop.
    init(
        errorStatusOf request: HTTPRequest, _ response: HTTPResponse, body: [UInt8], hasKey: Bool,
        unknown: Kind = .unknownStop
    ) {
        let message = TfLStatusPolicy.message(in: body)
        let kind: Kind =
            switch response.status {
            case 401, 403: hasKey ? .keyRejected : .keyMissing
            case 404: unknown
            case 429: .rateLimited(retryAfter: response.retryAfter ?? message.flatMap(TfLStatusPolicy.delay))
            default: .status(response.status)
            }
        let advice = TfLStatusPolicy.advice(on: kind, hasKey: hasKey)
        let said = TfLStatusPolicy.operatorMessage(message, request)
        self.init(
            kind, detail: "\(request.url): status \(response.status)\(advice)\(said)", retryAfter: response.retryAfter)
    }
}
