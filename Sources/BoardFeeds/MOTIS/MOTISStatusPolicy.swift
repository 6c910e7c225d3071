internal import BoardCore

extension FeedFailure {
    /// How much of a message goes into a log line.
    private static let longestMessage = 200

    /// What a status other than 200 of a MOTIS means, or of a gateway before it.
    ///
    /// What it does not know it refuses by 404 or, as versions go, by 400 and 422, and says so in `{"error":…}`; without
    /// these words it is the address that is wrong. A 403 is of the gateway, to programs that say not enough of themselves.
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
            advice = hasContact ? "" : ": say how you can be reached, contact in boardd.toml, [feed.motis]"
        default:
            kind = .status(response.status)
        }
        let said = message.map { "; it says: " + request.quoting($0, upTo: Self.longestMessage) } ?? ""
        self.init(
            kind, detail: "\(request.url): status \(response.status)\(advice)\(said)", retryAfter: response.retryAfter)
    }
}
