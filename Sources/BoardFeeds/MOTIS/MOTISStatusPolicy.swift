internal import BoardCore
internal import BoardFormats

extension FeedFailure {
    /// How much of a message goes into a log line, in characters.
    private static let longestMessage = 200

    /// The failure for a status other than 200 of a MOTIS server or its gateway.
    ///
    /// For an unknown stop MOTIS responds with 404 or, depending on the version, with 400 and 422, and with `{"error":…}`;
    /// without this body the URL is wrong. A 403 comes from the gateway, if the User-Agent lacks a contact.
    init(motisStatusOf request: HTTPRequest, _ response: HTTPResponse, _ body: [UInt8], hasContact: Bool) {
        let message = (try? JSONDocument(body).row())?.text("error")
        let kind: Kind
        var advice = ""
        switch response.status {
        case 400, 404, 422:
            kind = message == nil ? .status(response.status) : .unknownStop
            advice = message == nil ? ": check url and version in boardd.toml, [feed.motis]" : ""
        case 429:
            kind = .rateLimited(retryAfter: response.retryAfter)
            advice = ", too many requests: poll less often or have fewer favourites"
        case 403:
            kind = .status(403)
            advice = hasContact ? "" : ": set contact in boardd.toml, [feed.motis]"
        default:
            kind = .status(response.status)
        }
        let suffix = message.map { "; server message: " + request.quoting($0, upTo: Self.longestMessage) } ?? ""
        self.init(
            kind, detail: "\(request.url): status \(response.status)\(advice)\(suffix)", retryAfter: response.retryAfter
        )
    }
}
