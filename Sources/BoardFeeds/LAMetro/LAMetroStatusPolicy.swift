internal import BoardCore
internal import BoardFormats

/// The interpretation of error responses from LA Metro's old API or its replacements.
enum LAMetroStatusPolicy {
    private static let longestMessage = 200

    /// The message of an error response; nil if absent.
    private static func message(in body: [UInt8]) -> String? {
        guard let row = try? JSONDocument(body).row() else { return nil }
        return row.text("message") ?? row.text("detail") ?? row.text("error")
    }

    /// The operator's message as the end of a sentence.
    static func operatorMessage(_ body: [UInt8], _ request: HTTPRequest) -> String {
        message(in: body).map { "; server message: " + request.quoting($0, upTo: longestMessage) } ?? ""
    }

    /// The failure without a configured URL.
    static let noAddress = FeedFailure(
        .unknownStop,
        detail:
            "LA Metro's own address of this API, api.metro.net, was retired: set url in boardd.toml, [feed.lametro], to "
            + "a server with that API, or use LA Metro's GTFS ([feed.gtfs.lametro], see docs/cities.md)",
        requests: 0)
}

extension FeedFailure {
    /// The failure for a status other than 200.
    ///
    /// - Parameters:
    ///   - setting: the setting of the URL.
    ///   - stop: the requested stop; nil for another kind of request.
    init(
        laMetroStatusOf request: HTTPRequest, _ response: HTTPResponse, _ body: [UInt8], setting: String,
        stop: LAMetroStopCode?
    ) {
        let kind: Kind
        let advice: String
        switch response.status {
        case 404 where stop != nil:
            kind = .unknownStop
            advice =
                "unknown stop \(stop?.code ?? ""), or not LA Metro's old API: check the code in "
                + "favourites.toml, and \(setting) in boardd.toml, [feed.lametro]"
        case 429:
            kind = .rateLimited(retryAfter: response.retryAfter)
            advice = "too many requests: poll less often or have fewer favourites"
        case 500...:
            kind = .status(response.status)
            advice = "server error. Retrying"
        default:
            kind = .status(response.status)
            advice = "check \(setting) in boardd.toml, [feed.lametro]"
        }
        self.init(
            kind,
            detail:
                "\(request.url): status \(response.status), \(advice)\(LAMetroStatusPolicy.operatorMessage(body, request))",
            retryAfter: response.retryAfter)
    }

    /// The failure for an unreadable response.
    init(
        laMetroUnreadable fault: JSONFault, in body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse,
        setting: String
    ) {
        self.init(
            .unreadable,
            detail: "\(request.url): \(fault.masked(in: body, of: request)); if this persists, check \(setting) in "
                + "boardd.toml, [feed.lametro]\(LAMetroStatusPolicy.operatorMessage(body, request))")
    }
}
