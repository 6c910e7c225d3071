internal import BoardCore
internal import BoardFormats

/// The interpretation of error responses from TfL and its gateway.
enum TfLStatusPolicy {
    /// How much of a message goes into a log line, in characters.
    private static let longestMessage = 200

    /// The `message` of an ApiError or of the gateway's own error; nil if the body is no such object.
    static func message(in body: [UInt8]) -> String? {
        let error = try? JSONDocument(body).row()
        return error?.text("message")
    }

    /// TfL's message as the end of a sentence.
    static func operatorMessage(_ message: String?, _ request: HTTPRequest) -> String {
        message.map { "; TfL message: " + request.quoting($0, upTo: longestMessage) } ?? ""
    }

    /// N of "Rate limit is exceeded. Try again in N seconds.", a message of Azure's gateway; nil if absent, and unless N is
    /// positive.
    static func delay(in message: String) -> Duration? {
        let words = message.split(separator: " ")
        guard let unit = words.firstIndex(where: { $0.lowercased().hasPrefix("second") }), unit > words.startIndex,
            let seconds = Int64(words[words.index(before: unit)]), seconds > 0
        else { return nil }
        return .seconds(min(seconds, 86_400))
    }

    /// Advice to the user; empty if there is nothing to do but wait.
    static func advice(on kind: FeedFailure.Kind, hasKey: Bool) -> String {
        switch kind {
        case .keyRejected: ", TfL rejected the key: check \(TfLFeed.keyName) in keys.env and restart boardd"
        case .keyMissing: ", TfL requires an API key: put \(TfLFeed.keyName) (from api-portal.tfl.gov.uk) into keys.env"
        case .unknownStop: ", unknown stop: check its code in favourites.toml"
        case .rateLimited where !hasKey: ", too many requests: \(TfLFeed.keyName) in keys.env allows ten times as many"
        case .rateLimited: ", too many requests: poll less often or have fewer favourites"
        default: ""
        }
    }
}

extension FeedFailure {
    /// The failure for a status other than 200.
    ///
    /// A 401 or 403 without a key means a missing key, with a key a rejected one. A 404 is final. The delay after a 429
    /// comes from `Retry-After`, else from the message, else from the polling policy.
    ///
    /// - Parameter unknown: the kind for a 404 if the request names no stop.
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
        let suffix = TfLStatusPolicy.operatorMessage(message, request)
        self.init(
            kind, detail: "\(request.url): status \(response.status)\(advice)\(suffix)", retryAfter: response.retryAfter
        )
    }
}
